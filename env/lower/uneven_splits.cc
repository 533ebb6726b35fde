#include "env/lower/uneven_splits.h"

#include <algorithm>

namespace schedulegym {

bool IsUneven(const Stage& stage, const SplitRelation& split) {
  int64_t product = 1;
  for (int64_t length : split.lengths) product *= length;
  return stage.nodes[split.parent].extent % product != 0;
}

int UnevenSplits(const Stage& stage) {
  const auto uneven = [&](const Relation& relation) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    return split != nullptr && IsUneven(stage, *split);
  };
  return static_cast<int>(std::count_if(stage.relations.begin(), stage.relations.end(), uneven));
}

}  // namespace schedulegym
