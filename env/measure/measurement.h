// Measurement: what measuring one candidate gave, a timing or a typed failure.
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
  // Of one call: the session's time of the reference over the ratio, so that two timings of one
  // session compare as their ratios do. 0 of a model whose scores have no unit: it gives the ratio
  // alone.
  double seconds = 0;
  // Reference seconds over candidate seconds, interleaved; above 1 is faster than the reference.
  RatioInterval ratio;
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
  int64_t reference_calls_per_sample = 1;
  // Seconds for one call, a sample each round, in the order taken; at most 304, of a finalist.
  std::vector<float> samples;
  std::vector<float> reference_samples;
  // CPU seconds over wall seconds of the candidate's samples: about the cores it kept busy.
  double cpu_per_wall = 1;
  bool early_reject = false;  // stopped after few rounds, for it was clearly slower than the best
  bool short_of_threads = false;     // a parallel kernel that did not get its cores
  std::optional<Counters> counters;  // where the machine offers them

  bool operator==(const Timing&) const = default;
};

// Where the time of one measurement went.
struct PhaseSeconds {
  double compile = 0;  // lowering and compiling (of a processor), linking, packing weights
  double verify = 0;
  double measure = 0;

  bool operator==(const PhaseSeconds&) const = default;
};

// In what surroundings a measurement was taken; the same for all of one measuring session.
struct MeasuringSession {
  std::string id;         // 32 hex digits, "" where nothing is known of it
  std::string protocol;   // spec
  std::string grade;      // of the host: "A", "B" or "C", "" unknown
  std::string probe;      // what was found out about the host, a spec, "" unknown
  std::string toolchain;  // what made the machine code, such as "llvm 19.1.7, generator 1"

  bool operator==(const MeasuringSession&) const = default;
};

struct Measurement {
  Outcome outcome = Outcome::kInfra;
  std::string message;           // of a failure: one line, what was found and what was expected
  std::string stderr_tail;       // the last of what the candidate's process wrote there
  uint64_t seed = 0;             // of interleaving; inputs are the task's
  std::optional<Timing> timing;  // exactly when the outcome is kOk
  PhaseSeconds phases;
  std::shared_ptr<const MeasuringSession> session;  // null: none
  int64_t sequence = 0;                             // counts the session's measurements
  int attempt = 0;  // how often it was tried before on account of what was not its fault
  // Of its kernels, where the compiler reports them; else empty.
  std::vector<KernelResources> resources = {};

  bool ok() const { return outcome == Outcome::kOk; }
};

// Sessions are compared by value.
bool operator==(const Measurement& a, const Measurement& b);

// What answers in place of a measurer names as the protocol of its sessions: nothing ran.
inline constexpr const char* kAnalyticalName = "analytical";
inline constexpr const char* kTableName = "table";
inline constexpr const char* kModelName = "model";

// kAnalyticalName, kTableName, kModelName or "host".
std::string MeasurerOf(const Measurement& measurement);
// Whether the candidate ran. What was not measured never serves as measured.
bool WasMeasured(const Measurement& measurement);

}  // namespace schedulegym
