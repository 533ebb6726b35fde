// How many schedules a second the tracks of `harl` visit (they act, features, trees that have
// learned, the network), and what the lessons of its networks take beside: rounds by default
// options, of the same starts with and without learning, in the space `ansor`. Seconds are those of
// the wall. usage: rollout_benchmark [--threads N] [--rounds N] [WORKLOAD...]
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/common/sketch_place.h"
#include "agents/learned/harl/harl_evaluator.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/track_starts.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/analytical_cost.h"
#include "env/gym/actions/modify_space.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr int kLearned = 64;  // schedules, by the estimate's seconds
constexpr int kDraws = 2048;  // among which they are looked for

// Of ansor_ops, batch 1.
struct SuiteRow {
  const char* family;
  int row;
};
constexpr SuiteRow kRows[] = {{"GMM", 1}, {"GMM", 2}, {"GMM", 3}, {"C1D", 1},
                              {"C1D", 3}, {"C2D", 1}, {"C2D", 2}, {"C2D", 3},
                              {"C2D", 4}, {"C3D", 2}, {"T2D", 1}, {"DEP", 4}};

std::vector<std::string> DefaultWorkloads() {
  const Suite suite = FindSuite("ansor_ops").value();
  std::vector<std::string> workloads;
  for (const SuiteRow& row : kRows) {
    int rows = 0;  // rows of batch 1 come first
    const auto found = std::ranges::find_if(suite.cases, [&](const SuiteCase& one) {
      return one.family == row.family && ++rows == row.row;
    });
    SG_CHECK(found != suite.cases.end(), "a row of the suite");
    workloads.push_back(found->workload.ToText());
  }
  return workloads;
}

// Distinct schedules and their estimates, the fastest first.
std::vector<MeasuredState> Measured(const SearchSpace& space,
                                    const std::shared_ptr<const Task>& task, Rng& rng) {
  std::vector<MeasuredState> measured;
  std::set<Key> keys;
  for (DrawnState& drawn : DrawStates(space, task, kDraws, 1, rng)) {
    if (std::ssize(measured) == kLearned) break;
    const Key key = StateKey(drawn.state);
    if (!keys.insert(key).second) continue;
    const double seconds = EstimateCost(drawn.state).Seconds();
    measured.push_back({std::move(drawn.state), key, seconds});
  }
  if (std::ssize(measured) < kLearned) {
    throw InputError(task->name + ": found " + std::to_string(measured.size()) +
                     " schedules, expected " + std::to_string(kLearned));
  }
  std::ranges::sort(measured, {}, &MeasuredState::seconds);
  return measured;
}

struct Figures {
  double visits = 0;         // a second, nothing learned
  double lessons = 0;        // seconds of a round
  double taught_visits = 0;  // a second, lessons among them
};

// Rounds of one task, as the agent walks them once its trees are used.
class Rollouts {
 public:
  Rollouts(const SearchSpace& space, const std::shared_ptr<const Task>& task)
      : sketches_(RequiredSketches(space, task, "rollout_benchmark")),
        evaluator_(options_, {}),
        actions_(MakeModifySpace("modify", space, {task})),
        tuple_(actions_->Groups(), options_.smallest_primes),
        sight_(MostKnobs()),
        policy_(MakeTrackPolicy(sight_, tuple_, options_, rng_.Split())),
        starts_(task, sketches_, *actions_),
        measured_(Measured(space, task, rng_)),
        round_(RoundOptions(options_)) {
    round_.threads = SearchThreads(*task);
    for (const MeasuredState& state : measured_) evaluator_.Learn(state);
    evaluator_.TrainNow();
  }

  // Medians; the first round, which sets the policy's scales, is left out.
  Figures Time(int rounds) {
    RunRound(/*learns=*/true, Starts(), rng_.Split());
    std::vector<double> plain, taught, lessons;
    for (int round = 0; round < rounds; ++round) {
      auto starts = Starts();
      std::vector<std::unique_ptr<EpisodeState>> same;
      for (const auto& episode : starts) same.push_back(episode->Fork());
      const Rng rng = rng_.Split();
      plain.push_back(RunRound(/*learns=*/false, std::move(starts), rng));
      taught.push_back(RunRound(/*learns=*/true, std::move(same), rng));
      lessons.push_back(taught.back() - plain.back());
    }
    const auto visits = static_cast<double>(options_.visits);
    return {visits / Median(plain), Median(lessons), visits / Median(taught)};
  }

 private:
  int MostKnobs() const {
    int most = 0;
    for (const Sketch& sketch : sketches_) most = std::max(most, sketch.knobs->dimensions());
    return most;
  }

  std::vector<std::unique_ptr<EpisodeState>> Starts() {
    std::vector<int> sketches(std::min(sketches_.size(), static_cast<size_t>(options_.spread)));
    std::iota(sketches.begin(), sketches.end(), 0);
    std::vector<const MeasuredState*> ranked;
    for (const MeasuredState& state : measured_) ranked.push_back(&state);
    return starts_.Make(sketches, round_.live[0], options_.measured, ranked, rng_);
  }

  // Its seconds.
  double RunRound(bool learns, std::vector<std::unique_ptr<EpisodeState>> starts, Rng rng) {
    if (starts.empty()) throw InputError("found no schedules to start from, expected some");
    const StateEvaluator evaluator = evaluator_.OfStates();
    round_.learns = learns;
    const SteadyClock clock;
    const double begin = clock.Now();
    const TrackRoundReport report =
        RunTracks({tuple_, sight_, evaluator, policy_}, round_, std::move(starts), rng);
    const double seconds = clock.Now() - begin;
    SG_CHECK(report.steps == options_.visits && (report.lessons > 0) == learns, "a whole round");
    return seconds;
  }

  HarlOptions options_ = ReadHarlOptions({"harl", {}});
  Rng rng_{1};
  std::vector<Sketch> sketches_;
  HarlEvaluator evaluator_;
  std::unique_ptr<ActionSpace> actions_;
  ActionTuple tuple_;
  PolicyFeatures sight_;
  TrackPolicy policy_;
  TrackStarts starts_;
  std::vector<MeasuredState> measured_;
  TrackRoundOptions round_;
};

void Print(const char* name, const Figures& figures) {
  std::printf("%-60s %9.0f %16.3f %22.0f\n", name, figures.visits, figures.lessons,
              figures.taught_visits);
  std::fflush(stdout);
}

void PrintAll(const std::vector<std::string>& workloads, int threads, int rounds) {
  const auto space = MakeSpace({"ansor", {}});
  const Target target = MakeTarget({"llvm", {{"cores", {int64_t{threads}}}}});
  std::vector<std::shared_ptr<const Task>> tasks;
  for (const std::string& workload : workloads) tasks.push_back(LoadTask(workload, target));
  std::printf("%-60s %9s %16s %22s\n", "workload", "visits/s", "updates s/round",
              "visits/s with updates");
  std::vector<double> visits, lessons, taught_visits;
  for (const auto& task : tasks) {
    const Figures figures = Rollouts(*space, task).Time(rounds);
    Print(task->name.c_str(), figures);
    visits.push_back(figures.visits);
    lessons.push_back(figures.lessons);
    taught_visits.push_back(figures.taught_visits);
  }
  Print("median", {Median(visits), Median(lessons), Median(taught_visits)});
}

int Main(int argc, char** argv) {
  std::vector<std::string> workloads;
  std::optional<int64_t> threads = 2, rounds = 5;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool is_threads = word == "--threads";
    if (is_threads || word == "--rounds") {
      (is_threads ? threads : rounds) = ParseInteger(++i < argc ? argv[i] : "");
    } else {
      workloads.push_back(word);
    }
  }
  if (!threads || !rounds || *threads < 1 || *threads > 1024 || *rounds < 1 || *rounds > 10'000) {
    std::fprintf(stderr,
                 "usage: rollout_benchmark [--threads N] [--rounds N] [WORKLOAD...], at least 1\n");
    return 2;
  }
  if (workloads.empty()) workloads = DefaultWorkloads();
  try {
    UseOneTorchThread();
    PrintAll(workloads, static_cast<int>(*threads), static_cast<int>(*rounds));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "error: %s\n", fault.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
