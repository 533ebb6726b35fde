// Host measurer: measures on this machine; code client: machine code made in a worker.
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

// Throws MachineError when nothing can be measured on the target: this build lacks its backend, or
// this machine some of its features.
void CheckMeasurable(const Target& target);

struct HostMeasurerOptions {
  Protocol protocol;
  uint64_t seed = 0;  // of interleaving; inputs are the task's
  // ReferenceSchedule of spaces/schedulegym/reference.h, with which candidates are paired.
  ReferenceFunction reference;
  // MakeInterpreter.
  std::function<std::unique_ptr<Backend>(const Target&)> make_interpreter;
  WarningFunction warn = {};
};

// In processes of their own; what the interpreter runs, which checks every access, in this one.
// Throws MachineError as CheckMeasurable does.
std::unique_ptr<Measurer> MakeHostMeasurer(const Target& target, HostMeasurerOptions options);

// What makes the machine code of such a measurer's candidates; "" where none is made.
// Throws MachineError as CheckMeasurable does.
std::string MeasuringToolchain(const Target& target);

// The optimised code of a schedule in one of its forms. Errors are about the schedule. `program` is
// schedulegym-worker. Throws MachineError when the worker cannot work.
Result<std::string> TranslateInWorker(const std::string& program, const ScheduleState& state,
                                      CodeForm form);

// What makes a target's machine code there, such as "llvm 19.1.7, generator 1".
std::string ToolchainInWorker(const std::string& program, const Target& target);

struct ExportedCode {
  std::string object;
  std::string header;
};

// As C functions called `name`, which is an identifier.
Result<ExportedCode> ExportInWorker(const std::string& program, const ScheduleState& state,
                                    const std::string& name);

}  // namespace schedulegym
