#include "agents/learned/policy/tensor_views.h"

#include "agents/learned/policy/torch_internal.h"

namespace schedulegym {
namespace {

// LibTorch has no read-only view; callers do not write to these.
template <typename Number>
at::Tensor View(std::span<const Number> numbers, at::IntArrayRef shape, at::ScalarType type) {
  return at::from_blob(const_cast<Number*>(numbers.data()), shape, at::TensorOptions().dtype(type));
}

template <typename Number>
at::Tensor View(const Batch<Number>& batch, at::ScalarType type) {
  return View(batch.values(), {batch.rows(), batch.columns()}, type);
}

}  // namespace

at::Tensor ViewOf(const RowBatch& batch) { return View(batch, at::kFloat); }
at::Tensor ViewOf(const MaskBatch& batch) { return View(batch, at::kByte); }
at::Tensor ViewOf(const Batch<int64_t>& batch) { return View(batch, at::kLong); }
at::Tensor ViewOf(std::span<const float> numbers) {
  return View(numbers, {std::ssize(numbers)}, at::kFloat);
}

std::vector<float> NumbersOf(const at::Tensor& tensor) {
  const at::Tensor packed = tensor.detach().contiguous();
  const float* begin = packed.data_ptr<float>();
  return {begin, begin + packed.numel()};
}

}  // namespace schedulegym
