// Matrix: whole numbers in rows of one length, in one piece of memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schedulegym {

class Matrix {
 public:
  Matrix() = default;
  Matrix(size_t rows, size_t columns) : columns_(columns), values_(rows * columns) {}

  size_t columns() const { return columns_; }
  std::span<int64_t> operator[](size_t row) {
    return std::span(values_).subspan(row * columns_, columns_);
  }
  std::span<const int64_t> operator[](size_t row) const {
    return std::span(values_).subspan(row * columns_, columns_);
  }

 private:
  size_t columns_ = 0;
  std::vector<int64_t> values_;
};

}  // namespace schedulegym
