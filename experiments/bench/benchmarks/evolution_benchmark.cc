// Times an evolutionary search between measurements: schedules made, described and scored in a
// second of one core, the share of each part, the cost of trees, and the cost of a round. Seconds
// are processor time, except in rows that name all cores of the task.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/common/best_states.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/staged_cost_model.h"
#include "agents/decisions/decision_place.h"
#include "agents/decisions/decision_search.h"
#include "agents/decisions/state_rollout.h"
#include "agents/evolution/evolution.h"
#include "agents/mcts/protuner_search.h"
#include "agents/mcts/tree_ensemble.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/features/analytical_cost.h"
#include "env/features/state_features.h"
#include "env/measure/record.h"
#include "env/measure/timing/clocks.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkloads[] = {"matmul(m=512,n=512,k=512)",
                                      "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)",
                                      "tbs(l=128,heads=12,size=64)"};
constexpr int kStates = 2048;  // Ansor's population
constexpr int kLearned = 640;  // schedules on which trees are trained
constexpr int kRounds = 4;     // of which the best is taken
constexpr int kMeasured = 64;  // in each
constexpr int kTrees = 16;     // as many as ProTuner's
constexpr int kVisited = 8192;

// Uses the estimate as the machine.
double SecondsOf(const ScheduleState& state) { return EstimateCost(state).Seconds(); }

double SecondsBy(const Clock& clock, const std::function<void()>& act) {
  const double begin = clock.Now();
  act();
  return clock.Now() - begin;
}

double SecondsFor(const std::function<void()>& act) { return SecondsBy(ProcessCpuClock(), act); }

// The number of threads, and the clock.
struct Pace {
  int threads;
  const Clock& clock;
};

std::vector<ScheduleState> Draw(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                                int count, Rng& rng) {
  std::vector<ScheduleState> states;
  while (static_cast<int>(states.size()) < count) {
    Result<ScheduleState> state = space.Sample(task, rng);
    if (state) states.push_back(*std::move(state));
  }
  return states;
}

std::vector<MeasuredState> Measured(const std::vector<ScheduleState>& states) {
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    measured.push_back({state, StateKey(state), SecondsOf(state)});
  }
  return measured;
}

// As the agent ansor trains in its fast mode.
BoostedCostModel Trained(const std::vector<ScheduleState>& states) {
  BoostedCostModel model(
      {TrainingCadence::kAdaptive, BoostingOptions::Quick(), ModelFeatures::kEstimated});
  model.Learn(Measured(states));
  model.Predict({});
  return model;
}

void Print(const char* what, double seconds, double count) {
  std::printf("  %-10s %8.2f us each, %9.0f a second\n", what, seconds / count * 1e6,
              count / seconds);
}

// Each step by itself, on the schedules of one population.
void PrintSteps(const SearchSpace& space, const std::shared_ptr<const Task>& task, Rng& rng) {
  std::vector<ScheduleState> states;
  Print("sample", SecondsFor([&] { states = Draw(space, task, kStates, rng); }), kStates);
  int mutated = 0;
  const double mutating = SecondsFor([&] {
    for (const ScheduleState& state : states) mutated += space.Mutate(state, rng).ok();
  });
  Print("mutate", mutating, kStates);
  std::printf("             of which %.0f %% led to a schedule\n", 100.0 * mutated / kStates);
  BoostedCostModel model = Trained({states.begin(), states.begin() + kLearned});
  const auto each = [&](const char* name, const std::function<void(const ScheduleState&)>& act) {
    Print(name, SecondsFor([&] {
            for (const ScheduleState& state : states) act(state);
          }),
          kStates);
  };
  each("key", [](const ScheduleState& state) { StateKey(state); });
  each("loops", [](const ScheduleState& state) { InferLoops(state); });
  each("nests", [](const ScheduleState& state) { FindLoopNests(state); });
  each("ansor", [](const ScheduleState& state) { AnsorFeatures(state); });
  each("estimate", [](const ScheduleState& state) { EstimateCost(state); });
  each("features", [](const ScheduleState& state) { EstimatedFeatures(state); });
  int admitted = 0;
  each("admit", [&](const ScheduleState& state) { admitted += space.Admit(state).ok(); });
  std::printf("             which %.0f %% of them passed\n", 100.0 * admitted / kStates);
  Print("score", SecondsFor([&] { model.Predict(WithFeatures(states)); }), kStates);
}

// Population after population, as the agent breeds them; how many schedules in a second.
double PrintEvolution(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                      const Pace& pace, Rng& rng) {
  BoostedCostModel model = Trained(Draw(space, task, kLearned, rng));
  int64_t evaluated = 0;
  double judging = 0;
  const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
    std::vector<std::optional<double>> scores;
    judging +=
        SecondsBy(pace.clock, [&] { scores = ScoresOf(model.Predict(WithFeatures(states))); });
    evaluated += static_cast<int64_t>(states.size());
    return scores;
  };
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    evaluated = 0;
    judging = 0;
    const double seconds = SecondsBy(pace.clock, [&] {
      std::vector<ScheduleState> population;
      for (DrawnState& drawn : DrawStates(space, task, kStates, pace.threads, rng)) {
        population.push_back(std::move(drawn.state));
      }
      Evolve(std::move(population), MutationOf(space), evaluator, {.threads = pace.threads},
             2 * kMeasured, {}, rng);
    });
    if (evaluated / seconds <= best) continue;
    best = evaluated / seconds;
    std::printf("  %9.0f schedules a second made, described and scored (%.0f %% of it judging)\n",
                best, 100 * judging / seconds);
  }
  return best;
}

// The rollouts of an ensemble, all of its trees in lock step, and the results that its trees get.
struct Ensemble {
  TreeEnsembleOptions options;
  StateEvaluator evaluator;
};

void PrintEnsemble(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                   const Ensemble& ensemble, const Pace& pace, double evolved, Rng& rng) {
  const auto root = FirstDecision(space.Sketches(task), DecisionOrder::kOutputsFirst);
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    StateRollout rollout(space, ensemble.evaluator, pace.threads);
    TreeEnsemble trees(root, ensemble.options, rollout, rng.Split());
    const double seconds = SecondsBy(pace.clock, [&] { trees.Advance(kVisited); });
    best = std::max(best, static_cast<double>(rollout.evaluated()) / seconds);
  }
  std::printf("  %9.0f schedules a second by %d trees, %.2f of evolution's\n", best,
              ensemble.options.trees, best / evolved);
}

// Each descent of sixteen trees evaluates one schedule, with the same regression trees.
void PrintTrees(const SearchSpace& space, const std::shared_ptr<const Task>& task, const Pace& pace,
                double evolved, Rng& rng) {
  BoostedCostModel model = Trained(Draw(space, task, kLearned, rng));
  const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
    return ScoresOf(model.Predict(WithFeatures(states)));
  };
  PrintEnsemble(space, task, {{.trees = kTrees}, evaluator}, pace, evolved, rng);
}

// With the defaults of mcts(form=protuner): one tree is greedy, all use predicted seconds.
void PrintProtuner(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                   const Pace& pace, double evolved, Rng& rng) {
  StagedCostModel model({.label = BoostedLabel::kLogSeconds}, rng.Split());
  model.Learn(Measured(Draw(space, task, kLearned, rng)));
  model.Era();  // trained now
  SearchModelState memory;
  const DecisionSearchContext ground = {space, task, memory, &model, std::nullopt, rng.Split()};
  PrintEnsemble(space, task, {ProtunerOptions().ensemble, WorthBy(ground, Worth::kMinusSeconds)},
                pace, evolved, rng);
}

// Evolution and trees in one run: one thread by processor seconds, then all cores by the wall's.
void PrintSearches(const SearchSpace& space, const std::shared_ptr<const Task>& task, Rng& rng) {
  const ProcessCpuClock processors;
  const SteadyClock steady;
  const Pace alone = {1, processors};
  PrintTrees(space, task, alone, PrintEvolution(space, task, alone, rng), rng);
  const Pace together = {SearchThreads(*task), steady};
  std::printf("  on %d threads, by the clock on the wall:\n", together.threads);
  PrintProtuner(space, task, together, PrintEvolution(space, task, together, rng), rng);
}

Trial TrialOf(const Proposal& proposal) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing.emplace().seconds = SecondsOf(proposal.state);
  const RecordOrigin origin = {.task = DescribeTask(proposal.state.task())};
  return {0, proposal.state, proposal.key, TrialStatus::kMeasured,
          std::make_shared<const Record>(
              MakeRecord(origin, proposal.state, proposal.key, measurement))};
}

// Wall time and processor time of an agent's round, once its trees are used.
void PrintRounds(const SearchSpace& space, const std::shared_ptr<const Task>& task) {
  SingleTaskAgent agent({"ansor", {}}, space, {task}, Rng(1));
  const SteadyClock steady;
  double least_wall = 1e9, least_cpu = 1e9;
  for (int round = 0; round < 3 + kRounds; ++round) {
    std::vector<Proposal> proposals;
    const double begin = steady.Now();
    double cpu = SecondsFor([&] { proposals = agent.Propose(0, kMeasured); });
    double wall = steady.Now() - begin;
    std::vector<Trial> trials;
    for (const Proposal& proposal : proposals) trials.push_back(TrialOf(proposal));
    const double learning = steady.Now();
    cpu += SecondsFor([&] { agent.Learn(trials); });
    wall += steady.Now() - learning;
    if (round < 3 || proposals.empty()) continue;
    least_wall = std::min(least_wall, wall / static_cast<double>(proposals.size()));
    least_cpu = std::min(least_cpu, cpu / static_cast<double>(proposals.size()));
  }
  std::printf("  %9.2f ms of search for each of %d measured schedules (%.2f ms of processors)\n",
              least_wall * 1e3, kMeasured, least_cpu * 1e3);
}

// [SPACE [WORKLOAD...]]
int Main(int argc, char** argv) {
  std::vector<std::string> workloads(argv + std::min(argc, 2), argv + argc);
  if (workloads.empty()) workloads.assign(std::begin(kWorkloads), std::end(kWorkloads));
  try {
    const Result<Spec> spec = ParseSpec(argc > 1 ? argv[1] : "ansor");
    if (!spec) throw std::runtime_error(spec.error().message);
    for (const std::string& workload : workloads) {
      const auto space = MakeSpace(*spec);
      const auto task = std::make_shared<const Task>(
          Task{MakeWorkload(ParseSpec(workload).value()),
               MakeTarget(ParseSpec("llvm(cores=2)").value()), workload});
      std::printf("%s in %s\n", workload.c_str(), space->Name().c_str());
      Rng rng(1);
      PrintSteps(*space, task, rng);
      PrintSearches(*space, task, rng);
      PrintRounds(*space, task);
      std::fflush(stdout);
    }
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
