#include "spaces/schedulegym/map_nest.h"

#include <algorithm>

#include "spaces/work.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostUnrolledCopies = 16;

}  // namespace

void ApplyMap(Draft& draft, int stage, const MapPlan& plan) {
  if (!draft.ok() || draft.stage(stage).loops.empty()) return;
  const int last = draft.stage(stage).loops.back().node;
  const auto parts = draft.Split(stage, last, {plan.vector});
  if (plan.vector > 1) draft.Vectorize(stage, parts[1]);
  if (plan.unroll_step > 0) draft.Do(Pragma{{stage}, "auto_unroll_max_step", plan.unroll_step});
  if (plan.parallel) ParallelizeOuter(draft, stage, 1);
}

void FinishBlock(Draft& draft, int stage, const MapPlan& plan, const std::vector<int>& outer) {
  if (!draft.ok() || draft.stage(stage).loops.size() <= outer.size()) return;
  const StageLoop last = draft.stage(stage).loops.back();
  if (plan.vector > 1) {
    const auto parts = draft.Split(stage, last.node, {plan.vector});
    draft.Vectorize(stage, parts[1]);
  }
  const std::vector<StageLoop> loops = draft.stage(stage).loops;
  int64_t copies = 1;
  for (size_t i = loops.size(); i-- > outer.size();) {
    const bool reduction = draft.stage(stage).nodes[loops[i].node].reduction;
    if (reduction || loops[i].annotation == Annotation::kVectorize) continue;
    copies *= draft.Extent(stage, loops[i].node);
    if (copies > kMostUnrolledCopies) break;
    draft.Unroll(stage, loops[i].node);
  }
}

}  // namespace schedulegym
