// ActionSpace: which actions lead through the schedules of a task, and where a walk begins.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/gym/walk.h"
#include "env/program/task.h"

namespace schedulegym {

// Threads may ask at once.
class ActionSpace {
 public:
  virtual ~ActionSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // Actions are 0 to size() - 1.
  virtual int size() const = 0;

  // A line for each group of actions that belong together: its numbers and what they do.
  virtual std::string Menu() const = 0;

  // Where an episode begins.
  virtual std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const = 0;

  // The walk whose ToText this is; kParse or kIllegal with the reason where there is none.
  virtual Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const = 0;
};

// The legal action that a walk describes so; none if there is none.
std::optional<int> FindAction(const ActionSpace& space, const Walk& walk, std::string_view text);

// The legal actions of a walk, rising.
std::vector<int> LegalActions(const ActionSpace& space, const Walk& walk);

}  // namespace schedulegym
