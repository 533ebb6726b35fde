// Records made up for tests.
#pragma once

#include <memory>
#include <string>

#include "env/measure/record.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

inline std::shared_ptr<const TaskInfo> SampleTask(uint64_t number) {
  const std::string text = std::to_string(number);
  return std::make_shared<const TaskInfo>(TaskInfo{Key{number, ~number}, "matmul(m=" + text + ")",
                                                   "input A[" + text + "]\n", "llvm(cores=2)"});
}

inline Measurement SampleTiming(double ratio) {
  Timing timing;
  timing.seconds = 1e-3 / ratio;
  timing.ratio = {ratio, 0.99 * ratio, 1.01 * ratio};
  timing.first_call_seconds = 3e-3;
  timing.calls_per_sample = 7;
  timing.reference_calls_per_sample = 5;
  timing.samples = {0.001f, 0.0011f, 0.3f};
  timing.reference_samples = {0.002f, 0.0021f, 0.6f};
  timing.cpu_per_wall = 1.9375;
  timing.short_of_threads = true;
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.seed = ~uint64_t{0};
  measurement.timing = timing;
  measurement.phases = {0.015, 0.02, 0.05};
  return measurement;
}

inline Measurement SampleFailure() {
  Measurement measurement;
  measurement.outcome = Outcome::kWrongOutput;
  measurement.message = "C[3, 4] is 5.0, expected 6.0";
  measurement.seed = 11;
  measurement.phases = {0.015, 0.02, 0};
  return measurement;
}

inline std::shared_ptr<const MeasuringSession> SampleSession(const std::string& id = "5e55") {
  return std::make_shared<const MeasuringSession>(MeasuringSession{
      id, "cpu1(rounds=5)", "B", "probe(grade=\"B\")", "llvm 19.1.7, generator 1"});
}

// A measurement whose machine code another toolchain made.
inline Measurement SampleOfToolchain(double ratio, const std::string& toolchain) {
  Measurement measurement = SampleTiming(ratio);
  MeasuringSession session = *SampleSession();
  session.toolchain = toolchain;
  measurement.session = std::make_shared<const MeasuringSession>(std::move(session));
  return measurement;
}

// A measurement with every possible field.
inline Measurement SampleOfSession(double ratio, int64_t sequence,
                                   const std::string& session = "5e55") {
  Measurement measurement = SampleTiming(ratio);
  measurement.timing->counters = Counters{1e9 + 0.5, 2.5e8};
  measurement.timing->early_reject = true;
  measurement.stderr_tail = "a word\n";
  measurement.session = SampleSession(session);
  measurement.sequence = sequence;
  measurement.attempt = 2;
  measurement.resources = {{"kernel_0", 40, 8, 12, 16, 4096, 1}, {"kernel_1", 12, 0, 0, 0, 0, 0}};
  return measurement;
}

inline ControlMeasurement SampleControl(int64_t sequence, bool good,
                                        const std::string& session = "5e55") {
  return {SampleSession(session), sequence, {1.01, 0.99, 1.02}, good};
}

inline ForeignRecord SampleForeign(const std::string& id) {
  return {id,    "ansor", R"(["d41d8",512])", "llvm -keys=cpu", "[[],[]]", {0.25, 1.0 / 3}, 0, 2.5,
          1.6e9, "v0.6"};
}

inline Record SampleRecord(std::shared_ptr<const TaskInfo> task, int64_t index,
                           Measurement measurement) {
  Record record;
  record.task = std::move(task);
  record.trace = "trace 1\nsplit(stage=C, loop=0, lengths=[" + std::to_string(index) + "])\n";
  record.state_key = Key{static_cast<uint64_t>(index), 9};
  record.agent = "random(retries=5)";
  record.seed = uint64_t{1} << 63;
  record.index = index;
  record.host = "somewhere";
  record.started = 1.7e9 + 0.125;
  record.measurement = std::move(measurement);
  record.id = RecordId(record);
  return record;
}

}  // namespace schedulegym
