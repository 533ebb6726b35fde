// Code client: machine code for those who want to see or keep it, made in a worker.
#pragma once

#include <string>

#include "backends/backend.h"
#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The optimised code of a schedule in one of its forms. Errors are about the schedule. `program` is
// schedulegym-worker. Throws MachineError when the worker cannot work.
Result<std::string> TranslateInWorker(const std::string& program, const ScheduleState& state,
                                      CodeForm form);

// What makes machine code there, such as "llvm 19.1.7, generator 1".
std::string ToolchainInWorker(const std::string& program);

struct ExportedCode {
  std::string object;
  std::string header;
};

// As C functions called `name`, which is an identifier.
Result<ExportedCode> ExportInWorker(const std::string& program, const ScheduleState& state,
                                    const std::string& name);

}  // namespace schedulegym
