// DecisionPlace: a schedule as a sequence of decisions: a sketch, then its knobs one by one.
#pragma once

#include <memory>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "env/search/search_space.h"

namespace schedulegym {

// The order in which the knobs of a sketch are decided. kOutputsFirst: stage by stage, outputs
// first (OutputsFirst), as ProTuner schedules a pipeline. kStructureFirst: first locations, loop
// orders and parallel loops of all stages, then the numbers (tiles, unrolling, vectors), both with
// outputs first.
enum class DecisionOrder : uint8_t { kOutputsFirst, kStructureFirst };

// The root of the decision tree. Its choices are the sketches, at least one. The space's sampler
// completes open decisions; an open sketch is drawn uniformly. A choice is illegal if its tile
// length fits no others. Places with the same decisions are equal.
std::shared_ptr<const TreePlace> FirstDecision(std::vector<Sketch> sketches, DecisionOrder order);

// The most decisions that a complete schedule takes.
int MostDecisions(const std::vector<Sketch>& sketches);

}  // namespace schedulegym
