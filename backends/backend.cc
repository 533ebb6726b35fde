#include "backends/backend.h"

#include <stdexcept>

#include "backends/cuda/cuda_backend.h"
#include "backends/device_text/opencl_backend.h"
#include "backends/interpreter/interpreter.h"
#include "backends/object_code.h"
#include "env/base/fault.h"
#ifdef SCHEDULEGYM_HAS_LLVM
#include "backends/llvm/llvm_backend.h"
#endif

namespace schedulegym {

// The built-in backends. Optional parts of the build are used here only.
std::unique_ptr<Backend> MakeBackend(const Target& target) {
  switch (target.backend) {
    case BackendKind::kInterpreter: return MakeInterpreter(target);
    case BackendKind::kLlvm:
#ifdef SCHEDULEGYM_HAS_LLVM
      return MakeLlvmBackend(target);
#else
      throw MachineError(kNoLlvm);
#endif
    case BackendKind::kOpenCl: return MakeOpenClBackend(target);
    case BackendKind::kCuda: return MakeCudaBackend(target);
  }
  throw std::logic_error("a backend that does not exist");
}

std::string ToolchainName() {
#ifdef SCHEDULEGYM_HAS_LLVM
  return LlvmToolchainName();
#else
  return "interpreter";
#endif
}

std::string ToolchainName(const Target& target) {
  if (target.backend == BackendKind::kOpenCl) return OpenClToolchainName(target);
  if (target.backend == BackendKind::kCuda) return CudaToolchainName(target);
  if (target.backend == BackendKind::kLlvm && !HasLlvm()) throw MachineError(kNoLlvm);
  return ToolchainName();
}

Result<std::string> ExportObject(const LoopProgram& program, const Target& target,
                                 const std::string& name) {
  if (target.backend == BackendKind::kCuda) {
    Result<CudaObject> object = CompileCuda(program, target, name + "_kernel");
    if (!object) return object.error();
    return std::move(object->cubin);
  }
#ifdef SCHEDULEGYM_HAS_LLVM
  return CompileToObject(program, target, name);
#else
  (void)program, (void)target, (void)name;
  throw MachineError(kNoLlvm);
#endif
}

std::vector<KernelResources> ResourcesOf(const std::string& object, const Target& target) {
  if (target.backend != BackendKind::kCuda) return {};
  return ResourcesOfCuda(object);
}

}  // namespace schedulegym
