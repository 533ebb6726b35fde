// Rank pairs: the loss of a ranking over all pairs of programs, and how much of the best it finds.
#pragma once

#include <span>

#include "agents/cost/row_group_sum.h"

namespace schedulegym {

// The sum of log(1 + exp(s_j - s_i)) over all pairs of programs with label i > label j, of one
// task. Equal labels make no pair: failures, whose labels are 0, none among themselves.
double RankLoss(const RowGroups& row_groups, std::span<const float> predictions);
// By row, as DerivativesOf; weights are not looked at. Cost: programs squared.
Derivatives RankDerivativesOf(const RowGroups& row_groups, std::span<const float> predictions);

// Which part of the n best programs is among the n best-scored, averaged over n = 1 .. most
// (AutoTVM, xgboost_cost_model.py: a-recall).
double AverageRecall(const RowGroups& row_groups, std::span<const float> predictions, int most);

}  // namespace schedulegym
