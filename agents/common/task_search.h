// TaskSearch: a search of one task, and the agent that gives each task of a run one of its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/agent.h"

namespace schedulegym {

class TaskSearch {
 public:
  virtual ~TaskSearch() = default;

  // As an agent's, of the one task.
  virtual std::vector<Proposal> Propose(int count) = 0;
  virtual void Learn(std::span<const Trial> trials) = 0;
};

// The chance is the task's own: what it proposes does not depend on what becomes of other tasks.
using TaskSearchMaker =
    std::function<std::unique_ptr<TaskSearch>(const std::shared_ptr<const Task>& task, Rng rng)>;
// Asks the maker for each task of the setup, at once.
std::unique_ptr<Agent> MakeAgentOfSearches(const AgentContext& context,
                                           const TaskSearchMaker& maker);

// A schedule with its speed: the middle of its ratio to the reference.
struct RatedState {
  ScheduleState state;
  Key key;
  double speed = 0;
};

// None where it failed, or where nothing is known of it.
std::optional<RatedState> RatingOf(const Trial& trial);

}  // namespace schedulegym
