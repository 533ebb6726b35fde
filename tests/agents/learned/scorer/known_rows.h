// Known rows: programs whose speed is a known function of their rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "agents/learned/scorer/program_rows.h"
#include "env/base/rng.h"
#include "env/base/spec.h"

namespace schedulegym {

// `spec` with task=none. Programs have one to three rows; the label is exp(-sum of row[0]) of the
// task's best, so that a network that sums its rows can know it. With `permuted` labels are those
// of other programs.
inline ProgramRows KnownRows(const Spec& spec, int tasks, int programs, bool permuted = false) {
  const ScorerOptions options = ReadScorerOptions(spec);
  ProgramRows rows = EmptyRows(options);
  rows.targets = {""};
  Rng rng(7);
  for (int task = 0; task < tasks; ++task) {
    rows.heads.push_back(0);
    std::vector<float> labels;
    std::vector<std::vector<float>> values;
    for (int i = 0; i < programs; ++i) {
      const int64_t count = 1 + rng.Below(3);
      std::vector<float> own(static_cast<size_t>(count * rows.columns));
      double sum = 0;
      for (int64_t row = 0; row < count; ++row) {
        const auto at = static_cast<size_t>(row * rows.columns);
        for (size_t j = 0; j < 3; ++j) own[at + j] = static_cast<float>(rng.Uniform());
        sum += own[at];
      }
      labels.push_back(static_cast<float>(std::exp(-sum)));
      values.push_back(std::move(own));
    }
    const float best = *std::ranges::max_element(labels);
    if (permuted) std::rotate(labels.begin(), labels.begin() + 1, labels.end());
    for (size_t i = 0; i < labels.size(); ++i) {
      AddProgram(std::move(values[i]), task, labels[i] / best, &rows);
    }
  }
  return rows;
}

inline Spec ModelSpec(const std::string& text) { return RequireSpec("model", text); }

}  // namespace schedulegym
