// StopToken and ProgressCallback: how long work is cancelled and followed.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

namespace schedulegym {

// Thrown where work is given up in its midst; who asked for the work catches it.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// Whether long work is to be given up, as somebody else says.
class StopToken {
 public:
  StopToken() = default;  // of work that is never stopped
  // The flag, which may be null, outlives the token.
  explicit StopToken(const std::atomic<bool>* flag) : flag_(flag) {}

  bool IsSet() const { return flag_ != nullptr && *flag_; }
  // Throws Interrupted where it is set. To be called every 50 ms of work at least.
  void Check() const {
    if (IsSet()) throw Interrupted();
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

// `total` is 0 where the work does not know it. An empty one watches nothing and ends nothing.
using ProgressCallback = std::function<bool(int64_t done, int64_t total)>;

// Whether the work goes on.
inline bool GoesOn(const ProgressCallback& watch, int64_t done, int64_t total) {
  return !watch || watch(done, total);
}

}  // namespace schedulegym
