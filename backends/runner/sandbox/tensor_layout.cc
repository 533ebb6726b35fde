#include "backends/runner/sandbox/tensor_layout.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr auto kCanary = std::byte{0xC5};

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

bool AllCanaries(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte value) { return value == kCanary; });
}

}  // namespace

// A guard page, then for each tensor its pages and another guard page.
TensorLayout::TensorLayout(const std::vector<int64_t>& sizes) : bytes_(kPage) {
  for (int64_t bytes : sizes) {
    const int64_t begin = bytes_;
    const int64_t end = begin + RoundUp(RoundUp(bytes, kAlignment) + kBorder, kPage);
    slots_.push_back({bytes, begin, end});
    bytes_ = end + kPage;
  }
}

int64_t TensorLayout::OffsetOf(const Slot& slot, Placement placement) const {
  const bool aligned = placement == Placement::kAligned;
  return slot.end - (aligned ? RoundUp(slot.bytes, kAlignment) : slot.bytes);
}

void* TensorLayout::At(std::byte* memory, size_t tensor, Placement placement) const {
  return memory + OffsetOf(slots_[tensor], placement);
}

void TensorLayout::Guard(std::byte* memory) const {
  const auto forbid = [&](int64_t offset) {
    if (mprotect(memory + offset, kPage, PROT_NONE) == 0) return;
    throw MachineError(std::string("cannot protect a page: ") + std::strerror(errno));
  };
  forbid(0);
  for (const Slot& slot : slots_) forbid(slot.end);
}

void TensorLayout::Touch(std::byte* memory, bool writable) const {
  for (const Slot& slot : slots_) {
    const int advice = writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
    if (madvise(memory + slot.begin, slot.end - slot.begin, advice) == 0) continue;
    // For kernels before 5.14.
    for (int64_t page = slot.begin; page < slot.end; page += kPage) {
      volatile std::byte* at = memory + page;
      const std::byte value = *at;
      if (writable) *at = value;
    }
  }
}

void TensorLayout::FillBorders(std::byte* memory, Placement placement) const {
  for (const Slot& slot : slots_) {
    const int64_t begin = OffsetOf(slot, placement);
    std::fill(memory + slot.begin, memory + begin, kCanary);
    std::fill(memory + begin + slot.bytes, memory + slot.end, kCanary);
  }
}

std::optional<size_t> TensorLayout::BrokenBorder(const std::byte* memory,
                                                 Placement placement) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    const int64_t begin = OffsetOf(slot, placement);
    if (!AllCanaries(memory + slot.begin, memory + begin) ||
        !AllCanaries(memory + begin + slot.bytes, memory + slot.end)) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> TensorLayout::Nearest(int64_t offset) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (offset >= slots_[i].begin - kPage / 2 && offset < slots_[i].end + kPage / 2) return i;
  }
  if (slots_.empty()) return std::nullopt;
  return offset < slots_[0].begin ? 0 : slots_.size() - 1;
}

}  // namespace schedulegym
