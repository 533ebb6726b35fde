// RowNest: stages that share rows, such as those of a softmax, computed together row by row.
#pragma once

#include <vector>

#include "spaces/schedule_builder.h"
#include "spaces/schedulegym/decision_provider.h"

namespace schedulegym {

// Stages computed within the rows of an anchor.
struct RowGroup {
  int anchor = 0;
  int rows = 0;              // leading axes of the anchor that make a row
  std::vector<int> members;  // consumers before producers, without the anchor
  std::vector<int> depth;    // of each member: axes of the anchor's that it follows, at most `rows`
};

// Empty where no reduction along rows leads to the anchor, or rows are too few for the cores.
// Stages that are `done` have their place already.
RowGroup FindRows(const ScheduleState& state, int anchor, const std::vector<bool>& done);

void ApplyRows(ScheduleBuilder& builder, const RowGroup& group, DecisionProvider& decisions);

// Vectorizes the innermost loop and, if the plan says so, makes outer ones parallel.
void ApplyMap(ScheduleBuilder& builder, int stage, const MapPlan& plan);

// The loops of a stage within its outer ones: the innermost vectorized, short ones around it
// unrolled. Those of a reduction stay.
void FinishBlock(ScheduleBuilder& builder, int stage, const MapPlan& plan,
                 const std::vector<int>& outer);

}  // namespace schedulegym
