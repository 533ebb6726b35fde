// SessionProbe: what a session of measuring finds out about its machine before it begins.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "env/base/rng.h"
#include "env/measure/host/machine_facts.h"
#include "env/measure/timing/paired_timer.h"

namespace schedulegym {

// By the 95th percentile of |ln ratio| of a kernel timed against itself, which ought to be 0.
enum class HostGrade : uint8_t {
  kA,  // at most 0.5 %
  kB,  // at most 2 %
  kC,  // worse: results of this machine stand in no leaderboard
};

// Between the two nearest of the sorted values, linearly; not empty, share in [0, 1].
double Quantile(std::span<const double> values, double share);

// Of |ln ratio| of several such timings.
HostGrade GradeOf(std::span<const double> errors);

// "A", "B", "C".
const char* GradeName(HostGrade grade);

// How finely and how steadily a clock tells time on this machine.
struct ClockQuality {
  double step_seconds = 0;  // smallest step seen between two readings
  double call_seconds = 0;  // one reading
  double jitter = 0;        // spread of a fixed work of about a millisecond: p95 over p5, less one
};

// Takes about a quarter of a second.
ClockQuality EvaluateClock(const Clock& clock);

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
