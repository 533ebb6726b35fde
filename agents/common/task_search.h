// TaskSearch: a search of one task, and the agent that makes one for each task of a run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/agent.h"

namespace schedulegym {

// A search algorithm for one task. MakeAgentOfSearches makes an agent of them.
//
// Example: proposes random schedules, and keeps the fastest.
// @code
// class KeepsBest : public TaskSearch {
//  public:
//   KeepsBest(FreshSchedules fresh, Rng rng) : fresh_(std::move(fresh)), rng_(rng) {}
//
//   std::vector<Proposal> Propose(int) override {
//     const std::optional<Proposal> next = fresh_.Draw(rng_);
//     return next ? std::vector{*next} : std::vector<Proposal>();
//   }
//
//   void Learn(std::span<const Trial> trials) override {
//     for (const Trial& trial : trials) {
//       fresh_.Learn(trial);
//       const std::optional<RatedState> rated = RatingOf(trial);
//       if (rated && (!best_ || rated->speed > best_->speed)) best_ = rated;
//     }
//   }
//
//  private:
//   FreshSchedules fresh_;
//   Rng rng_;
//   std::optional<RatedState> best_;
// };
//
// std::unique_ptr<Agent> MakeKeepsBest(const AgentContext& context) {
//   return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
//     return std::make_unique<KeepsBest>(FreshSchedules(context, task, 1000), rng);
//   });
// }
// @endcode
class TaskSearch {
 public:
  virtual ~TaskSearch() = default;

  // As Agent::Propose and Agent::Learn, for the one task.
  virtual std::vector<Proposal> Propose(int count) = 0;
  virtual void Learn(std::span<const Trial> trials) = 0;
};

// Makes the search of a task. `rng` is the task's own stream, so that its proposals do not depend
// on other tasks.
using TaskSearchMaker =
    std::function<std::unique_ptr<TaskSearch>(const std::shared_ptr<const Task>& task, Rng rng)>;
// Calls the maker for each task of the setup, in the constructor.
std::unique_ptr<Agent> MakeAgentOfSearches(const AgentContext& context,
                                           const TaskSearchMaker& maker);

// A schedule with its speed: the median of its ratio to the reference.
struct RatedState {
  ScheduleState state;
  Key key;
  double speed = 0;
};

// nullopt where the trial failed or has no record.
std::optional<RatedState> RatingOf(const Trial& trial);

}  // namespace schedulegym
