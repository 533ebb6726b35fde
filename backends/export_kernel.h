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

// PREFIX's last part, which names the functions. Throws InputError if it is no C identifier.
std::string ExportName(const std::string& prefix);

// Writes all three (OutputFile). Throws InputError for a path that cannot be written and
// MachineError if the machine lacks a linker, before any file is replaced.
ExportedFiles WriteExport(const std::string& object, const std::string& header,
                          const std::string& prefix);

// The text of the C header.
std::string HeaderText(const LoopProgram& program, const std::string& name);

// Writes a shared object from one object file; links libpthread, libmvec and libm if the object
// needs them. Throws MachineError if the compiler driver is missing or fails.
void LinkSharedObject(const std::string& object_path, const std::string& shared_path);

}  // namespace schedulegym
