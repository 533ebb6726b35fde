// Backend: turns a LoopProgram into a Kernel, something that runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/measure/kernel_resources.h"
#include "env/program/targets/target.h"

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
};

struct CompileOptions {
  // Without it the program is translated loop by loop as it stands, scalars only; used for the
  // reference of correctness.
  bool optimize = true;
  // Asked some thousand times a second during a call, by backends that can: where it says yes the
  // call ends with kRun. Null: never.
  std::function<bool()> end = {};
};

// What a backend makes of a program on the way to a kernel. Only the object is not a text.
enum class CodeForm : uint8_t { kObject, kAssembly, kIr, kSource };

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const Target& target() const = 0;

  virtual Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                                  const CompileOptions& options) const = 0;

  // kUnsupported where there is no such form.
  virtual Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                        const CompileOptions& options) const = 0;

  // The kernel of an object that Translate made, in this or another process, of a program with so
  // many packs.
  virtual Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const = 0;
};

// A position-independent ELF object with the C functions of an exported kernel of that name; of
// cuda its machine code. Throws MachineError when this build lacks LLVM, or the machine NVRTC.
Result<std::string> ExportObject(const LoopProgram& program, const Target& target,
                                 const std::string& name);

// Of the kernels in an object that Translate made for the target: of cuda what its compiler
// reported, of others nothing.
std::vector<KernelResources> ResourcesOf(const std::string& object, const Target& target);

// What makes machine code of processors in this build, such as "llvm 19.1.7, generator 1": results
// of different ones are not the same candidate's.
std::string ToolchainName();
// The same for a target: of a device, its driver and the generator of its text. Throws MachineError
// where there is none.
std::string ToolchainName(const Target& target);

// The backend that the target names. Throws MachineError when this build or machine lacks it.
std::unique_ptr<Backend> MakeBackend(const Target& target);

}  // namespace schedulegym
