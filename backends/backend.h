// Backend: compiles a LoopProgram to a Kernel, which can run.
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

  // One call. `arguments`: a pointer for each parameter, in order, inputs first; packed weights in
  // their packed form, aligned to 64 bytes. Buffers must not overlap. Errors are kRun.
  virtual Result<void> Run(std::span<void* const> arguments) const = 0;

  // Fills `packed` (of the parameter's bytes) from the plain weight; `pack` indexes
  // LoopProgram::packs.
  virtual Result<void> Pack(int pack, const void* plain, void* packed) const = 0;
};

struct CompileOptions {
  // False: translates the program loop by loop as it stands, scalars only. The reference of
  // correctness is compiled so.
  bool optimize = true;
  // Polled some thousand times a second during a call, by backends that can. Once it returns true
  // the call ends with kRun. Null: never.
  std::function<bool()> end = {};
};

// Forms of a program on the way to a kernel. Only kObject is not a text.
enum class CodeForm : uint8_t { kObject, kAssembly, kIr, kSource };

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const Target& target() const = 0;

  virtual Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                                  const CompileOptions& options) const = 0;

  // kUnsupported if the backend lacks the form.
  virtual Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                        const CompileOptions& options) const = 0;

  // Makes the kernel of an object that Translate made, in this or another process. `packs`: the
  // number of the program's packs.
  virtual Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const = 0;
};

// A position-independent ELF object with the C functions of an exported kernel called `name`; for
// cuda its machine code. Throws MachineError if this build lacks LLVM, or the machine NVRTC.
Result<std::string> ExportObject(const LoopProgram& program, const Target& target,
                                 const std::string& name);

// Resources of the kernels in an object that Translate made for the target: for cuda as its
// compiler reported them, for others empty.
std::vector<KernelResources> ResourcesOf(const std::string& object, const Target& target);

// The compiler and generator of this build for processors, such as "llvm 19.1.7, generator 1".
// Results of different toolchains are not of the same candidate.
std::string ToolchainName();
// The same for a target: for a device, its driver and the generator of its text. Throws
// MachineError if there is none.
std::string ToolchainName(const Target& target);

// Makes the backend that the target names. Throws MachineError if this build or machine lacks it.
std::unique_ptr<Backend> MakeBackend(const Target& target);

}  // namespace schedulegym
