// SchedulerModelState: what a task scheduler keeps from turn to turn, as a text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/model_state_file.h"

namespace schedulegym {

// A scheduler that loads it chooses, at equal curves, what the one that saved it would have chosen:
// its chance goes on, too. It is of one search's tasks, in their order, and of no others.
class SchedulerModelState : public ModelState {
 public:
  // The state as JSON, or none while there is none; and what takes it back, which throws InputError
  // or what the JSON library throws.
  using Saver = std::function<std::optional<std::string>()>;
  using Loader = std::function<void(const std::string& state)>;

  // `kind` is that of Memory, "swucb 1".
  SchedulerModelState(std::string kind, const SchedulerContext& context, Saver save, Loader load);

  std::string Kind() const override { return kind_; }
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

  // Of a file of tune --save-model, the part of this kind; no path: nothing. Throws InputError.
  void Read(const std::string& path);
  // There is nothing to learn about one task.
  ModelState* IfSeveral() { return tasks_.size() > 1 ? this : nullptr; }

 private:
  std::string kind_;
  std::vector<std::string> tasks_;  // by what the scheduler knows of each
  Saver save_;
  Loader load_;
};

}  // namespace schedulegym
