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
  // Of the last search, why it ended: "trials", "seconds", ...; "" unknown.
  std::string stopped = {};

  std::optional<double> TrialsPerSecond() const;
};

// What searched, and where: specs, as records name them.
struct SearchSpecs {
  std::string agent;
  std::string space;
};

// What the records of one task tell, in order of appending; with specs those of such searches
// alone. Failures are trials too; a candidate that was measured again is one. Seconds go from the
// first candidate of a session to the end of its last: what an agent thought before its first is
// not known, and other tasks of the same session count as well.
SearchEffort EffortOf(std::span<const Record> records,
                      const std::optional<SearchSpecs>& specs = std::nullopt);

}  // namespace schedulegym
