// CandidateLimits: what a candidate may use before its process is ended.
#pragma once

#include <cstdint>
#include <tuple>

namespace schedulegym {

struct CandidateLimits {
  double ready_seconds = 5;   // until it is linked
  double call_seconds = 1;    // of a call: at least this ...
  double call_factor = 20;    // ... or as many times the reference's
  double timing_seconds = 5;  // of timing as a whole: this beyond what the protocol asks for ...
  double timing_factor = 40;  // ... and as many times the reference's
  double processor_seconds = 600;           // of all its threads together
  int64_t memory_bytes = int64_t{1} << 30;  // beside twice its tensors

  static constexpr auto Fields() {
    using T = CandidateLimits;
    return std::tuple(&T::ready_seconds, &T::call_seconds, &T::call_factor, &T::timing_seconds,
                      &T::timing_factor, &T::processor_seconds, &T::memory_bytes);
  }
  bool operator==(const CandidateLimits&) const = default;
};

}  // namespace schedulegym
