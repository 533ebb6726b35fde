// SchedulerModelState: the state of a task scheduler between turns, as text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/model_state_file.h"

namespace schedulegym {

// With equal curves, a scheduler that loads it makes the same choices as the one that saved it,
// random ones included. It is valid for one search's tasks in their order.
class SchedulerModelState : public ModelState {
 public:
  // Returns the state as JSON, or nullopt; and restores it, which throws InputError or errors of
  // the JSON library.
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
