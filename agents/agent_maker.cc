#include "agents/agent_maker.h"

#include "env/base/fault.h"

namespace schedulegym {
namespace {

std::unique_ptr<Agent> MakeOf(const AgentRegistry& registry, const AgentContext& context) {
  const Spec& spec = context.setup.agent;
  std::unique_ptr<Agent> made = registry.Find(spec)(context);
  if (made != nullptr) return made;
  throw InputError(registry.kind() + " " + spec.name + ": its maker gave none");
}

}  // namespace

std::unique_ptr<Agent> AgentMaker::Make(const AgentContext& context) const {
  return MakeOf(agents_, context);
}

std::unique_ptr<Agent> AgentMaker::MakeRefiner(const AgentContext& context) const {
  return MakeOf(refiners_, context);
}

AgentContext WithSetup(const AgentContext& context, const AgentSetup& setup) {
  return {setup,         context.space, context.rng, context.maker,
          context.clock, context.stop,  context.say};
}

// A single task uses the agent's whole stream.
Rng DrawAgentStream(int tasks, Rng& run) {
  if (tasks == 1) return run.Split();
  const Rng stream = run;
  for (int i = 0; i < tasks; ++i) run.Split();
  return stream;
}

std::vector<Rng> TaskStreams(const AgentContext& context) {
  Rng rng = context.rng;
  if (context.setup.tasks.size() == 1) return {rng};
  std::vector<Rng> streams;
  for (size_t i = 0; i < context.setup.tasks.size(); ++i) streams.push_back(rng.Split());
  return streams;
}

}  // namespace schedulegym
