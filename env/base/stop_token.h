// StopToken and ProgressCallback: cancellation and progress of long computations.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

namespace schedulegym {

// Thrown if a computation is cancelled. The caller that started the computation catches it.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// Tests whether a long computation was cancelled from outside.
class StopToken {
 public:
  StopToken() = default;  // never cancelled
  // The flag, which may be null, outlives the token.
  explicit StopToken(const std::atomic<bool>* flag) : flag_(flag) {}

  bool IsSet() const { return flag_ != nullptr && *flag_; }
  // Throws Interrupted if the token is set. Call it at least every 50 ms of work.
  void Check() const {
    if (IsSet()) throw Interrupted();
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

// Returns whether to continue. `total` is 0 if it is unknown. An empty callback never stops.
using ProgressCallback = std::function<bool(int64_t done, int64_t total)>;

// Returns whether the computation continues.
inline bool GoesOn(const ProgressCallback& watch, int64_t done, int64_t total) {
  return !watch || watch(done, total);
}

}  // namespace schedulegym
