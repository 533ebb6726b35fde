// RunningNormaliser: brings numbers of unknown scales to mean 0 and variance 1, as they are met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/learned/batch.h"

namespace schedulegym {

// A value. Columns that never changed so far come out as 0.
class RunningNormaliser {
 public:
  // What was met so far, of each column.
  struct State {
    int64_t rows = 0;
    std::vector<double> means;
    std::vector<double> squares;  // sums of squared differences from the mean

    bool operator==(const State&) const = default;
  };

  // Results are held in [-limit, limit]; 10 is usual (Stable-Baselines3, VecNormalize).
  explicit RunningNormaliser(int columns, double limit = 10);
  // Goes on where another one stood. Of each column there is a mean and a sum.
  explicit RunningNormaliser(State state, double limit = 10);

  int columns() const { return static_cast<int>(state_.means.size()); }
  double limit() const { return limit_; }
  const State& state() const { return state_; }

  // Welford's update, row after row: the same rows give the same state to the bit, however they are
  // batched. All numbers are finite.
  void Learn(std::span<const float> row);
  void Learn(const RowBatch& rows);

  // In place.
  void Apply(std::span<float> row) const;
  void Apply(RowBatch& rows) const;

 private:
  // What differences are multiplied by.
  std::vector<double> Scales() const;
  void Apply(std::span<float> row, std::span<const double> scales) const;

  double limit_;
  State state_;
};

}  // namespace schedulegym
