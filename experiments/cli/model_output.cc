#include "experiments/cli/model_output.h"

#include <optional>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/lone_agent.h"
#include "env/base/fault.h"
#include "env/base/memory_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::vector<std::string> AgentsThatLearn(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const AgentEntry& entry : BuiltinAgents()) {
    if (LoneAgent({entry.name, {}}, space, {}, Rng(0)).memory()) names.push_back(entry.name);
  }
  return names;
}

// There will be something to write.
Memory& MemoryOf(Agent& agent, const std::string& name, const SearchSpace& space) {
  if (agent.memory() != nullptr) return *agent.memory();
  throw InputError(
      "--save-model: agent " + name +
      " trains no cost model; expected one that does: " + Join(AgentsThatLearn(space), ", "));
}

}  // namespace

ModelOutput::ModelOutput(const std::string& path, Agent& agent, const std::string& name,
                         const SearchSpace& space)
    : memory_(MemoryOf(agent, name, space)), file_(path) {}

void ModelOutput::Save(Report& report, int64_t schedules) {
  const std::optional<std::string> text = memory_.Save();
  if (!text) {
    report.Warn("the agent has learned nothing, or was ended as it thought: '" + file_.path() +
                "' is not written");
    return;
  }
  file_.Write(ToBytes({memory_.Kind(), *text}));
  file_.Commit();
  report.Note("what was learned (" + memory_.Kind() + "), " + std::to_string(schedules) +
              " schedules seen, in '" + file_.path() + "'");
}

}  // namespace schedulegym
