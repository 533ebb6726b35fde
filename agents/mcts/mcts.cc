#include "agents/mcts/mcts.h"

#include <utility>

#include "agents/mcts/mcts_options.h"
#include "agents/mcts/walk_place.h"
#include "env/base/fault.h"
#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"

namespace schedulegym {
namespace {

// Where trees begin, and how many decisions a descent has, at most.
struct Beginning {
  std::shared_ptr<const TreePlace> root;
  int decisions = 0;
};

// Completes the options by a policy's prior, where they ask for one.
Beginning BeginningOf(MctsOptions& options, SearchGround& ground, const PolicyReader& reader) {
  if (options.actions == TreeActions::kDecisions) {
    const std::vector<Sketch> sketches = ground.space.Sketches(ground.task);
    return {FirstDecision(sketches, options.order), MostDecisions(sketches)};
  }
  const WalkBounds bounds = {options.depth, options.actions == TreeActions::kModify};
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

// Of a recorded table only what stands in it can be measured, and hardly a walk of `construct` ends
// there.
void RefuseOtherSpaces(const MctsOptions& options, const SearchSpace& space) {
  const std::string name = space.Name().substr(0, space.Name().find('('));
  if (options.actions != TreeActions::kConstruct || name == "schedulegym" || name == "ansor")
    return;
  throw InputError("agent mcts: actions=construct in the space '" + space.Name() +
                   "', expected schedulegym or ansor");
}

std::unique_ptr<DecisionSearch> MakeSearch(MctsOptions options, SearchGround ground,
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

}  // namespace

std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context) {
  return MakeMctsAgent(context, nullptr);
}

std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context, const PolicyReader& reader) {
  const MctsOptions options = ReadMctsOptions(context.setup.agent);
  RefuseOtherSpaces(options, context.space);
  if (options.policy && !reader) {
    throw MachineError("agent mcts: prior=policy needs LibTorch, which is not to be had here");
  }
  // What is wrong with it is said before anything is searched.
  for (const SearchTask& task : context.setup.tasks) {
    if (options.policy) reader(*options.policy, context.space, task.task);
  }
  return MakeDecisionAgent(
      options.agent,
      [options, reader](const SearchGround& ground) { return MakeSearch(options, ground, reader); },
      context);
}

}  // namespace schedulegym
