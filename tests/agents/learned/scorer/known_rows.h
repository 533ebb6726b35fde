// Known rows: programs whose speed is a known function of their rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "agents/learned/scorer/program_rows.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/features/dataflow_rows.h"

namespace schedulegym {

// Parents in a tree of `statements` statements: a loop that contains a statement and a loop with
// one, alternating; the last statement of three is outside.
inline std::vector<int> KnownTree(int64_t statements) {
  if (statements == 1) return {-1, 0};
  if (statements == 2) return {-1, 0, 0, 2};
  return {-1, 0, 0, 2, -1};
}

// `spec` with task=none. Programs have one to three statements, after the rows of accesses (pacm)
// or in a tree (recursive). The label is exp(-sum of row[0]) over the task's best, so that a
// network that sums rows can learn it. `permuted` assigns labels of other programs.
inline ProgramRows KnownRows(const Spec& spec, int tasks, int programs, bool permuted = false) {
  const ScorerOptions options = ReadScorerOptions(spec);
  ProgramRows rows = EmptyRows(options);
  rows.targets = {""};
  Rng rng(7);
  for (int task = 0; task < tasks; ++task) {
    rows.heads.push_back(0);
    std::vector<float> labels;
    std::vector<ProgramValues> values;
    for (int i = 0; i < programs; ++i) {
      // Programs of a single row.
      const int64_t statements = options.network == ScorerNetwork::kOneshot ? 1 : 1 + rng.Below(3);
      ProgramValues own;
      if (options.network == ScorerNetwork::kRecursive) own.parents = KnownTree(statements);
      const int64_t first = options.network == ScorerNetwork::kPacm ? DataflowLayout::kAccesses : 0;
      const int64_t count = own.parents.empty() ? first + statements : std::ssize(own.parents);
      own.values.resize(static_cast<size_t>(count * rows.columns));
      double sum = 0;
      for (int64_t row = 0; row < count; ++row) {
        const auto at = static_cast<size_t>(row * rows.columns);
        const bool is_loop = std::ranges::count(own.parents, row) > 0;
        // Accesses and loops have their numbers last.
        const size_t place = row < first || is_loop ? static_cast<size_t>(rows.columns) - 3 : 0;
        for (size_t j = 0; j < 3; ++j) {
          own.values[at + place + j] = static_cast<float>(rng.Uniform());
        }
        sum += own.values[at];
      }
      labels.push_back(static_cast<float>(std::exp(-sum)));
      values.push_back(std::move(own));
    }
    const float best = *std::ranges::max_element(labels);
    if (permuted) std::rotate(labels.begin(), labels.begin() + 1, labels.end());
    for (size_t i = 0; i < labels.size(); ++i) {
      AddProgram(values[i], task, labels[i] / best, &rows);
    }
  }
  return rows;
}

inline Spec ModelSpec(const std::string& text) { return RequireSpec("model", text); }

}  // namespace schedulegym
