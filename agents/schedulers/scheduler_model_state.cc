#include "agents/schedulers/scheduler_model_state.h"

#include <utility>

#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/model_state_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Names without weights: another network may run its tasks more often.
std::vector<std::string> NamesOf(const SchedulerContext& context) {
  std::vector<std::string> names;
  for (const ScheduledTask& task : context.tasks) {
    names.push_back(FormatDouble(task.flops) + " " + task.tag);
  }
  return names;
}

}  // namespace

SchedulerModelState::SchedulerModelState(std::string kind, const SchedulerContext& context,
                                         Saver save, Loader load)
    : kind_(std::move(kind)),
      tasks_(NamesOf(context)),
      save_(std::move(save)),
      load_(std::move(load)) {}

std::optional<std::string> SchedulerModelState::Save() {
  const std::optional<std::string> state = save_();
  if (!state) return std::nullopt;
  return Json::Object({{"tasks", tasks_}, {"state", ParseJson(*state).value()}}).ToText();
}

void SchedulerModelState::Load(std::string_view text) {
  const std::string source = "memory of scheduler '" + kind_ + "': ";
  if (const auto beyond = BeyondLimits(text)) throw InputError(source + *beyond);
  const std::string unknown = source + "found no state that a scheduler saved";
  const Result<Json> json = ParseJson(text);
  if (!json) throw InputError(unknown);
  try {
    const auto tasks = (*json)["tasks"].As<std::vector<std::string>>();
    if (tasks != tasks_) {
      throw InputError(source + "it is of other tasks: found " + std::to_string(tasks.size()) +
                       ", expected the same " + std::to_string(tasks_.size()) +
                       " in the same order");
    }
    load_((*json)["state"].ToText());
  } catch (const JsonError&) {
    throw InputError(unknown);
  }
}

void SchedulerModelState::Read(const std::string& path) {
  if (!path.empty()) Load(ReadModelState(path, kModelFile, {kind_}).text);
}

}  // namespace schedulegym
