// TensorLayout: where tensors lie in one memory, each between pages that nobody may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace schedulegym {

// Where in its pages a tensor begins.
enum class Placement : uint8_t {
  kAligned,       // at a multiple of 64 bytes, as near to the page after it as that allows
  kAgainstGuard,  // its last byte is the last before that page
};

class TensorLayout {
 public:
  static constexpr int64_t kPage = 4096;
  static constexpr int64_t kAlignment = 64;
  // Watched bytes in front of each tensor, at least; behind it what alignment leaves.
  static constexpr int64_t kBorder = 64;

  TensorLayout() = default;
  explicit TensorLayout(const std::vector<int64_t>& sizes);

  // Of all pages, guards included; the memory begins at a page.
  int64_t bytes() const { return bytes_; }
  size_t size() const { return slots_.size(); }
  int64_t bytes_of(size_t tensor) const { return slots_[tensor].bytes; }
  void* At(std::byte* memory, size_t tensor, Placement placement) const;

  // Makes the pages between tensors inaccessible in this process.
  void Guard(std::byte* memory) const;
  // Brings every page of every tensor in, so that nothing is to be brought in later.
  void Touch(std::byte* memory, bool writable) const;

  // Fills and looks at the watched bytes around each tensor.
  void FillBorders(std::byte* memory, Placement placement) const;
  // The first tensor beside which something was written.
  std::optional<size_t> BrokenBorder(const std::byte* memory, Placement placement) const;

  // The tensor in or beside whose pages an offset lies, in the memory or close to it.
  std::optional<size_t> Nearest(int64_t offset) const;

 private:
  struct Slot {
    int64_t bytes = 0;
    int64_t begin = 0;  // of its pages
    int64_t end = 0;
  };
  int64_t OffsetOf(const Slot& slot, Placement placement) const;

  std::vector<Slot> slots_;
  int64_t bytes_ = 0;
};

}  // namespace schedulegym
