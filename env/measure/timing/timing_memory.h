// Memory of timing: aligned buffers with checked borders, and a walk that empties caches.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// Memory aligned to 64 bytes, touched before use, with checked borders.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Zeroed, so that every page is mapped before any timing.
  explicit AlignedBuffer(int64_t bytes);

  void* data() const;
  int64_t bytes() const { return bytes_; }
  template <typename T>
  std::span<T> As() const {
    return {static_cast<T*>(data()), static_cast<size_t>(bytes_) / sizeof(T)};
  }

  // Returns whether the bytes just before and just after the buffer are unchanged.
  bool BordersIntact() const;
  void RestoreBorders();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
  int64_t bytes_ = 0;
};

// Bytes that a walk for this target touches: twice the last cache level's size.
int64_t CacheWalkBytes(const Target& target);

// Each of `threads` threads walks its part, so that the caches of all their cores are emptied, not
// only those of the caller. The constructor starts the helpers, which sleep between walks.
class CacheWalk {
 public:
  CacheWalk(int64_t bytes, int64_t line_bytes, int threads);
  ~CacheWalk();
  CacheWalk(const CacheWalk&) = delete;
  CacheWalk& operator=(const CacheWalk&) = delete;

  // Returns when all parts are done.
  void Run();

  // Each line's first byte counts the walks, modulo 256.
  std::span<const unsigned char> memory() const { return memory_; }

 private:
  void WalkPart(int part);
  void Help(int part);

  std::vector<unsigned char> memory_;
  size_t line_bytes_;
  int threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  int64_t walks_ = 0;  // begun
  int busy_ = 0;       // helpers that have not finished the last one
  bool ending_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace schedulegym
