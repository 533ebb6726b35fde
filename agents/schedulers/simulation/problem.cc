#include "agents/schedulers/simulation/problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/base/check.h"
#include "env/base/hash.h"

namespace schedulegym {
namespace {

constexpr int64_t kFewest = 6, kMost = 20;

Problem ProblemOf(std::vector<RecordedCurve> curves, const SimulatedBudget& budget) {
  SG_CHECK(!curves.empty(), "a problem has tasks");
  Problem problem = {std::move(curves), budget, 1};
  double seconds = 0;
  for (const RecordedCurve& curve : problem.curves) {
    seconds += curve.seconds();
    for (const Turn& turn : curve.whole.turns) {
      problem.batch = std::max(problem.batch, static_cast<int>(turn.trials));
    }
  }
  if (!budget.seconds && budget.trials == SimulatedBudget().trials) {
    problem.budget.seconds = seconds / 2;
  }
  int64_t trials = 0;
  for (const RecordedCurve& curve : problem.curves) trials += curve.trials();
  problem.budget.trials = std::min(problem.budget.trials, trials);
  return problem;
}

int64_t TaskCount(int64_t most, Rng& rng) {
  const int64_t count = kFewest + rng.Below(kMost - kFewest + 1);
  return std::min(count, most);
}

double DrawCount(Rng& rng) { return std::floor(std::pow(2, 4 * rng.Uniform())); }

}  // namespace

SchedulerContext Problem::Context(uint64_t seed, const StopToken& stop) const {
  SchedulerContext context = {.batch = batch, .rng = Rng(seed), .stop = stop};
  for (const RecordedCurve& curve : curves) context.tasks.push_back(curve.facts);
  return context;
}

std::optional<CurveHalf> ParseCurveHalf(std::string_view name) {
  if (name == "all") return CurveHalf::kAll;
  if (name == "development") return CurveHalf::kDevelopment;
  if (name == "heldout") return CurveHalf::kHeldOut;
  return std::nullopt;
}

std::vector<RecordedCurve> HalfOf(const std::vector<RecordedCurve>& curves, CurveHalf half) {
  std::vector<RecordedCurve> own;
  for (const RecordedCurve& curve : curves) {
    Hasher hasher;
    hasher.Add(curve.task);
    const bool is_held_out = hasher.Value() % 2 == 1;
    const bool fits = half == CurveHalf::kAll || is_held_out == (half == CurveHalf::kHeldOut);
    if (fits) own.push_back(curve);
  }
  return own;
}

std::vector<RecordedCurve> WithLatency(const std::vector<RecordedCurve>& curves) {
  std::vector<RecordedCurve> known;
  for (const RecordedCurve& curve : curves) {
    if (curve.has_latency()) known.push_back(curve);
  }
  return known;
}

Problem WholeProblem(const std::vector<RecordedCurve>& curves, const SimulatedBudget& budget) {
  std::vector<RecordedCurve> own;
  for (const auto& task : GroupByTask(curves)) own.push_back(*task.front());
  return ProblemOf(std::move(own), budget);
}

Problem DrawProblem(const std::vector<RecordedCurve>& curves, const SimulatedBudget& budget,
                    Rng rng) {
  CurvesByTask tasks = GroupByTask(curves);
  const int64_t count = TaskCount(std::ssize(tasks), rng);
  std::vector<RecordedCurve> own;
  for (int64_t i = 0; i < count; ++i) {
    std::swap(tasks[i], tasks[i + rng.Below(std::ssize(tasks) - i)]);
    own.push_back(*tasks[i][rng.Below(std::ssize(tasks[i]))]);
    own.back().facts.counts = {DrawCount(rng)};
  }
  return ProblemOf(std::move(own), budget);
}

Problem DrawProblem(const DrawnCurveOptions& options, const SimulatedBudget& budget, Rng rng) {
  const int64_t count = TaskCount(kMost, rng);
  std::vector<RecordedCurve> own = DrawCurves(options, static_cast<int>(count), rng.Split());
  for (RecordedCurve& curve : own) curve.facts.counts = {DrawCount(rng)};
  return ProblemOf(std::move(own), budget);
}

}  // namespace schedulegym
