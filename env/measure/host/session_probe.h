// SessionProbe: checks of the machine and its clock before a measuring session.
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

// Grades by the 95th percentile of |ln ratio| of a kernel timed against itself; ideally 0.
enum class HostGrade : uint8_t {
  kA,  // at most 0.5 %
  kB,  // at most 2 %
  kC,  // worse: leaderboards exclude results of this machine
};

// Interpolates linearly between the sorted `values`, which are not empty; `share` is in [0, 1].
double Quantile(std::span<const double> values, double share);

// `errors` holds |ln ratio| of several such timings.
HostGrade GradeOf(std::span<const double> errors);

// "A", "B", "C".
const char* GradeName(HostGrade grade);

// Resolution and steadiness of a clock on this machine.
struct ClockQuality {
  double step_seconds = 0;  // smallest step seen between two readings
  double call_seconds = 0;  // one reading
  double jitter = 0;        // of a fixed work of about a millisecond: p95 / p5 - 1
};

// Takes about a quarter of a second.
ClockQuality EvaluateClock(const Clock& clock);

struct SessionProbe {
  MachineFacts machine;
  ClockQuality clock;
  double empty_call_seconds = 0;      // a timed call that does nothing
  std::vector<double> errors;         // |ln ratio| of equal calls, one for each run of 51 rounds
  HostGrade grade = HostGrade::kC;    // from `errors`
  std::optional<double> steal_share;  // during the runs of `errors`
  double throttled_seconds = 0;       // during the runs of `errors`
};

// Times `call` against itself in runs of 51 rounds, until `seconds` are over and at least five
// times. Returns |ln ratio| of each run.
std::vector<double> ErrorsOfEqualCalls(const std::function<void()>& call,
                                       const PairedClocks& clocks, double seconds, Rng& rng);

// Takes about `seconds` (2 is enough, less than 1 is too short to grade by). The equal calls are a
// short loop over floats in the L1 cache. A session may grade itself by its reference instead.
SessionProbe ProbeHost(const PairedClocks& clocks, double seconds, Rng& rng);

// Returns a spec of the known values for records: `probe(grade="A",error=0.0031,...)`.
std::string ProbeText(const SessionProbe& probe);

}  // namespace schedulegym
