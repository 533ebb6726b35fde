// TreeView: a search tree as a reader sees it: decisions in words, visits, values, what was
// measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

struct ViewNode {
  int parent = -1;   // its position; -1 of the root, which is the first
  std::string word;  // the decision that leads here; "" of the root
  int64_t visits = 0;
  std::optional<double> mean;     // of the values here and below; none before any
  std::optional<double> best;     // of them
  std::optional<double> seconds;  // the least that was measured here or below

  bool operator==(const ViewNode&) const = default;
};

struct TreeView {
  std::string task;    // its name
  std::string values;  // what `mean` and `best` are: "log of predicted speed"
  // The schedule of the best value, as steps and as loops; "" where it is not known any more.
  std::string trace;
  std::string loops;
  std::vector<ViewNode> nodes;  // parents before children, of one parent the most visited first
  int64_t left_out = 0;         // nodes of the tree that are not shown

  bool operator==(const TreeView&) const = default;
};

// Notes the schedule of its best value.
void ShowSchedule(const ScheduleState& state, TreeView& view);

// From the root to where nothing is below that has a value: at each node the child of the highest
// best value.
std::vector<int> PrincipalVariation(const TreeView& tree);

// JSON: an object with `schedulegym_tree` (the version) and `trees`; each has `task`, `values`,
// `trace`, `loops`, `left_out` and `nodes`: objects with `parent`, `word`, `visits`, `mean`,
// `best`, `seconds`.
std::string ToText(const std::vector<TreeView>& trees);
// Throws InputError, one line with `name` in front, for what is none.
std::vector<TreeView> ParseTreeViews(std::string_view text, const std::string& name);

}  // namespace schedulegym
