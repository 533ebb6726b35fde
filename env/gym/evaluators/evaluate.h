// Evaluate: evaluates the states of episodes with a measurer.
#pragma once

#include <span>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Returns one result for each place, in order. Places may be of several tasks among those that the
// measurer was made for. A place without a schedule is a kInvalidSchedule and is not measured. A
// place on a table is measured by its row. Throws as the measurer does.
std::vector<EvaluationResult> Evaluate(std::span<const EpisodeState* const> places,
                                       Measurer& measurer);
EvaluationResult Evaluate(const EpisodeState& place, Measurer& measurer);

// Announces the places that follow, in this order (Measurer::Expect).
void Expect(std::span<const EpisodeState* const> places, Measurer& measurer);

}  // namespace schedulegym
