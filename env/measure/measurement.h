// Measurement: the result of measuring one candidate, a timing or a typed failure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/measure/kernel_resources.h"
#include "env/measure/outcome.h"

namespace schedulegym {

// A ratio of two times with the 95 % sign-test interval of its median.
struct RatioInterval {
  double median = 1;
  double low = 1;
  double high = 1;

  bool operator==(const RatioInterval&) const = default;
};

// User-mode events of one call of the candidate, the median over its samples.
struct Counters {
  double instructions = 0;
  double cycles = 0;

  bool operator==(const Counters&) const = default;
};

struct Timing {
  // Seconds of one call: the session's seconds of the reference over the ratio, so that two timings
  // of one session compare as their ratios do. 0 for a model whose scores have no unit; only the
  // ratio is then set.
  double seconds = 0;
  // Reference seconds over candidate seconds, interleaved; above 1 is faster than the reference.
  RatioInterval ratio;
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
  int64_t reference_calls_per_sample = 1;
  // Seconds for one call, one sample per round, in the order taken; at most 304 (a finalist's).
  std::vector<float> samples;
  std::vector<float> reference_samples;
  // CPU seconds over wall seconds of the candidate's samples: about the number of busy cores.
  double cpu_per_wall = 1;
  bool early_reject = false;         // stopped after few rounds: clearly slower than the best
  bool short_of_threads = false;     // a parallel kernel that did not get its cores
  std::optional<Counters> counters;  // where the machine offers them

  bool operator==(const Timing&) const = default;
};

// Seconds of each phase of one measurement.
struct PhaseSeconds {
  double compile = 0;  // lowering and compiling (CPU seconds), linking, packing weights
  double verify = 0;
  double measure = 0;

  bool operator==(const PhaseSeconds&) const = default;
};

// Conditions of a measurement; the same for all measurements of one measuring session.
struct MeasuringSession {
  std::string id;         // 32 hex digits; "" if unknown
  std::string protocol;   // spec
  std::string grade;      // of the host: "A", "B" or "C"; "" if unknown
  std::string probe;      // spec of the host's probe (ProbeText); "" if unknown
  std::string toolchain;  // generator of the machine code, such as "llvm 19.1.7, generator 1"

  bool operator==(const MeasuringSession&) const = default;
};

struct Measurement {
  Outcome outcome = Outcome::kInfra;
  std::string message;           // of a failure: one line, with the found and the expected value
  std::string stderr_tail;       // end of the stderr of the candidate's process
  uint64_t seed = 0;             // of the interleaving; inputs depend on the task alone
  std::optional<Timing> timing;  // set exactly if the outcome is kOk
  PhaseSeconds phases;
  std::shared_ptr<const MeasuringSession> session;  // null: none
  int64_t sequence = 0;                             // counts the session's measurements
  int attempt = 0;  // number of earlier tries that failed through no fault of the candidate
  // One for each kernel, if the compiler reports them; else empty.
  std::vector<KernelResources> resources = {};

  bool ok() const { return outcome == Outcome::kOk; }
};

// Sessions are compared by value.
bool operator==(const Measurement& a, const Measurement& b);

// Protocol names of sessions in which nothing ran: a model or a table replaced the measurer.
inline constexpr const char* kAnalyticalName = "analytical";
inline constexpr const char* kTableName = "table";
inline constexpr const char* kModelName = "model";

// Returns kAnalyticalName, kTableName, kModelName or "host".
std::string MeasurerOf(const Measurement& measurement);
// Returns whether the candidate ran. An estimate is never used as a measurement.
bool WasMeasured(const Measurement& measurement);

}  // namespace schedulegym
