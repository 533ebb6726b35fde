// Trains harl's policy on drawn tasks without measuring: for each task a random sketch, tracks from
// samples, rewards from the analytical estimate or from trees of measured schedules (model=FILE),
// one policy for all tasks. Tasks with more knobs or actions than the policy has inputs are
// skipped. The report has the mean log gain a step, the log of best over start, and the entropy.
// Cost: `visits` evaluations a task.
#include "agents/learned/harl/harl.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "agents/common/sketch_place.h"
#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/model_registry.h"
#include "agents/learned/harl/harl_model_state.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/harl/harl_prior.h"
#include "agents/learned/harl/harl_state.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/track_starts.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/actions/modify_space.h"

namespace schedulegym {
namespace {

constexpr const char* kAsker = "training of harl";

int MostKnobs(const std::vector<Sketch>& sketches) {
  int most = 1;
  for (const Sketch& sketch : sketches) most = std::max(most, sketch.knobs->dimensions());
  return most;
}

TrainedRound Summary(const TrackRoundReport& report) {
  TrainedRound round;
  std::optional<double> start, best;
  double gains = 0;
  for (const TrackVisit& visit : report.visits) {
    if (visit.score) best = std::max(best.value_or(*visit.score), *visit.score);
    if (visit.step == 0) start = best;
    gains += visit.gain;
  }
  round.visits = report.steps;
  if (report.steps > 0) round.step = gains / static_cast<double>(report.steps);
  if (start && *start > 0) round.best = std::log(*best / *start);
  if (report.last_lesson) round.entropy = report.last_lesson->entropy;
  round.diverged = report.diverged;
  return round;
}

HarlOptions OptionsOf(const Spec& agent) {
  HarlOptions options = ReadHarlOptions(agent);
  if (options.checkpoint.empty() && options.shares_policy && options.acts) return options;
  throw InputError(std::string(kAsker) + ": found " + agent.ToText() +
                   ", expected neither checkpoint=, policy=sketch nor moves=uniform");
}

// Makes the estimate, trees of measured schedules, or another model.
std::unique_ptr<CostModel> EvaluatorOf(const HarlOptions& options, const Target& target) {
  if (options.model_spec) CheckModelFits(*options.model_spec, target);
  if (auto prior = PriorOf(options)) return prior;
  if (options.model_file.empty()) {
    CheckModelFits({"analytical", {}}, target);
    return std::make_unique<AnalyticalCostModel>();
  }
  const std::string text = ReadTrees(options.model_file);
  const BoostedModelOptions trees_options = {.cadence = TrainingCadence::kAdaptive,
                                             .trees = BoostingOptions::Quick(),
                                             .features = options.features};
  auto trees = std::make_unique<BoostedCostModel>(trees_options);
  trees->Load(text);
  return trees;
}

class HarlTrainer : public Trainer {
 public:
  explicit HarlTrainer(const TrainerContext& context)
      : options_(OptionsOf(context.agent)),
        space_(context.space),
        target_(context.kinds.at(0)->target),
        rng_(context.rng),
        file_(FileOf(options_)),
        shape_(ShapeOf(context)),
        tuple_(MakeModifySpace("modify", space_, context.kinds, {.room = shape_.moves})->Groups(),
               options_.smallest_primes),
        sight_(shape_.knobs),
        model_(EvaluatorOf(options_, target_)) {
    policies_.emplace(std::pair(0, 0), MakeTrackPolicy(sight_, tuple_, options_, rng_.Split()));
    if (file_) {
      OfPolicyFile(options_.policy_file,
                   [&] { StartFrom(*file_, Identity(), policies_.begin()->second); });
    }
    file_.reset();
  }

  std::optional<TrainedRound> Train(const std::shared_ptr<const Task>& task) override {
    std::vector<Sketch> sketches = RequiredSketches(space_, task, kAsker);
    const auto actions = MakeModifySpace("modify", space_, {task}, {.room = shape_.moves});
    const bool fits =
        RoomOf(actions->Groups()) == shape_.moves && MostKnobs(sketches) <= shape_.knobs;
    if (!fits) return std::nullopt;
    const auto sketch = static_cast<int>(rng_.Below(std::ssize(sketches)));
    TrackRoundOptions options = RoundOptions(options_);
    options.threads = SearchThreads(*task);
    TrackStarts starts(task, std::move(sketches), *actions);
    auto episodes = starts.Make({sketch}, options.live[0], /*measured=*/0, {}, rng_);
    if (episodes.empty()) return std::nullopt;
    const StateEvaluator evaluator = [this](const std::vector<ScheduleState>& states) {
      return ScoresOf(model_->Predict(WithFeatures(states)));
    };
    TrackPolicy& policy = policies_.begin()->second;
    return Summary(
        RunTracks({tuple_, sight_, evaluator, policy}, options, std::move(episodes), rng_));
  }

  void Save(const std::string& path) override {
    WriteCheckpoint(path, SaveHarl(Identity(), {}, policies_));
  }

 private:
  static std::optional<Checkpoint> FileOf(const HarlOptions& options) {
    if (options.policy_file.empty()) return std::nullopt;
    return ReadHarlCheckpoint(options.policy_file);
  }

  // Returns the shape for the kinds of the tasks, and for the initial policy.
  PolicyShape ShapeOf(const TrainerContext& context) const {
    PolicyShape shape;
    if (file_) shape = OfPolicyFile(options_.policy_file, [&] { return ReadShape(*file_); });
    for (const auto& kind : context.kinds) {
      shape.knobs = std::max(shape.knobs, MostKnobs(RequiredSketches(space_, kind, kAsker)));
    }
    const auto actions = MakeModifySpace("modify", space_, context.kinds, {.room = shape.moves});
    shape.moves = RoomOf(actions->Groups());
    return shape;
  }

  HarlIdentity Identity() const {
    return {PolicyKind(sight_, tuple_, space_, target_), "none, trained before any", {}, shape_};
  }

  HarlOptions options_;
  const SearchSpace& space_;
  Target target_;
  Rng rng_;
  std::optional<Checkpoint> file_;  // until it has been begun from
  PolicyShape shape_;
  ActionTuple tuple_;
  PolicyFeatures sight_;
  TrackPolicies policies_;  // one
  std::unique_ptr<CostModel> model_;
};

}  // namespace

std::unique_ptr<Trainer> MakeHarlTrainer(const TrainerContext& context) {
  SG_CHECK(!context.kinds.empty(), "a kind of task");
  UseOneTorchThread();
  return std::make_unique<HarlTrainer>(context);
}

}  // namespace schedulegym
