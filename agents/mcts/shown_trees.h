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

// Returns the measured seconds of a sample; nullopt if it was not measured, or failed.
using SecondsOfSample = std::function<std::optional<double>(int sample)>;

// Shows the `most` most visited nodes, at least the root. They include the times of hidden nodes.
TreeView ViewOf(const SearchTree& tree, const SecondsOfSample& seconds, int most);

// The sample of the best value of each tree that has one.
std::set<int> BestSamplesOf(const std::vector<SearchTree>& trees);
// Views of trees with these samples, for display; `values` describes their values.
std::vector<TreeView> ViewsOf(const std::vector<SearchTree>& trees, const StateRollout& rollout,
                              const std::string& task, const std::string& values);

}  // namespace schedulegym
