#include "backends/runner/sandbox/bound_kernel.h"

#include <sys/mman.h>

#include <map>
#include <utility>

namespace schedulegym {

Result<BoundKernel> BoundKernel::Make(const Backend& backend, const ObjectCode& code,
                                      std::shared_ptr<const Kernel> linked) {
  BoundKernel bound;
  bound.packs_ = code.contract.packs;
  // Several packs may fill parts of one parameter.
  std::map<int32_t, size_t> slot_of;
  std::vector<int64_t> sizes;
  for (int32_t parameter : bound.packs_) {
    const auto [slot, is_new] = slot_of.try_emplace(parameter, sizes.size());
    if (is_new) sizes.push_back(code.contract.parameters.at(parameter).bytes);
    bound.slots_.push_back(slot->second);
  }
  if (!sizes.empty() && !bound.MakeMemory(sizes)) {
    return Error{ErrorKind::kRun, "no memory for packed weights"};
  }
  bound.kernel_ = std::move(linked);
  if (bound.kernel_ != nullptr) return bound;
  // Loaded last: the destructor of a kernel runs code of its object.
  auto kernel = backend.Load(code.object, static_cast<int>(code.contract.packs.size()));
  if (!kernel) return kernel.error();
  bound.kernel_ = std::move(*kernel);
  return bound;
}

bool BoundKernel::MakeMemory(const std::vector<int64_t>& sizes) {
  layout_ = TensorLayout(sizes);
  void* memory =
      mmap(nullptr, layout_.bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  packed_ = static_cast<std::byte*>(memory);
  layout_.Guard(packed_);
  layout_.Touch(packed_, /*writable=*/true);
  layout_.FillBorders(packed_, Placement::kAligned);
  return true;
}

Result<void> BoundKernel::Bind(std::span<void* const> tensors) {
  arguments_.assign(tensors.begin(), tensors.end());
  for (size_t i = 0; i < packs_.size(); ++i) {
    void* packed = layout_.At(packed_, slots_[i], Placement::kAligned);
    auto done = kernel_->Pack(static_cast<int>(i), tensors[packs_[i]], packed);
    if (!done) return done;
  }
  for (size_t i = 0; i < packs_.size(); ++i) {
    arguments_[packs_[i]] = layout_.At(packed_, slots_[i], Placement::kAligned);
  }
  return {};
}

bool BoundKernel::BordersIntact() const {
  return packed_ == nullptr || !layout_.BrokenBorder(packed_, Placement::kAligned);
}

}  // namespace schedulegym
