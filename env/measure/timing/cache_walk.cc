#include "env/measure/timing/cache_walk.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {

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

void CacheWalk::Walk() {
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
