#include "assembly/learned_output.h"

#include <optional>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/task_scheduler.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kSearchKind = "search 1";

// By default or by an option. Of hosted agents, which are not started for this, it is `harl`.
std::vector<std::string> AgentsThatLearn(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const auto& entry : BuiltinAgents()) {
    if (SingleTaskAgent({entry.name, {}}, space, {}, Rng(0)).memory()) names.push_back(entry.name);
  }
  names.insert(names.end(), {"autotvm(features=ansor)", "harl"});
  return names;
}

std::vector<std::string> SchedulersThatLearn() {
  const SchedulerContext two = {.tasks = std::vector<ScheduledTask>(2)};
  std::vector<std::string> names;
  for (const auto& entry : BuiltinTaskSchedulers()) {
    if (entry.make({entry.name, {}}, two)->memory()) names.push_back(entry.name);
  }
  return names;
}

// There will be something to write.
const Learners& ThatLearn(const std::string& option, const Learners& learners) {
  if (learners.agent != nullptr || learners.scheduler != nullptr) return learners;
  throw InputError(option + ": agent " + learners.name +
                   " trains no cost model, nor does the scheduler learn; expected an agent that "
                   "does: " +
                   Join(AgentsThatLearn(learners.space), ", ") +
                   ", or for several tasks a scheduler: " + Join(SchedulersThatLearn(), ", "));
}

std::vector<SavedModelState> PartsOf(const Learners& learners) {
  std::vector<SavedModelState> parts;
  for (ModelState* memory : {learners.agent, learners.scheduler}) {
    if (memory == nullptr) continue;
    if (const auto text = memory->Save()) parts.push_back({memory->Kind(), *text});
  }
  return parts;
}

// Schedules that could be learned from, known ones included.
int64_t LessonsIn(const std::vector<DoneEvent>& done) {
  int64_t lessons = 0;
  for (const DoneEvent& event : done) {
    lessons += event.known + event.ok;
    for (const auto& [outcome, count] : event.failed) lessons += MayLearnFrom(outcome) ? count : 0;
  }
  return lessons;
}

}  // namespace

LearnedOutput::LearnedOutput(const std::string& option, const std::string& path,
                             const Learners& learners)
    : learners_(ThatLearn(option, learners)), file_(path, KeptFile::kLearned) {}

SavedLearning LearnedOutput::Save(const std::vector<DoneEvent>& done) {
  const std::vector<SavedModelState> parts = PartsOf(learners_);
  if (parts.empty()) {
    return {false, "the agent has learned nothing, or was ended as it thought: '" + file_.path() +
                       "' is not written"};
  }
  std::vector<std::string> kinds;
  for (const SavedModelState& part : parts) kinds.push_back(part.kind);
  file_.Write(
      ToBytes(parts.size() == 1 ? parts[0] : SavedModelState{kSearchKind, JoinModelStates(parts)}));
  file_.Commit();
  return {true, "what was learned (" + Join(kinds, ", ") + "), " + std::to_string(LessonsIn(done)) +
                    " schedules seen, in '" + file_.path() + "'"};
}

}  // namespace schedulegym
