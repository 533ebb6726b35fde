// Batch: a row of numbers per track, written in place and passed to a network without a copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {

// Rows in one contiguous buffer, which is kept when the number of rows changes.
template <typename Number>
class Batch {
 public:
  explicit Batch(int columns, int rows = 0) : columns_(columns) {
    SG_CHECK(columns >= 1, "rows have columns");
    Resize(rows);
  }

  int rows() const { return static_cast<int>(values_.size()) / columns_; }
  int columns() const { return columns_; }

  // New rows are zero; rows from `rows` on are dropped.
  void Resize(int rows) { values_.resize(Place(rows)); }

  std::span<Number> operator[](int row) {
    SG_CHECK(row >= 0 && row < rows(), "a row of the batch");
    return std::span(values_).subspan(Place(row), static_cast<size_t>(columns_));
  }
  std::span<const Number> operator[](int row) const {
    SG_CHECK(row >= 0 && row < rows(), "a row of the batch");
    return std::span(values_).subspan(Place(row), static_cast<size_t>(columns_));
  }

  std::span<const Number> values() const { return values_; }
  std::span<Number> values() { return values_; }

 private:
  size_t Place(int row) const { return static_cast<size_t>(row) * static_cast<size_t>(columns_); }

  int columns_;
  std::vector<Number> values_;
};

using RowBatch = Batch<float>;
using MaskBatch = Batch<uint8_t>;  // 1: the value is legal; 0: it is not

// Steps of tracks and their results, a row each, for training a policy.
struct PolicySamples {
  RowBatch rows;                         // observations
  MaskBatch masks;                       // legal values
  Batch<int64_t> values;                 // actions: values within each head
  std::vector<float> log_probabilities;  // of the actions, by the policy that drew them
  std::vector<float> advantages, targets;
};

}  // namespace schedulegym
