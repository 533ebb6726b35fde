// ActionSpace: which actions lead through the schedules of a task, and where a walk begins.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/gym/actions/action_group.h"
#include "env/gym/actions/walk.h"
#include "env/program/task.h"

namespace schedulegym {

// Threads may ask at once.
class ActionSpace {
 public:
  virtual ~ActionSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // Every action once, in order.
  const std::vector<ActionGroup>& Groups() const { return groups_; }

  // Actions are 0 to size() - 1.
  int size() const { return groups_.empty() ? 0 : groups_.back().first + groups_.back().count; }

  // A line for each group of actions that belong together: its numbers and what they do.
  virtual std::string Menu() const = 0;

  // Where an episode begins.
  virtual std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const = 0;

  // A walk at a point of a sketch; kIllegal with the reason where it is none of this space's, or no
  // schedule. Of spaces whose walks have no knobs there is none.
  virtual Result<std::unique_ptr<Walk>> From(const std::shared_ptr<const Task>& task, int sketch,
                                             const KnobPoint& point) const;

  // The walk whose ToText this is; kParse or kIllegal with the reason where there is none.
  virtual Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const = 0;

 protected:
  std::vector<ActionGroup> groups_;  // set by those who derive, once
};

// The legal action that a walk describes so; none if there is none.
std::optional<int> FindAction(const ActionSpace& space, const Walk& walk, std::string_view text);

// The legal actions of a walk, rising.
std::vector<int> LegalActions(const ActionSpace& space, const Walk& walk);

}  // namespace schedulegym
