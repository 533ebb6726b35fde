// SplitReductions: long sums in parts. Verification must accept them, but reject a sum with one
// part a thousandth off.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace schedulegym {

// Alternates products of 8 x 16 cells and of eight pairs of rows, of f32 and f64, in schedules of
// either space; all schedules of rows have partial sums (an rfactor).
struct SplitReductionOptions {
  uint64_t seed = 0;
  int64_t length = 32768;   // of each sum
  int64_t schedules = 400;  // of all types and spaces
  // Wrong ones, in other schedules with partial sums of at least sixteen terms.
  int64_t planted = 100;
};

struct SplitReductionReport {
  int64_t schedules = 0;
  int64_t factored = 0;   // of these: with partial sums
  int64_t lane_wise = 0;  // of these: partial sums that are the lanes of a vector
  int64_t refused = 0;    // right ones that verification rejected
  int64_t planted = 0;
  int64_t missed = 0;                    // of these: accepted
  std::map<std::string, int64_t> by;     // factored ones, by "f32 ansor"
  std::vector<std::string> diagnostics;  // a line for each rejected or missed one

  // Whether there were schedules and all verdicts were right.
  bool ok() const { return schedules + planted > 0 && refused == 0 && missed == 0; }
};

// Calls `progress` with the number of finished schedules and of all.
SplitReductionReport CheckSplitReductions(const Backend& backend,
                                          const SplitReductionOptions& options,
                                          const std::function<void(int64_t, int64_t)>& progress);

}  // namespace schedulegym
