#include "env/measure/timing/aligned_buffer.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr int64_t kBorder = 64;  // also the alignment
constexpr int kCanary = 0xC5;

int64_t RoundedUp(int64_t bytes) { return (bytes + kBorder - 1) / kBorder * kBorder; }

int64_t BytesAfter(int64_t bytes) { return RoundedUp(bytes) - bytes + kBorder; }

bool IsCanary(const std::byte* begin, const std::byte* end) {
  for (; begin != end; ++begin) {
    if (*begin != static_cast<std::byte>(kCanary)) return false;
  }
  return true;
}

}  // namespace

// Layout: border, the buffer, what is missing to a multiple of the alignment, border.
AlignedBuffer::AlignedBuffer(int64_t bytes) : bytes_(bytes) {
  SG_CHECK(bytes >= 0, "a buffer has a size");
  const int64_t whole = RoundedUp(bytes) + 2 * kBorder;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kBorder, whole)));
  if (!memory_) throw std::bad_alloc();
  std::memset(data(), 0, bytes);
  RestoreBorders();
}

void* AlignedBuffer::data() const { return memory_ ? memory_.get() + kBorder : nullptr; }

bool AlignedBuffer::BordersIntact() const {
  if (!memory_) return true;
  const std::byte* begin = memory_.get();
  const std::byte* after = begin + kBorder + bytes_;
  return IsCanary(begin, begin + kBorder) && IsCanary(after, after + BytesAfter(bytes_));
}

void AlignedBuffer::RestoreBorders() {
  if (!memory_) return;
  std::memset(memory_.get(), kCanary, kBorder);
  std::memset(memory_.get() + kBorder + bytes_, kCanary, BytesAfter(bytes_));
}

void AlignedBuffer::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace schedulegym
