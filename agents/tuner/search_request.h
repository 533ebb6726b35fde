// SearchRequest: what a search is asked for, at whichever door; parsed there, once.
#pragma once

#include <cstdint>
#include <optional>

#include "env/base/spec.h"
#include "env/program/targets/target.h"

namespace schedulegym {

inline constexpr const char* kUsualSpace = "schedulegym";
// The one that has rules for GPUs.
inline constexpr const char* kUsualGpuSpace = "ansor";
// What is searched where nobody names a space.
inline const char* UsualSpace(const Target& target) {
  return target.IsGpu() ? kUsualGpuSpace : kUsualSpace;
}

struct SearchRequest {
  Spec agent = {"ansor", {}};
  std::optional<Spec> space;  // none: the measurer's own, or else the usual one
  Spec scheduler = {"round_robin", {}};
  Spec protocol = {"cpu1", {}};
  Spec measure = {"host", {}};
  std::optional<Spec> refine;     // what has the last trials
  int64_t trials = 1000;          // over all tasks
  std::optional<double> seconds;  // the same; see TunerOptions
  std::optional<int> finalists;   // none: UsualFinalists
  uint64_t seed = 0;
  bool resume = true;  // agents are told what the store knows of their tasks
};

// How many finalists a search has if nobody says: 5, none of a search of few trials.
constexpr int UsualFinalists(int64_t trials) { return trials >= 64 ? 5 : 0; }

}  // namespace schedulegym
