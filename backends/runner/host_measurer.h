// Host measurer: measures on this machine; code client: gets machine code from a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "env/base/result.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Throws MachineError if the target cannot be measured: this build lacks its backend, or this
// machine some of its features.
void CheckMeasurable(const Target& target);

struct HostMeasurerOptions {
  Protocol protocol;
  uint64_t seed = 0;  // of interleaving; inputs are the task's
  // ReferenceSchedule of spaces/schedulegym/reference.h; candidates are paired with it.
  ReferenceFunction reference;
  // MakeInterpreter.
  std::function<std::unique_ptr<Backend>(const Target&)> make_interpreter;
  WarningFunction warn = {};
};

// Measures candidates in processes of their own, but those of the interpreter, which checks every
// access, in this process. Throws MachineError as CheckMeasurable does.
std::unique_ptr<Measurer> MakeHostMeasurer(const Target& target, HostMeasurerOptions options);

// The toolchain of such a measurer's candidates; "" if no machine code is made. Throws MachineError
// as CheckMeasurable does.
std::string MeasuringToolchain(const Target& target);

// Translates a schedule to optimised code in one of its forms. Errors are about the schedule.
// `program` is schedulegym-worker. Throws MachineError if the worker cannot run.
Result<std::string> TranslateInWorker(const std::string& program, const ScheduleState& state,
                                      CodeForm form);

// The worker's toolchain for a target, such as "llvm 19.1.7, generator 1".
std::string ToolchainInWorker(const std::string& program, const Target& target);

struct ExportedCode {
  std::string object;
  std::string header;
};

// Exports C functions called `name`, which is an identifier.
Result<ExportedCode> ExportInWorker(const std::string& program, const ScheduleState& state,
                                    const std::string& name);

}  // namespace schedulegym
