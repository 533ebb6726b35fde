// ArrayPool: arrays of one shape for Python, used again when nobody else holds them.
#pragma once

#include <pybind11/numpy.h>

#include <utility>
#include <vector>

namespace schedulegym {

// What a user still holds, or a view of, is left alone: a new one is made.
template <typename T>
class ArrayPool {
 public:
  explicit ArrayPool(std::vector<pybind11::ssize_t> shape) : shape_(std::move(shape)) {}

  pybind11::array_t<T> Take() {
    for (const pybind11::array_t<T>& array : arrays_) {
      if (Py_REFCNT(array.ptr()) == 1) return array;
    }
    pybind11::array_t<T> array(shape_);
    if (arrays_.size() < kMost) arrays_.push_back(array);
    return array;
  }

 private:
  static constexpr size_t kMost = 4;
  std::vector<pybind11::ssize_t> shape_;
  std::vector<pybind11::array_t<T>> arrays_;
};

}  // namespace schedulegym
