// DecisionPlace: a schedule as a sequence of decisions: a sketch, then its knobs one by one.
#pragma once

#include <memory>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "env/search/search_space.h"

namespace schedulegym {

// In which order the knobs of a sketch are decided. kOutputsFirst: stage by stage, the outputs' own
// first (OutputsFirst), as ProTuner schedules a pipeline. kStructureFirst: first of all stages
// where they are computed, in which order and in parallel, then the numbers: tiles, unrolling,
// vectors; each of both with the outputs' first.
enum class DecisionOrder : uint8_t { kOutputsFirst, kStructureFirst };

// Before any decision: the ways on are the sketches, at least one. What is open is completed by the
// space's own sampler, the sketch drawn among all alike. Lengths of a tile that fit no others lead
// nowhere. Two places are the same where the same decisions are made.
std::shared_ptr<const TreePlace> FirstDecision(std::vector<Sketch> sketches, DecisionOrder order);

// How many decisions lead to a complete schedule, at most.
int MostDecisions(const std::vector<Sketch>& sketches);

}  // namespace schedulegym
