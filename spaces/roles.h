// Role: what part a stage plays in a schedule.
#pragma once

#include <optional>
#include <vector>

#include "env/schedule/state.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

enum class Role {
  kInput,
  kMap,    // no reduction
  kHeavy,  // a reduction that reads the same elements again and again, or works along vectors
  kRow,    // a reduction along contiguous memory that reads each element once or so
};
Role RoleOf(const ScheduleState& state, int stage);

// Dimensions of results along which vectors may lie: every read is of neighbours, or of one element
// for all lanes, or can be copied so.
std::vector<int> VectorDimensions(const ScheduleState& state, const NestFacts& facts);

// The stage of the partial results (rfactor) that this one adds up, where computing them reads
// elements again and again; -1 for none, and for what is a partial result itself.
int HeavyPartials(const ScheduleState& state, int stage);

// The stage copies elements, one each, without arithmetic; a select between them is none.
bool IsCopy(const StageOp& op);
// Calls exp, tanh, pow and the like.
bool CallsFunctions(const StageOp& op);

// The one stage that reads it, through inlined ones, if it reads element for element over the same
// axes and not both reduce.
std::optional<int> MatchedReader(const ScheduleState& state, int stage);

// The one reader of a reduction, if it is a map of the same axes that reads it element for element;
// -1 otherwise.
int MatchedConsumer(const ScheduleState& state, int stage);

// Of each stage: how many of its leading dimensions are those of `anchor`, along every way that its
// values take to the anchor; -1 where some way does not lead there, the stage is an output, or
// stands elsewhere.
std::vector<int> CommonRows(const ScheduleState& state, int anchor);

}  // namespace schedulegym
