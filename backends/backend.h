// Backend: turns a LoopProgram into a Kernel, something that runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/target.h"

namespace schedulegym {

// Compiled code. Calls from several threads at once are legal.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // One call: a pointer for each parameter, in order, inputs first; packed weights in their packed
  // form, aligned to 64 bytes. Buffers must not overlap. Errors are of kind kRun.
  virtual Result<void> Run(std::span<void* const> arguments) const = 0;

  // Fills `packed` (of the parameter's bytes) from the plain weight; `pack` indexes
  // LoopProgram::packs.
  virtual Result<void> Pack(int pack, const void* plain, void* packed) const = 0;

  // What the backend made of the program: form "ir" or "asm", empty where there is none.
  virtual std::string Source(const std::string& form) const = 0;
};

struct CompileOptions {
  // Without it the program is translated loop by loop as it stands, scalars only; used for the
  // reference of correctness.
  bool optimize = true;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const Target& target() const = 0;
  virtual Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                                  const CompileOptions& options) const = 0;
};

// The backend that the target names. Throws MachineError when this build or machine lacks it.
std::unique_ptr<Backend> MakeBackend(const Target& target);

}  // namespace schedulegym
