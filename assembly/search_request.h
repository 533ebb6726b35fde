// SearchRequest: what a search is asked for, whoever asks.
#pragma once

#include <cstdint>
#include <optional>

#include "env/base/spec.h"

namespace schedulegym {

inline constexpr const char* kUsualSpace = "schedulegym";

struct SearchRequest {
  Spec agent = {"ansor", {}};
  std::optional<Spec> space;  // none: the measurer's own, or else the usual one
  Spec scheduler = {"round_robin", {}};
  Spec protocol = {"cpu1", {}};
  Spec measure = {"host", {}};
  std::optional<Spec> refine;     // what has the last trials
  int64_t trials = 1000;          // over all tasks
  std::optional<double> seconds;  // the same
  std::optional<int> finalists;   // none: as many as usual for so many trials
  uint64_t seed = 0;
  bool resume = true;  // agents are told what the store knows
};

}  // namespace schedulegym
