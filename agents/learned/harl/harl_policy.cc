// A policy that harl trained, as a prior over the actions of `modify` for tree search. The
// network's heads choose independently, so
//   P(action) = P(its head takes its value)        P(stop) = product over heads of P(stay)
// The action that goes to the next sketch, which harl never takes, gets the mean of the others.
// Shares are at least 1e-6 and sum to 1. Cost: one forward pass a place.
#include "agents/learned/harl/harl.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/common/sketch_place.h"
#include "agents/learned/harl/harl_model_state.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/harl/harl_state.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/policy/torch_setting.h"
#include "env/base/check.h"
#include "env/gym/actions/modify_layout.h"
#include "env/gym/actions/modify_space.h"

namespace schedulegym {
namespace {

// Every legal action has at least this probability.
constexpr double kLeastShare = 1e-6;

// Heads are independent: an action has the probability of its head's value, and stop that of all
// heads staying. The next sketch, which is no action of harl's, gets the mean of the others.
class HarlPolicy : public ActionPolicy {
 public:
  HarlPolicy(PolicyFeatures sight, ActionTuple tuple, TrackPolicy policy)
      : sight_(std::move(sight)),
        tuple_(std::move(tuple)),
        policy_(std::move(policy)),
        columns_(ColumnsOf(tuple_)) {}

  std::vector<double> SharesOf(const EpisodeState& episode,
                               std::span<const int> actions) const override {
    const Evaluation said = Ask(episode);
    const std::span<const float> logs = said.log_probabilities[0];
    std::vector<double> shares;
    for (const int action : actions) shares.push_back(ShareOf(action, logs));
    double sum = 0;
    for (const double share : shares) sum += share;
    for (double& share : shares) {
      if (share == 0) share = sum / static_cast<double>(shares.size());
    }
    return Normalised(std::move(shares));
  }

 private:
  // Returns the columns by action; -1 for actions without a head.
  static std::vector<int> ColumnsOf(const ActionTuple& tuple) {
    std::vector<int> columns(static_cast<size_t>(tuple.actions()), -1);
    for (int head = 0; head < tuple.heads().heads(); ++head) {
      for (int value = 1; value < tuple.heads().choices(head); ++value) {
        columns[static_cast<size_t>(tuple.action(head, value))] = tuple.heads().first(head) + value;
      }
    }
    return columns;
  }

  static std::vector<double> Normalised(std::vector<double> shares) {
    double sum = 0;
    for (double& share : shares) sum += share = std::max(share, kLeastShare);
    for (double& share : shares) share /= sum;
    return shares;
  }

  Evaluation Ask(const EpisodeState& episode) const {
    RowBatch rows(sight_.size(), 1);
    sight_.Write(episode, rows[0]);
    policy_.inputs.Apply(rows);
    std::vector<int8_t> legal(static_cast<size_t>(tuple_.actions()));
    episode.WriteMask(legal);
    MaskBatch masks(tuple_.heads().columns(), 1);
    tuple_.WriteMask(legal, masks[0]);
    return policy_.ppo.network().Evaluate(rows, masks);
  }

  // Returns 0 for actions without a head.
  double ShareOf(int action, std::span<const float> logs) const {
    if (action == kNextSketchAction) return 0;
    if (action != kStopAction) {
      const int column = columns_[static_cast<size_t>(action)];
      SG_CHECK(column >= 0, "a move of a head");
      return std::exp(static_cast<double>(logs[static_cast<size_t>(column)]));
    }
    double stay = 0;
    for (int head = 0; head < tuple_.heads().heads(); ++head) {
      stay += static_cast<double>(logs[static_cast<size_t>(tuple_.heads().first(head))]);
    }
    return std::exp(stay);
  }

  PolicyFeatures sight_;
  ActionTuple tuple_;
  TrackPolicy policy_;
  std::vector<int> columns_;
};

HarlIdentity IdentityOf(const PolicyFeatures& sight, const ActionTuple& tuple,
                        const SearchSpace& space, const Task& task) {
  HarlIdentity identity;
  identity.policy = PolicyKind(sight, tuple, space, task.target);
  return identity;
}

TrainedActions Read(const PolicyFile& file, const SearchSpace& space,
                    const std::shared_ptr<const Task>& task) {
  const Checkpoint checkpoint = ReadHarlCheckpoint(file.path);
  const PolicyShape shape = ReadShape(checkpoint);
  std::shared_ptr<const ActionSpace> actions =
      MakeModifySpace("modify", space, {task}, {ModifyStart::kOrigin, shape.moves});
  int knobs = shape.knobs;
  for (const Sketch& sketch : RequiredSketches(space, task, "prior=policy")) {
    knobs = std::max(knobs, sketch.knobs->dimensions());
  }
  PolicyFeatures sight(knobs);
  ActionTuple tuple(actions->Groups());
  HarlOptions options;
  options.hidden = file.hidden;
  TrackPolicy policy = MakeTrackPolicy(sight, tuple, options, Rng(0));
  StartFrom(checkpoint, IdentityOf(sight, tuple, space, *task), policy);
  return {std::move(actions), std::make_shared<const HarlPolicy>(std::move(sight), std::move(tuple),
                                                                 std::move(policy))};
}

}  // namespace

TrainedActions ReadHarlPolicy(const PolicyFile& file, const SearchSpace& space,
                              const std::shared_ptr<const Task>& task) {
  UseOneTorchThread();
  return OfPolicyFile(
      file.path, [&] { return Read(file, space, task); }, "mcts");
}

}  // namespace schedulegym
