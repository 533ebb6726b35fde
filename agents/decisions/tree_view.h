// TreeView: a search tree for display: decisions in words, visits, values, measured seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

struct ViewNode {
  int parent = -1;   // position; -1 for the root, which is first
  std::string word;  // the decision that leads here; "" of the root
  int64_t visits = 0;
  std::optional<double> mean;     // of the values in this subtree; nullopt without any
  std::optional<double> best;     // of them
  std::optional<double> seconds;  // least measured seconds in this subtree

  bool operator==(const ViewNode&) const = default;
};

struct TreeView {
  std::string task;    // its name
  std::string values;  // meaning of `mean` and `best`: "log of predicted speed"
  // The schedule of the best value, as steps and as loops; "" if it was dropped.
  std::string trace;
  std::string loops;
  std::vector<ViewNode> nodes;  // parents before children; siblings by visits, descending
  int64_t left_out = 0;         // number of nodes not shown

  bool operator==(const TreeView&) const = default;
};

// Sets `trace` and `loops` of the view to this schedule.
void ShowSchedule(const ScheduleState& state, TreeView& view);

// The path from the root by the child with the highest `best`, until no child has a value.
std::vector<int> PrincipalVariation(const TreeView& tree);

// JSON: an object with `schedulegym_tree` (the version) and `trees`; each has `task`, `values`,
// `trace`, `loops`, `left_out` and `nodes`: objects with `parent`, `word`, `visits`, `mean`,
// `best`, `seconds`.
std::string ToText(const std::vector<TreeView>& trees);
// Throws InputError, one line that begins with `name`, if the text is not such JSON.
std::vector<TreeView> ParseTreeViews(std::string_view text, const std::string& name);

}  // namespace schedulegym
