#include "backends/runner/wire/messages.h"

#include <algorithm>
#include <cmath>

#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

constexpr size_t kMostSamples = 304;  // of a finalist, all processes together

WireTiming ToWireTiming(const Timing& timing) {
  WireTiming wire;
  wire.seconds = timing.seconds;
  wire.ratio = timing.ratio.median;
  wire.ratio_low = timing.ratio.low;
  wire.ratio_high = timing.ratio.high;
  wire.first_call_seconds = timing.first_call_seconds;
  wire.calls = timing.calls_per_sample;
  wire.reference_calls = timing.reference_calls_per_sample;
  wire.samples = timing.samples;
  wire.reference_samples = timing.reference_samples;
  wire.cpu_per_wall = timing.cpu_per_wall;
  wire.early_reject = timing.early_reject;
  wire.short_of_threads = timing.short_of_threads;
  if (timing.counters) {
    wire.instructions = timing.counters->instructions;
    wire.cycles = timing.counters->cycles;
  }
  return wire;
}

Timing FromWireTiming(const WireTiming& wire) {
  Timing timing;
  timing.seconds = wire.seconds;
  timing.ratio = {wire.ratio, wire.ratio_low, wire.ratio_high};
  timing.first_call_seconds = wire.first_call_seconds;
  timing.calls_per_sample = wire.calls;
  timing.reference_calls_per_sample = wire.reference_calls;
  timing.samples = wire.samples;
  timing.reference_samples = wire.reference_samples;
  timing.cpu_per_wall = wire.cpu_per_wall;
  timing.early_reject = wire.early_reject;
  timing.short_of_threads = wire.short_of_threads;
  if (wire.instructions && wire.cycles) timing.counters = {*wire.instructions, *wire.cycles};
  return timing;
}

bool IsTime(double value) { return std::isfinite(value) && value > 0; }

bool AreTimes(const std::vector<float>& samples) {
  return !samples.empty() && samples.size() <= kMostSamples &&
         std::all_of(samples.begin(), samples.end(), [](float one) { return IsTime(one); });
}

bool IsPossible(const WireTiming& wire) {
  return IsTime(wire.seconds) && IsTime(wire.ratio) && IsTime(wire.ratio_low) &&
         IsTime(wire.ratio_high) && wire.ratio_low <= wire.ratio && wire.ratio <= wire.ratio_high &&
         wire.calls >= 1 && wire.reference_calls >= 1 && AreTimes(wire.samples) &&
         AreTimes(wire.reference_samples) && wire.samples.size() == wire.reference_samples.size();
}

}  // namespace

WireError ToWire(const Error& error) { return {static_cast<int32_t>(error.kind), error.message}; }

Error FromWire(const WireError& error) {
  const bool known = error.kind >= 0 && error.kind <= static_cast<int32_t>(ErrorKind::kRun);
  return {known ? static_cast<ErrorKind>(error.kind) : ErrorKind::kCompile, error.message};
}

MeasureReply ToWire(const Measurement& measurement) {
  MeasureReply reply;
  reply.outcome = OutcomeName(measurement.outcome);
  reply.message = measurement.message;
  reply.stderr_tail = measurement.stderr_tail;
  reply.seed = measurement.seed;
  if (measurement.timing) reply.timing = ToWireTiming(*measurement.timing);
  reply.prepare_seconds = measurement.phases.compile;
  reply.verify_seconds = measurement.phases.verify;
  reply.measure_seconds = measurement.phases.measure;
  return reply;
}

Result<Measurement> MeasurementOf(const MeasureReply& reply) {
  const std::optional<Outcome> outcome = ParseOutcome(reply.outcome);
  if (!outcome) return Error{ErrorKind::kParse, "found the outcome '" + reply.outcome + "'"};
  Measurement measurement;
  measurement.outcome = *outcome;
  measurement.message = reply.message;
  measurement.stderr_tail = reply.stderr_tail;
  measurement.seed = reply.seed;
  if (reply.timing) measurement.timing = FromWireTiming(*reply.timing);
  measurement.phases = {reply.prepare_seconds, reply.verify_seconds, reply.measure_seconds};
  return measurement;
}

Result<Measurement> FromWire(const MeasureReply& reply) {
  Result<Measurement> measurement = MeasurementOf(reply);
  if (!measurement) return measurement;
  if (measurement->ok() != reply.timing.has_value()) {
    return Error{ErrorKind::kParse, "found a timing where there is none, or none where one is"};
  }
  if (reply.timing && !IsPossible(*reply.timing)) {
    return Error{ErrorKind::kParse, "found a timing that cannot be"};
  }
  return measurement;
}

Result<Measurement> DecodeMeasurement(std::string_view payload) {
  const Result<MeasureReply> reply = Decode<MeasureReply>(payload);
  if (!reply) return reply.error();
  return FromWire(*reply);
}

}  // namespace schedulegym
