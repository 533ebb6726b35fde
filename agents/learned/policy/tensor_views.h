// Batches as LibTorch sees them: the same memory, nothing copied.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/learned/batch.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// [rows, columns]. The batch outlives the view and keeps its size meanwhile.
at::Tensor ViewOf(const RowBatch& batch);
at::Tensor ViewOf(const MaskBatch& batch);
at::Tensor ViewOf(const Batch<int64_t>& batch);
// [n].
at::Tensor ViewOf(std::span<const float> numbers);

// A copy, row after row, of what is in floats.
std::vector<float> NumbersOf(const at::Tensor& tensor);

}  // namespace schedulegym
