// Export: a kernel as files that C and NumPy users call.
#pragma once

#include <string>

#include "env/lower/loop_program.h"

namespace schedulegym {

struct ExportedFiles {
  std::string object;         // PREFIX.o
  std::string shared_object;  // PREFIX.so
  std::string header;         // PREFIX.h
};

// PREFIX's last part, which names the functions. Throws InputError when it is no C identifier.
std::string ExportName(const std::string& prefix);

// Writes all three (OutputFile). Throws InputError for a place that cannot be written and
// MachineError where the machine lacks a linker, before any of them is replaced.
ExportedFiles WriteExport(const std::string& object, const std::string& header,
                          const std::string& prefix);

// The text of the C header.
std::string HeaderText(const LoopProgram& program, const std::string& name);

// Writes a shared object from one object file; libpthread, libmvec and libm are linked where the
// object needs them. Throws MachineError when there is no compiler driver or it refuses.
void LinkSharedObject(const std::string& object_path, const std::string& shared_path);

}  // namespace schedulegym
