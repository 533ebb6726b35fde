#include "env/measure/timing/timing_memory.h"

#include <algorithm>
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

// Layout: border, the buffer, padding to a multiple of the alignment, border.
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

int64_t CacheWalkBytes(const Target& target) {
  return 2 * std::max({target.l1_bytes, target.l2_bytes, target.l3_bytes});
}

CacheWalk::CacheWalk(int64_t bytes, int64_t line_bytes, int threads)
    : memory_(bytes), line_bytes_(line_bytes), threads_(threads) {
  SG_CHECK(bytes > 0 && line_bytes > 0 && threads >= 1, "a walk needs lines and a thread");
  for (int part = 1; part < threads; ++part) {
    helpers_.emplace_back([this, part] { Help(part); });
  }
}

CacheWalk::~CacheWalk() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void CacheWalk::Run() {
  {
    const std::lock_guard lock(mutex_);
    ++walks_;
    busy_ = threads_ - 1;
  }
  wake_.notify_all();
  WalkPart(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void CacheWalk::WalkPart(int part) {
  const size_t lines = (memory_.size() + line_bytes_ - 1) / line_bytes_;
  const size_t begin = lines * part / threads_, end = lines * (part + 1) / threads_;
  volatile unsigned char* memory = memory_.data();
  for (size_t line = begin; line < end; ++line) {
    memory[line * line_bytes_] = static_cast<unsigned char>(memory[line * line_bytes_] + 1);
  }
}

void CacheWalk::Help(int part) {
  std::unique_lock lock(mutex_);
  for (int64_t walked = 0;; ++walked) {
    wake_.wait(lock, [&] { return ending_ || walks_ > walked; });
    if (ending_) return;
    lock.unlock();
    WalkPart(part);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace schedulegym
