#include "agents/schedulers/simulation/comparison.h"

#include <algorithm>

#include "agents/schedulers/simulation/course_measures.h"
#include "agents/schedulers/simulation/oracle.h"

namespace schedulegym {
namespace {

bool IsSet(const std::atomic<bool>* stop) { return stop != nullptr && *stop; }

// Everything but what is measured takes no time worth mentioning.
ComparedRun RunOne(const Problem& problem, const Spec& spec, uint64_t seed, const Clock& clock,
                   const std::atomic<bool>* stop) {
  const auto scheduler = MakeTaskScheduler(spec, problem.Context(seed, StopToken(stop)));
  const double begin = clock.Now();
  ComparedRun run;
  run.course = Simulate(problem.curves, problem.budget, *scheduler, stop);
  run.deciding = clock.Now() - begin;
  run.fits = scheduler->Fits();
  return run;
}

void Measure(const Comparison& comparison, ComparedRun& run) {
  run.area = MeanLogLatency(run.course, comparison.horizon) -
             MeanLogLatency(comparison.oracle, comparison.horizon);
  run.to_95 = SecondsTo(run.course, comparison.best_latency / 0.95);
  run.to_98 = SecondsTo(run.course, comparison.best_latency / 0.98);
  for (const ComparedRun& other : comparison.runs) {
    run.to_final.push_back(SecondsTo(run.course, other.course.latency()));
  }
}

}  // namespace

std::optional<Comparison> Compare(const Problem& problem, std::span<const Spec> schedulers,
                                  uint64_t seed, const Clock& clock,
                                  const std::atomic<bool>* stop) {
  Comparison comparison;
  const auto oracle = MakeOracle(problem.curves);
  comparison.oracle = Simulate(problem.curves, problem.budget, *oracle, stop);
  comparison.best_latency = comparison.oracle.latency();
  comparison.horizon = problem.budget.seconds.value_or(comparison.oracle.seconds);
  for (const Spec& spec : schedulers) {
    const ComparedRun& run = comparison.runs.emplace_back(RunOne(problem, spec, seed, clock, stop));
    if (IsSet(stop)) return std::nullopt;
    comparison.best_latency = std::min(comparison.best_latency, run.course.latency());
    if (!problem.budget.seconds) {
      comparison.horizon = std::max(comparison.horizon, run.course.seconds);
    }
  }
  for (ComparedRun& run : comparison.runs) Measure(comparison, run);
  return comparison;
}

}  // namespace schedulegym
