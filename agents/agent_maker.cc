#include "agents/agent_maker.h"

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::unique_ptr<Agent> MakeOf(const std::string& kind, const std::vector<AgentEntry>& entries,
                              const AgentContext& context) {
  std::vector<std::string> known;
  for (const AgentEntry& entry : entries) {
    known.push_back(entry.name);
    if (entry.name != context.setup.agent.name) continue;
    std::unique_ptr<Agent> made = entry.make(context);
    if (made == nullptr) throw InputError(kind + " " + entry.name + ": its maker gave none");
    return made;
  }
  throw InputError(UnknownName(kind, context.setup.agent.name, known));
}

}  // namespace

std::unique_ptr<Agent> AgentMaker::Make(const AgentContext& context) const {
  return MakeOf("agent", agents_, context);
}

std::unique_ptr<Agent> AgentMaker::MakeRefiner(const AgentContext& context) const {
  return MakeOf("refiner", refiners_, context);
}

AgentContext WithSetup(const AgentContext& context, const AgentSetup& setup) {
  return {setup,         context.space, context.rng, context.maker,
          context.clock, context.stop,  context.say};
}

// A single task has the agent's stream to itself.
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
