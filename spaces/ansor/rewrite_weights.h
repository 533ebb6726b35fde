// RewriteWeights: stores each weight in the order in which the tiled loops of its reader read it.
#pragma once

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Ansor's layout rewrite (TVM 0.16, ComputeDAG::RewriteLayout), which it makes of a schedule that
// is complete. Of each weight that one tiled reduction reads, dimensions are cut where that nest
// cuts them, and ordered as its loops are. The original cuts a dimension once a level; here once,
// at the loops of the inner tile, which keeps a tile's elements together all the same.
//
//   before                                after
//   for oc.0, ic.0, y, oc.1, ic.1, oc.2   pack(stage=W, readers=[C], tile=[ic.1, oc.1 * oc.2],
//     C[y, oc] += X[y, ic] * W[ic, oc]         order=[2, 0, 1, 3])
Result<ScheduleState> RewriteWeights(ScheduleState state);

// The trace without what RewriteWeights added.
Trace WithoutRewrites(const ScheduleState& state);

}  // namespace schedulegym
