// Tensor views: LibTorch tensors over the memory of batches, without a copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/learned/batch.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// [rows, columns]. The batch outlives the view, and must not change its size meanwhile.
at::Tensor ViewOf(const RowBatch& batch);
at::Tensor ViewOf(const MaskBatch& batch);
at::Tensor ViewOf(const Batch<int64_t>& batch);
// [n].
at::Tensor ViewOf(std::span<const float> numbers);

// A copy of a tensor of floats in row-major order.
std::vector<float> NumbersOf(const at::Tensor& tensor);

}  // namespace schedulegym
