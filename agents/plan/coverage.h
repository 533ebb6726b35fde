// Coverage: places of a plan that are good and differ in the values of their knobs.
#pragma once

#include <vector>

#include "agents/plan/plan_search.h"

namespace schedulegym {

// Takes one after another that with the highest value of
//   score_weight * score + weight * (values of its knobs that none before it has),
// of equal ones the first, until `count` are taken; the others follow in their order. AutoTVM's
// code (sa_model_optimizer.py, pick_best) has score_weight 0 and weight 1.
std::vector<ScoredPlace> Cover(std::vector<ScoredPlace> best, int count, double score_weight,
                               double weight);

}  // namespace schedulegym
