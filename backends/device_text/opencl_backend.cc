#include "backends/device_text/opencl_backend.h"

#include "backends/device_text/device_text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

// Counts changes of the text that change what kernels do or how fast they are, and those of the
// reference schedules of GPUs (spaces/schedulegym/reference.cc), to which records are ratios.
constexpr int kGenerator = 5;

Error RunsElsewhere() {
  return {ErrorKind::kUnsupported, "kernels of opencl run in schedulegym-device alone"};
}

class OpenClBackend : public Backend {
 public:
  explicit OpenClBackend(Target target) : target_(std::move(target)) {}

  const Target& target() const override { return target_; }

  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram&,
                                          const CompileOptions&) const override {
    return RunsElsewhere();
  }

  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions&) const override {
    if (form != CodeForm::kObject && form != CodeForm::kSource) {
      return Error{ErrorKind::kUnsupported, "opencl has no such form, expected source"};
    }
    Result<DeviceProgram> device = DeviceText(program, OpenClDialect(), target_.gpu);
    if (!device) return device.error();
    return form == CodeForm::kSource ? std::move(device->source) : Encode(*device);
  }

  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    return RunsElsewhere();
  }

 private:
  Target target_;
};

}  // namespace

std::unique_ptr<Backend> MakeOpenClBackend(const Target& target) {
  return std::make_unique<OpenClBackend>(target);
}

std::string OpenClToolchainName(const Target& target) {
  return "opencl " + target.gpu.arch + ", generator " + std::to_string(kGenerator);
}

}  // namespace schedulegym
