// ShownTrees: search trees as views, with the schedules of their best values.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/decisions/state_rollout.h"
#include "agents/decisions/tree_view.h"
#include "agents/mcts/search_tree.h"

namespace schedulegym {

// What measuring a sample gave; none where it was not measured, or failed.
using SecondsOfSample = std::function<std::optional<double>(int sample)>;

// The `most` most visited nodes, at least the root. What was measured of others counts above them.
TreeView ViewOf(const SearchTree& tree, const SecondsOfSample& seconds, int most);

// The sample of the best value of each tree, where it has one.
std::set<int> BestSamplesOf(const std::vector<SearchTree>& trees);
// Trees whose samples these are, to be looked at; `values` says what they are.
std::vector<TreeView> ViewsOf(const std::vector<SearchTree>& trees, const StateRollout& rollout,
                              const std::string& task, const std::string& values);

}  // namespace schedulegym
