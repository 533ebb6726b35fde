#include "experiments/cli/model_output.h"

#include <optional>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/lone_agent.h"
#include "agents/task_scheduler.h"
#include "env/base/fault.h"
#include "env/base/memory_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kSearchKind = "search 1";

std::vector<std::string> AgentsThatLearn(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const AgentEntry& entry : BuiltinAgents()) {
    if (LoneAgent({entry.name, {}}, space, {}, Rng(0)).memory()) names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> SchedulersThatLearn() {
  const SchedulerContext two = {.tasks = std::vector<ScheduledTask>(2)};
  std::vector<std::string> names;
  for (const SchedulerEntry& entry : BuiltinTaskSchedulers()) {
    if (entry.make({entry.name, {}}, two)->memory()) names.push_back(entry.name);
  }
  return names;
}

// There will be something to write.
const Learners& ThatLearn(const Learners& learners, const std::string& name,
                          const SearchSpace& space) {
  if (learners.agent != nullptr || learners.scheduler != nullptr) return learners;
  throw InputError("--save-model: agent " + name +
                   " trains no cost model, nor does the scheduler learn; expected an agent that "
                   "does: " +
                   Join(AgentsThatLearn(space), ", ") +
                   ", or for several tasks a scheduler: " + Join(SchedulersThatLearn(), ", "));
}

std::vector<SavedMemory> PartsOf(const Learners& learners) {
  std::vector<SavedMemory> parts;
  for (Memory* memory : {learners.agent, learners.scheduler}) {
    if (memory == nullptr) continue;
    if (const auto text = memory->Save()) parts.push_back({memory->Kind(), *text});
  }
  return parts;
}

}  // namespace

ModelOutput::ModelOutput(const std::string& path, const Learners& learners, const std::string& name,
                         const SearchSpace& space)
    : learners_(ThatLearn(learners, name, space)), file_(path) {}

void ModelOutput::Save(Report& report, int64_t schedules) {
  const std::vector<SavedMemory> parts = PartsOf(learners_);
  if (parts.empty()) {
    report.Warn("the agent has learned nothing, or was ended as it thought: '" + file_.path() +
                "' is not written");
    return;
  }
  std::vector<std::string> kinds;
  for (const SavedMemory& part : parts) kinds.push_back(part.kind);
  file_.Write(
      ToBytes(parts.size() == 1 ? parts[0] : SavedMemory{kSearchKind, JoinMemories(parts)}));
  file_.Commit();
  report.Note("what was learned (" + Join(kinds, ", ") + "), " + std::to_string(schedules) +
              " schedules seen, in '" + file_.path() + "'");
}

}  // namespace schedulegym
