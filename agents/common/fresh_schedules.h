// FreshSchedules: schedules of a task that were not proposed before.
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

// What it gives is admitted by the space, and is given once, unless measuring it had no result.
class FreshSchedules {
 public:
  // So many draws in a row that lead nowhere or to what is known mean that nothing is left. Of the
  // context it has space and stop token; long draws end with Interrupted.
  FreshSchedules(const AgentContext& context, std::shared_ptr<const Task> task, int64_t retries);

  // A draw of the space; none when nothing is left.
  std::optional<Proposal> Draw(Rng& rng);
  // A mutation of the schedule, each as likely as the space makes it; none when no new one is
  // found in so many draws as say that about all were seen.
  std::optional<Proposal> Near(const ScheduleState& state, Rng& rng);
  // One knob of a sketch a step up or down; none where the schedule is no point of one, and as of
  // Near.
  std::optional<Proposal> Adjacent(const ScheduleState& state, Rng& rng);
  // What so many mutations in a row lead to, or where that is known, further ones; with none, the
  // schedule itself where it is new. None when no new one is found.
  std::optional<Proposal> Beyond(ScheduleState state, int64_t mutations, Rng& rng);

  // Whether what somebody else made may be given, as these may, and if not, why; from now on it is
  // known.
  Result<void> Claim(const Proposal& proposal);

  // Those of the space.
  const std::vector<Sketch>& sketches();

  // In the order in which they come.
  void Learn(const Trial& trial);

 private:
  bool IsExhausted() const;

  const SearchSpace& space_;
  StopToken stop_;
  std::shared_ptr<const Task> task_;
  int64_t retries_;
  std::optional<int64_t> limit_;
  std::optional<std::vector<Sketch>> sketches_;  // none: not asked for yet
  std::unordered_set<Key, KeyHash> drawn_;       // here
  std::unordered_set<Key, KeyHash> told_;        // known from elsewhere
};

}  // namespace schedulegym
