// Search effort: how many candidates of a task were tried, and how long that took.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/measure/record.h"

namespace schedulegym {

struct SearchEffort {
  int64_t trials = 0;
  double seconds = 0;  // 0: unknown

  std::optional<double> TrialsPerSecond() const;
};

// What the records of one task tell, in order of appending; with an agent's spec those of that
// agent alone. Failures are trials too; a candidate that was measured again is one. Seconds go from
// the first candidate of a session to the end of its last: what an agent thought before its first
// is not known, and other tasks of the same session count as well. Records name no space.
SearchEffort EffortOf(std::span<const Record> records,
                      const std::optional<std::string>& agent = std::nullopt);

}  // namespace schedulegym
