// Batch: numbers of many tracks, a row each, written in place and handed to a network as they lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {

// Row after row in one piece of memory, which is kept when the number of rows changes.
template <typename Number>
class Batch {
 public:
  explicit Batch(int columns, int rows = 0) : columns_(columns) {
    SG_CHECK(columns >= 1, "rows have columns");
    Resize(rows);
  }

  int rows() const { return static_cast<int>(values_.size()) / columns_; }
  int columns() const { return columns_; }

  // Rows that are new are zero; rows beyond are forgotten.
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
using MaskBatch = Batch<uint8_t>;  // 1 where a value is legal, 0 where not

// Steps that tracks took and what they brought, a row each, for a policy to learn from.
struct PolicySamples {
  RowBatch rows;                         // what was seen
  MaskBatch masks;                       // what was legal
  Batch<int64_t> values;                 // the actions, counted within each head
  std::vector<float> log_probabilities;  // of the actions, when they were drawn
  std::vector<float> advantages, targets;
};

}  // namespace schedulegym
