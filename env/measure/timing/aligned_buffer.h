// AlignedBuffer: memory aligned to 64 bytes, touched before use, with watched borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace schedulegym {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Zeroed, so that every page is there before anything is timed.
  explicit AlignedBuffer(int64_t bytes);

  void* data() const;
  int64_t bytes() const { return bytes_; }
  template <typename T>
  std::span<T> As() const {
    return {static_cast<T*>(data()), static_cast<size_t>(bytes_) / sizeof(T)};
  }

  // Whether nobody wrote just before or just after the buffer.
  bool BordersIntact() const;
  void RestoreBorders();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
  int64_t bytes_ = 0;
};

}  // namespace schedulegym
