#include "agents/schedulers/scheduler_memory.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "env/base/fault.h"
#include "env/base/json_limits.h"
#include "env/base/memory_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

using Json = nlohmann::ordered_json;

// Weights are left out: a network may run its tasks more often than the one that was searched.
std::vector<std::string> NamesOf(const SchedulerContext& context) {
  std::vector<std::string> names;
  for (const ScheduledTask& task : context.tasks) {
    names.push_back(FormatDouble(task.flops) + " " + task.tag);
  }
  return names;
}

}  // namespace

SchedulerMemory::SchedulerMemory(std::string kind, const SchedulerContext& context, Saver save,
                                 Loader load)
    : kind_(std::move(kind)),
      tasks_(NamesOf(context)),
      save_(std::move(save)),
      load_(std::move(load)) {}

std::optional<std::string> SchedulerMemory::Save() {
  const std::optional<std::string> state = save_();
  if (!state) return std::nullopt;
  return Json({{"tasks", tasks_}, {"state", Json::parse(*state)}}).dump();
}

void SchedulerMemory::Load(std::string_view text) {
  const std::string source = "memory of scheduler '" + kind_ + "': ";
  if (const auto beyond = BeyondLimits(text)) throw InputError(source + *beyond);
  try {
    const Json json = Json::parse(text);
    const auto tasks = json.at("tasks").get<std::vector<std::string>>();
    if (tasks != tasks_) {
      throw InputError(source + "it is of other tasks: found " + std::to_string(tasks.size()) +
                       ", expected the same " + std::to_string(tasks_.size()) +
                       " in the same order");
    }
    load_(json.at("state").dump());
  } catch (const nlohmann::json::exception&) {
    throw InputError(source + "found no state that a scheduler saved");
  }
}

void SchedulerMemory::Read(const std::string& path) {
  if (!path.empty()) Load(ReadMemory(path, kModelFile, {kind_}).text);
}

}  // namespace schedulegym
