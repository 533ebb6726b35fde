// SessionProbe: what a session of measuring finds out about its machine before it begins.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/host/clock_quality.h"
#include "env/measure/host/host_grade.h"
#include "env/measure/host/machine_facts.h"
#include "env/measure/timing/paired_timer.h"

namespace schedulegym {

struct SessionProbe {
  MachineFacts machine;
  ClockQuality clock;
  double empty_call_seconds = 0;      // a timed call that does nothing
  std::vector<double> errors;         // |ln ratio| of equal calls, one for each run of 51 rounds
  HostGrade grade = HostGrade::kC;    // by these
  std::optional<double> steal_share;  // while they were taken
  double throttled_seconds = 0;       // while they were taken
};

// How equal calls compare, in runs of 51 rounds: `call` against itself until `seconds` are over,
// but five times at least.
std::vector<double> ErrorsOfEqualCalls(const std::function<void()>& call,
                                       const PairedClocks& clocks, double seconds, Rng& rng);

// Within about `seconds` (2 is enough, less than 1 tells little). The equal calls are a short loop
// over floats in the first cache; a session that has a reference kernel may grade itself by that.
SessionProbe ProbeHost(const PairedClocks& clocks, double seconds, Rng& rng);

// One line for records: `probe(grade="A",error=0.0031,...)`, a spec of what is known.
std::string ProbeText(const SessionProbe& probe);

}  // namespace schedulegym
