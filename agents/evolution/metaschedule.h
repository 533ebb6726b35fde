// The agent `metaschedule`: evolution of places by mutators of one kind of decision each.
#pragma once

#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/common/knob_field.h"
#include "agents/evolution/evolution.h"

namespace schedulegym {

// The share of mutations that change a decision of this kind.
struct MutatorShare {
  KnobKind kind = KnobKind::kTile;
  double share = 0;
};

// TVM's mutators on LLVM (meta_schedule, Mutator::DefaultLLVM).
std::vector<MutatorShare> PublishedMutators();

// Mutates one decision. Its kind is drawn by the shares of the kinds that the schedule's sketch
// has; an error where it has none. The field outlives it.
StateMutation MutationByKind(const KnobField& field, std::vector<MutatorShare> shares);

// MetaSchedule (Shao et al., "Tensor program optimization with probabilistic programs", NeurIPS
// 2022) as TVM has it (meta_schedule/search_strategy/evolutionary_search). Options: population,
// measured, least, the population; generations, mutation, draws, its evolution; tile, location,
// unroll, parallel, shares of mutators; round, epsilon, empty, rounds of trials; trusted, cadence,
// the cost model; retries. Throws InputError.
std::unique_ptr<Agent> MakeMetascheduleAgent(const AgentContext& context);

}  // namespace schedulegym
