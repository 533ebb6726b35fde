// Makes a tree search from options (mcts_options.h): trees over decisions (decision_place.h), or
// over actions of `modify` or `construct`, at most `depth` of them, with a uniform, model or policy
// prior; values from a model, from measurements, or ProTuner's scheme. Places of episodes fork the
// episode under a mutex, as rollouts come from several threads. They never lead back to a place on
// their path; their keys include the actions left. Cost: one action a step; memory one episode
// state a node.
#include "agents/mcts/mcts.h"

#include <mutex>
#include <utility>
#include <vector>

#include "agents/mcts/mcts_options.h"
#include "env/base/fault.h"
#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"

namespace schedulegym {
namespace {

// The root of the trees, and the most decisions of a descent.
struct Beginning {
  std::shared_ptr<const TreePlace> root;
  int decisions = 0;
};

// Adds the prior of a policy to the options if they name one.
Beginning BeginningOf(MctsOptions& options, DecisionSearchContext& ground,
                      const PolicyReader& reader) {
  if (options.actions == TreeActions::kDecisions) {
    const std::vector<Sketch> sketches = ground.space.Sketches(ground.task);
    return {FirstDecision(sketches, options.order), MostDecisions(sketches)};
  }
  const EpisodeBounds bounds = {options.depth, options.actions == TreeActions::kModify};
  if (options.policy) {
    TrainedActions trained = reader(*options.policy, ground.space, ground.task);
    options.visitor.prior =
        options.measured.prior = [](const TreePlace& place) { return place.Prior(); };
    return {FirstStep(std::move(trained.actions), ground.task, bounds, ground.rng,
                      std::move(trained.policy)),
            options.depth};
  }
  std::shared_ptr<const ActionSpace> actions =
      bounds.completes_early
          ? MakeModifySpace("modify", ground.space, {ground.task}, {ModifyStart::kOrigin})
          : MakeConstructSpace({"construct", {}});
  return {FirstStep(std::move(actions), ground.task, bounds, ground.rng), options.depth};
}

// A recorded table can measure recorded schedules only, and few episodes of `construct` end in one.
void RefuseOtherSpaces(const MctsOptions& options, const SearchSpace& space) {
  const std::string name = space.Name().substr(0, space.Name().find('('));
  if (options.actions != TreeActions::kConstruct || name == "schedulegym" || name == "ansor")
    return;
  throw InputError("agent mcts: actions=construct in the space '" + space.Name() +
                   "', expected schedulegym or ansor");
}

std::unique_ptr<DecisionSearch> MakeSearch(MctsOptions options, DecisionSearchContext ground,
                                           const PolicyReader& reader) {
  auto [root, decisions] = BeginningOf(options, ground, reader);
  switch (options.form) {
    case MctsForm::kModel: {
      auto visitor =
          std::make_unique<TreeVisitor>(Forked(ground), std::move(root), options.visitor);
      return std::make_unique<RoundSearch>(ground, options.round, std::move(visitor));
    }
    case MctsForm::kMeasured: return std::make_unique<MeasuredTree>(ground, root, options.measured);
    case MctsForm::kProtuner:
      return std::make_unique<ProtunerSearch>(ground, std::move(root), decisions, options.protuner);
  }
  return nullptr;
}

// State shared by all places of a tree.
struct Ground {
  std::shared_ptr<const ActionSpace> actions;
  EpisodeBounds bounds;
  std::shared_ptr<const ActionPolicy> policy;  // null: no prior
};

class EpisodePlace : public TreePlace, public std::enable_shared_from_this<EpisodePlace> {
 public:
  // `before`: the place before the action; null at the start.
  EpisodePlace(std::shared_ptr<const Ground> ground, std::unique_ptr<EpisodeState> episode,
               std::shared_ptr<const EpisodePlace> before)
      : ground_(std::move(ground)),
        episode_(std::move(episode)),
        before_(std::move(before)),
        steps_(before_ ? before_->steps_ + 1 : 0),
        key_(PlaceKey(*episode_)) {
    if (Left() > 0) ways_ = LegalActions(*ground_->actions, *episode_);
  }

  int choices() const override { return static_cast<int>(ways_.size()); }

  std::shared_ptr<const TreePlace> After(int choice) const override {
    const int action = ways_[choice];
    if (action == kStopAction) return Ended();
    std::unique_ptr<EpisodeState> episode = Fork();
    if (!episode->Act(action)) return nullptr;
    if (WasAt(PlaceKey(*episode))) return nullptr;
    return std::make_shared<EpisodePlace>(ground_, std::move(episode), shared_from_this());
  }

  Result<ScheduleState> Complete(Rng& rng) const override {
    std::unique_ptr<EpisodeState> episode = Fork();
    int64_t left = choices() > 0 ? Left() : 0;
    if (ground_->bounds.completes_early) left = rng.Below(left + 1);
    for (; left > 0; --left) {
      std::vector<int> legal = LegalActions(*ground_->actions, *episode);
      std::erase(legal, kStopAction);
      if (legal.empty()) break;
      if (!episode->Act(legal[rng.Below(std::ssize(legal))])) break;
    }
    return episode->state();
  }

  // The key includes the actions left: more actions reach more places.
  Key key() const override {
    Hasher hasher;
    hasher.Add(key_.high);
    hasher.Add(key_.low);
    hasher.Add(static_cast<uint64_t>(is_ended_ ? 0 : 1 + Left()));
    return hasher.KeyValue();
  }

  std::string Word(int choice) const override {
    if (ways_[choice] == kStopAction) return "stop";
    const std::lock_guard lock(mutex_);
    return episode_->Describe(ways_[choice]).value();
  }

  std::vector<double> Prior() const override {
    if (!ground_->policy) return {};
    const std::lock_guard lock(mutex_);
    return ground_->policy->SharesOf(*episode_, ways_);
  }

 private:
  int Left() const { return ground_->bounds.depth - steps_; }

  // Returns the same place after stop.
  std::shared_ptr<const EpisodePlace> Ended() const {
    auto ended = std::make_shared<EpisodePlace>(ground_, Fork(), before_);
    ended->ways_.clear();
    ended->is_ended_ = true;
    return ended;
  }

  // An episode is used by one thread at a time; rollouts of a tree come from several.
  std::unique_ptr<EpisodeState> Fork() const {
    const std::lock_guard lock(mutex_);
    return episode_->Fork();
  }

  bool WasAt(const Key& key) const {
    for (const EpisodePlace* place = this; place != nullptr; place = place->before_.get()) {
      if (place->key_ == key) return true;
    }
    return false;
  }

  std::shared_ptr<const Ground> ground_;
  std::unique_ptr<EpisodeState> episode_;
  std::shared_ptr<const EpisodePlace> before_;
  int steps_ = 0;
  Key key_;
  std::vector<int> ways_;
  bool is_ended_ = false;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context) {
  return MakeMctsAgent(context, nullptr);
}

std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context, const PolicyReader& policies,
                                     const NetworkReader& networks) {
  MctsOptions options = ReadMctsOptions(context.setup.agent);
  if (options.agent.model) options.agent.model->network = networks;
  RefuseOtherSpaces(options, context.space);
  if (options.policy && !policies) {
    throw MachineError("agent mcts: prior=policy needs LibTorch, which is not to be had here");
  }
  // Throws for errors before the search starts.
  for (const SearchTask& task : context.setup.tasks) {
    if (options.policy) policies(*options.policy, context.space, task.task);
  }
  return MakeDecisionAgent(
      options.agent,
      [options, policies](const DecisionSearchContext& ground) {
        return MakeSearch(options, ground, policies);
      },
      context);
}

std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const EpisodeBounds& bounds, Rng& rng,
                                           std::shared_ptr<const ActionPolicy> policy) {
  std::unique_ptr<EpisodeState> episode = actions->Start(task, rng);
  auto ground =
      std::make_shared<const Ground>(Ground{std::move(actions), bounds, std::move(policy)});
  return std::make_shared<EpisodePlace>(std::move(ground), std::move(episode), nullptr);
}

}  // namespace schedulegym
