// TensorLayout: places tensors in one memory, each between inaccessible pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace schedulegym {

// Position of a tensor in its pages.
enum class Placement : uint8_t {
  kAligned,       // at a multiple of 64 bytes, as near to the page after it as that allows
  kAgainstGuard,  // its last byte is the last before that page
};

class TensorLayout {
 public:
  static constexpr int64_t kPage = 4096;
  static constexpr int64_t kAlignment = 64;
  // Least number of watched bytes before each tensor; the alignment's rest is watched behind it.
  static constexpr int64_t kBorder = 64;

  TensorLayout() = default;
  explicit TensorLayout(const std::vector<int64_t>& sizes);

  // Size of all pages, guards included; the memory begins at a page.
  int64_t bytes() const { return bytes_; }
  size_t size() const { return slots_.size(); }
  int64_t bytes_of(size_t tensor) const { return slots_[tensor].bytes; }
  void* At(std::byte* memory, size_t tensor, Placement placement) const;

  // Makes the pages between tensors inaccessible in this process.
  void Guard(std::byte* memory) const;
  // Touches every page of every tensor, to avoid later page faults.
  void Touch(std::byte* memory, bool writable) const;

  // Fills the watched bytes around each tensor.
  void FillBorders(std::byte* memory, Placement placement) const;
  // The first tensor whose watched bytes have changed; nullopt if none.
  std::optional<size_t> BrokenBorder(const std::byte* memory, Placement placement) const;

  // The tensor that has `offset` in or beside its pages; the offset may lie close to the memory.
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
