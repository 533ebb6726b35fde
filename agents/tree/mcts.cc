#include "agents/tree/mcts.h"

#include <utility>

#include "agents/tree/mcts_options.h"
#include "agents/tree/walk_place.h"
#include "env/base/fault.h"
#include "env/gym/construct_space.h"
#include "env/gym/modify_space.h"

namespace schedulegym {
namespace {

// Where trees begin, and how many decisions a descent has, at most.
struct Beginning {
  std::shared_ptr<const TreePlace> root;
  int decisions = 0;
};

Beginning BeginningOf(const MctsOptions& options, SearchGround& ground) {
  if (options.actions == TreeActions::kDecisions) {
    const std::vector<Sketch> sketches = ground.space.Sketches(ground.task);
    return {FirstDecision(sketches, options.order), MostDecisions(sketches)};
  }
  const bool is_modify = options.actions == TreeActions::kModify;
  std::shared_ptr<const ActionSpace> actions =
      is_modify ? MakeModifySpace("modify", ground.space, {ground.task}, {ModifyStart::kOrigin})
                : MakeConstructSpace({"construct", {}});
  const WalkBounds bounds = {options.depth, is_modify};
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

std::unique_ptr<DecisionSearch> MakeSearch(const MctsOptions& options, SearchGround ground) {
  auto [root, decisions] = BeginningOf(options, ground);
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
  const MctsOptions options = ReadMctsOptions(context.setup.agent);
  RefuseOtherSpaces(options, context.space);
  return MakeDecisionAgent(
      options.agent, [options](const SearchGround& ground) { return MakeSearch(options, ground); },
      context);
}

}  // namespace schedulegym
