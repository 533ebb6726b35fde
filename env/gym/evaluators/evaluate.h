// Evaluate: how environments ask a measurer about the places of episodes.
#pragma once

#include <span>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// One result for each place, in order; the places may be of several tasks, of those that the
// measurer was made for. A place that is no schedule is a kInvalidSchedule, and the measurer is not
// asked about it. A place on a table is measured by its row. Throws as the measurer does.
std::vector<EvaluationResult> Evaluate(std::span<const EpisodeState* const> places,
                                       Measurer& measurer);
EvaluationResult Evaluate(const EpisodeState& place, Measurer& measurer);

// Announces the places that follow, in this order (Measurer::Expect).
void Expect(std::span<const EpisodeState* const> places, Measurer& measurer);

}  // namespace schedulegym
