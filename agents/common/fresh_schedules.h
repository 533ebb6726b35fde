// FreshSchedules: draws schedules of a task that were not proposed before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "agents/agent.h"
#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Returns only schedules that the space admits, each once unless its measurement had no result.
class FreshSchedules {
 public:
  // `retries`: failed or repeated draws in a row after which a space counts as exhausted. Uses the
  // context's space and stop token; long draws throw Interrupted.
  FreshSchedules(const AgentContext& context, std::shared_ptr<const Task> task, int64_t retries);

  // Draws from the space; nullopt if nothing is left.
  std::optional<Proposal> Draw(Rng& rng);
  // Returns a random mutation of the schedule, by the space's probabilities; nullopt if 100 draws
  // find no new one.
  std::optional<Proposal> Near(const ScheduleState& state, Rng& rng);
  // Moves one knob of a sketch one step up or down. nullopt if the schedule is not a point of a
  // sketch, or as for Near.
  std::optional<Proposal> Adjacent(const ScheduleState& state, Rng& rng);
  // Applies `mutations` mutations in a row, then further ones until the schedule is new. With 0,
  // returns the schedule itself if it is new. nullopt if no new one is found.
  std::optional<Proposal> Beyond(ScheduleState state, int64_t mutations, Rng& rng);

  // Marks a schedule from elsewhere as known. Returns why it may not be proposed, if so.
  Result<void> Claim(const Proposal& proposal);

  // The space's sketches of the task.
  const std::vector<Sketch>& sketches();

  // Takes trials in their order.
  void Learn(const Trial& trial);

 private:
  bool IsExhausted() const;

  const SearchSpace& space_;
  StopToken stop_;
  std::shared_ptr<const Task> task_;
  int64_t retries_;
  std::optional<int64_t> limit_;
  std::optional<std::vector<Sketch>> sketches_;  // nullopt until first used
  std::unordered_set<Key, KeyHash> drawn_;       // by this object
  std::unordered_set<Key, KeyHash> told_;        // known from elsewhere
};

}  // namespace schedulegym
