#include "agents/common/niche.h"

#include <set>

namespace schedulegym {

Key NicheOf(const ScheduleState& state) {
  Hasher hasher;
  for (const StagePtr& stage : state.stages()) {
    hasher.Add(static_cast<uint64_t>(stage->op->kind));
    hasher.Add(static_cast<uint64_t>(stage->op->source));
    hasher.Add(static_cast<uint64_t>(stage->location));
    if (stage->location != Location::kAt) continue;
    hasher.Add(static_cast<uint64_t>(stage->target));
    hasher.Add(static_cast<uint64_t>(state.stage(stage->target).FindLoop(stage->target_node)));
  }
  return hasher.KeyValue();
}

std::vector<const MeasuredState*> FirstOfNiches(const std::vector<const MeasuredState*>& order,
                                                int most) {
  std::set<Key> known;
  std::vector<const MeasuredState*> firsts;
  for (const MeasuredState* one : order) {
    if (std::ssize(firsts) == most) break;
    if (known.insert(NicheOf(one->state)).second) firsts.push_back(one);
  }
  return firsts;
}

}  // namespace schedulegym
