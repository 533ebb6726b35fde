// Messages: between the front and its workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "backends/object_code.h"
#include "backends/runner/wire/candidate_limits.h"
#include "env/base/result.h"
#include "env/measure/measurement.h"

namespace schedulegym {

// The type of a frame; an answer has its request's id.
enum class MessageType : uint16_t {
  kCompile = 1,     // CompileRequest -> CompileReply
  kExport = 2,      // ExportRequest -> ExportReply
  kPrepare = 3,     // PrepareRequest -> PrepareReply
  kMeasure = 4,     // MeasureRequest -> MeasureReply
  kControl = 5,     // ControlRequest -> ControlReply
  kRefused = 6,     // RefusedReply, to any request that cannot be served
  kTiming = 7,      // TimingNotice -> TimingNotice, a request to the front
  kToolchain = 8,   // ToolchainRequest -> ToolchainReply
  kVerify = 9,      // VerifyRequest -> VerifyReply
  kReference = 10,  // PrepareRequest -> ReferenceReply
};

// Everything that distinguishes one task from another, as text.
struct TaskText {
  std::string dag;
  std::string target;
  std::string name;

  static constexpr auto Fields() {
    return std::tuple(&TaskText::dag, &TaskText::target, &TaskText::name);
  }
  bool operator==(const TaskText&) const = default;
};

// An error that the other side returned; kinds as in env/base/result.h.
struct WireError {
  int32_t kind = 0;
  std::string message;

  static constexpr auto Fields() { return std::tuple(&WireError::kind, &WireError::message); }
};
WireError ToWire(const Error& error);
// Unknown kinds become kCompile.
Error FromWire(const WireError& error);

// A Timing, flat.
struct WireTiming {
  double seconds = 0, ratio = 1, ratio_low = 1, ratio_high = 1, first_call_seconds = 0;
  int64_t calls = 1, reference_calls = 1;
  std::vector<float> samples, reference_samples;
  double cpu_per_wall = 1;
  bool early_reject = false, short_of_threads = false;
  std::optional<double> instructions, cycles;

  static constexpr auto Fields() {
    using T = WireTiming;
    return std::tuple(&T::seconds, &T::ratio, &T::ratio_low, &T::ratio_high, &T::first_call_seconds,
                      &T::calls, &T::reference_calls, &T::samples, &T::reference_samples,
                      &T::cpu_per_wall, &T::early_reject, &T::short_of_threads, &T::instructions,
                      &T::cycles);
  }
};

struct CompileRequest {
  static constexpr const char* kName = "compile request";
  TaskText task;
  std::string trace;
  int32_t form = 0;  // CodeForm

  static constexpr auto Fields() {
    return std::tuple(&CompileRequest::task, &CompileRequest::trace, &CompileRequest::form);
  }
};

struct CompileReply {
  static constexpr const char* kName = "compile reply";
  std::optional<WireError> error;
  ObjectCode code;  // a text if the request's form is a text
  double seconds = 0;
  int64_t resident_bytes = 0;  // of the worker, after the request
  std::vector<KernelResources> resources;

  static constexpr auto Fields() {
    return std::tuple(&CompileReply::error, &CompileReply::code, &CompileReply::seconds,
                      &CompileReply::resident_bytes, &CompileReply::resources);
  }
};

struct ExportRequest {
  static constexpr const char* kName = "export request";
  TaskText task;
  std::string trace;
  std::string function;  // name of the C function

  static constexpr auto Fields() {
    return std::tuple(&ExportRequest::task, &ExportRequest::trace, &ExportRequest::function);
  }
};

struct ExportReply {
  static constexpr const char* kName = "export reply";
  std::optional<WireError> error;
  std::string object;
  std::string header;

  static constexpr auto Fields() {
    return std::tuple(&ExportReply::error, &ExportReply::object, &ExportReply::header);
  }
};

// Properties that all candidates of a task share.
struct PrepareRequest {
  static constexpr const char* kName = "prepare request";
  std::string key;  // names the task in later requests
  TaskText task;
  std::string reference_trace;
  std::string error_trace;  // a reference schedule for the computation of error bounds
  ObjectCode reference;     // compiled as candidates are
  uint64_t seed = 0;        // of inputs
  uint64_t order_seed = 0;  // of interleaving, and of inputs that were never used before
  std::string protocol;     // spec
  CandidateLimits limits;
  bool probe = false;        // also probe the host
  bool verify_only = false;  // nothing is timed, not even the reference

  static constexpr auto Fields() {
    using T = PrepareRequest;
    return std::tuple(&T::key, &T::task, &T::reference_trace, &T::error_trace, &T::reference,
                      &T::seed, &T::order_seed, &T::protocol, &T::limits, &T::probe,
                      &T::verify_only);
  }
};

struct PrepareReply {
  static constexpr const char* kName = "prepare reply";
  double reference_seconds = 0;  // of one call
  double verify_seconds = 0;
  double measure_seconds = 0;
  std::string toolchain;  // of machine code here
  std::string grade;      // of this host for measuring, if requested
  std::string probe;      // as SessionProbe writes it
  std::string mistrust;   // why the inputs hardly test some output; "" if none

  static constexpr auto Fields() {
    using T = PrepareReply;
    return std::tuple(&T::reference_seconds, &T::verify_seconds, &T::measure_seconds, &T::toolchain,
                      &T::grade, &T::probe, &T::mistrust);
  }
};

struct MeasureRequest {
  static constexpr const char* kName = "measure request";
  std::string task;  // key
  ObjectCode code;
  bool finalist = false;
  bool fresh = false;                // in a zygote that has run no candidate yet
  std::optional<double> best_ratio;  // of the task so far; clearly slower candidates end early
  std::optional<double> reference_seconds;  // of the session; seconds are counted from it

  static constexpr auto Fields() {
    using T = MeasureRequest;
    return std::tuple(&T::task, &T::code, &T::finalist, &T::fresh, &T::best_ratio,
                      &T::reference_seconds);
  }
};

// A Measurement but for session, sequence, attempt and the seconds of compiling.
struct MeasureReply {
  static constexpr const char* kName = "measure reply";
  std::string outcome;
  std::string message;
  std::string stderr_tail;
  uint64_t seed = 0;
  std::optional<WireTiming> timing;
  double prepare_seconds = 0;  // forking, linking, packing
  double verify_seconds = 0;
  double measure_seconds = 0;

  static constexpr auto Fields() {
    using T = MeasureReply;
    return std::tuple(&T::outcome, &T::message, &T::stderr_tail, &T::seed, &T::timing,
                      &T::prepare_seconds, &T::verify_seconds, &T::measure_seconds);
  }
};
MeasureReply ToWire(const Measurement& measurement);
// Does not check the timing; kParse if the outcome is unknown.
Result<Measurement> MeasurementOf(const MeasureReply& reply);
// kParse if outcome and timing do not fit, or times are not finite and positive.
Result<Measurement> FromWire(const MeasureReply& reply);
Result<Measurement> DecodeMeasurement(std::string_view payload);

// A timing of the reference against itself.
struct ControlRequest {
  static constexpr const char* kName = "sentinel request";
  std::string task;  // key
  std::optional<double> reference_seconds;

  static constexpr auto Fields() {
    return std::tuple(&ControlRequest::task, &ControlRequest::reference_seconds);
  }
};

struct ControlReply {
  static constexpr const char* kName = "sentinel reply";
  bool good = true;
  double ratio = 1, ratio_low = 1, ratio_high = 1;
  std::optional<double> reference_seconds;  // from now on

  static constexpr auto Fields() {
    using T = ControlReply;
    return std::tuple(&T::good, &T::ratio, &T::ratio_low, &T::ratio_high, &T::reference_seconds);
  }
};

struct RefusedReply {
  static constexpr const char* kName = "refusal";
  // "input", "machine", "bug", or "forgotten": prepare the task again.
  std::string kind;
  std::string message;

  static constexpr auto Fields() { return std::tuple(&RefusedReply::kind, &RefusedReply::message); }
};

struct ToolchainRequest {
  static constexpr const char* kName = "toolchain request";
  std::string target;

  static constexpr auto Fields() { return std::tuple(&ToolchainRequest::target); }
};

struct ToolchainReply {
  static constexpr const char* kName = "toolchain reply";
  std::optional<WireError> error;
  std::string name;

  static constexpr auto Fields() {
    return std::tuple(&ToolchainReply::error, &ToolchainReply::name);
  }
};

}  // namespace schedulegym
