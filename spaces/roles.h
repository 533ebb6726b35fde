// Role: the class of a stage that determines how it is scheduled.
#pragma once

#include <optional>
#include <vector>

#include "env/schedule/state.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

enum class Role {
  kInput,
  kMap,    // no reduction
  kHeavy,  // a reduction that reads the same elements many times, or has a vector dimension
  kRow,    // a reduction along contiguous memory that reads each element about once
};
Role RoleOf(const ScheduleState& state, int stage);

// Dimensions of results that can be vectorized: along them every read is contiguous, or one element
// for all lanes, or can be copied into such a layout.
std::vector<int> VectorDimensions(const ScheduleState& state, const NestFacts& facts);

// The stage of the partial results (rfactor) that this stage adds up, if computing them reads
// elements many times. -1 if there is none and for partial results themselves.
int HeavyPartials(const ScheduleState& state, int stage);

// True if the stage copies elements one by one, without arithmetic or a select between elements.
bool IsCopy(const StageOp& op);
// True if the stage calls exp, tanh, pow or similar, or divides floating-point values.
bool CallsFunctions(const StageOp& op);

// The only reader (through inlined stages), if it reads element for element over the same axes and
// at most one of both is a reduction.
std::optional<int> MatchedReader(const ScheduleState& state, int stage);

// The only reader of a reduction, if it is a map over the same axes that reads it element for
// element; else -1.
int MatchedConsumer(const ScheduleState& state, int stage);

// By stage: the number of leading dimensions that it shares with `anchor` along every path of its
// readers to the anchor. -1 if some path does not end there, or if the stage is an input, an output
// or not at the root.
std::vector<int> CommonRows(const ScheduleState& state, int anchor);

}  // namespace schedulegym
