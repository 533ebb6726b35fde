// CUDA C++ of a loop program, and the output of NVRTC for it: PTX, machine code, and the resources
// of each kernel from the compiler's log. Shared bytes are those that a launch asks for, which the
// log lacks. NVRTC is opened when it is first needed. Cost: 20 to 600 ms a compilation.
#include "backends/cuda/cuda_backend.h"

#include "backends/cuda/disassembler.h"
#include "backends/cuda/nvrtc.h"
#include "backends/cuda/toolkit_files.h"
#include "backends/device_text/device_text.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

// Counts changes of the text that change what kernels do or how fast they are, and those of the
// reference schedules of GPUs (spaces/schedulegym/reference.cc), to which records are ratios.
constexpr int kGenerator = 4;

Error RunsNowhere() {
  return {ErrorKind::kUnsupported, "kernels of cuda run in schedulegym-device alone"};
}

Result<DeviceProgram> TextOf(const LoopProgram& program, const Target& target,
                             const std::string& kernel) {
  return DeviceText(program, DialectOf(target), target.gpu, kernel);
}

// The compiler's log lacks the shared bytes that a launch asks for.
std::vector<KernelResources> WithSharedBytes(std::vector<KernelResources> resources,
                                             const DeviceProgram& device) {
  for (KernelResources& found : resources) {
    for (const DeviceKernel& kernel : device.kernels) {
      if (kernel.name == found.kernel) found.shared_bytes = kernel.shared_bytes;
    }
  }
  return resources;
}

// Comments of PTX and of SASS, a line a kernel.
std::string ResourcesHead(const CudaCode& code, const DeviceProgram& device) {
  std::string text;
  for (const DeviceKernel& kernel : device.kernels) {
    for (const KernelResources& found : WithSharedBytes(code.resources, device)) {
      if (found.kernel == kernel.name) text += "// " + ResourcesText(found) + "\n";
    }
  }
  return text;
}

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(Target target) : target_(std::move(target)) {}

  const Target& target() const override { return target_; }

  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram&,
                                          const CompileOptions&) const override {
    return RunsNowhere();
  }

  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions&) const override {
    Result<DeviceProgram> device = TextOf(program, target_, "kernel");
    if (!device) return device.error();
    if (form == CodeForm::kSource) return std::move(device->source);
    Result<CudaCode> code = Compiler().Compile(device->source, target_.gpu.arch);
    if (!code) return code.error();
    switch (form) {
      case CodeForm::kIr: return ResourcesHead(*code, *device) + code->ptx;
      case CodeForm::kAssembly: return ResourcesHead(*code, *device) + Disassemble(code->cubin);
      default: break;
    }
    auto resources = WithSharedBytes(std::move(code->resources), *device);
    return Encode(CudaObject{*std::move(device), std::move(code->cubin), std::move(resources)});
  }

  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    return RunsNowhere();
  }

 private:
  const Nvrtc& Compiler() const {
    if (!nvrtc_) nvrtc_ = std::make_unique<Nvrtc>(NvrtcPlaces());
    return *nvrtc_;
  }

  Target target_;
  mutable std::unique_ptr<Nvrtc> nvrtc_;  // opened at its first use
};

}  // namespace

std::unique_ptr<Backend> MakeCudaBackend(const Target& target) {
  return std::make_unique<CudaBackend>(target);
}

Result<CudaObject> CompileCuda(const LoopProgram& program, const Target& target,
                               const std::string& kernel) {
  Result<DeviceProgram> device = TextOf(program, target, kernel);
  if (!device) return device.error();
  Result<CudaCode> code = Nvrtc(NvrtcPlaces()).Compile(device->source, target.gpu.arch);
  if (!code) return code.error();
  auto resources = WithSharedBytes(std::move(code->resources), *device);
  return CudaObject{*std::move(device), std::move(code->cubin), std::move(resources)};
}

std::vector<KernelResources> ResourcesOfCuda(const std::string& object) {
  Result<CudaObject> decoded = Decode<CudaObject>(object);
  return decoded ? std::move(decoded->resources) : std::vector<KernelResources>();
}

std::string CudaToolchainName(const Target& target) {
  return "nvrtc " + Nvrtc(NvrtcPlaces()).version() + " " + target.gpu.arch + ", generator " +
         std::to_string(kGenerator);
}

std::string DescribeNvrtc() {
  const Nvrtc nvrtc(NvrtcPlaces());
  const std::vector<std::string> architectures = nvrtc.architectures();
  return "NVRTC " + nvrtc.version() + " (" + nvrtc.path() + "), " + Join(architectures, " ");
}

}  // namespace schedulegym
