// ExportKernel: a program as files that C and NumPy users call.
#pragma once

#include <string>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/target.h"

namespace schedulegym {

struct ExportedFiles {
  std::string object;         // PREFIX.o
  std::string shared_object;  // PREFIX.so
  std::string header;         // PREFIX.h
};

// Writes all three or none. The functions' NAME is PREFIX's last part. Throws InputError for a NAME
// that is no C identifier and a place that cannot be written, MachineError where this build lacks
// LLVM or the machine a linker.
Result<ExportedFiles> ExportKernel(const LoopProgram& program, const Target& target,
                                   const std::string& prefix);

// The text of the C header.
std::string HeaderText(const LoopProgram& program, const std::string& name);

}  // namespace schedulegym
