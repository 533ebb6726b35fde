#include <algorithm>

#include "backends/device/opencl_device.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Rounding as written; sums of products may be fused, as on processors.
constexpr const char* kBuildOptions = "-cl-std=CL1.2";
constexpr size_t kMostLog = 2000;

}  // namespace

Result<std::unique_ptr<BoundDeviceProgram>> BoundDeviceProgram::Make(const OpenClDevice& device,
                                                                     const DeviceProgram& program) {
  std::unique_ptr<BoundDeviceProgram> bound(new BoundDeviceProgram(device));
  if (auto built = bound->Build(program); !built) return built.error();
  for (const int64_t bytes : program.temporaries) {
    Result<DeviceBuffer> buffer = DeviceBuffer::Make(device, bytes);
    if (!buffer) return buffer.error();
    bound->temporaries_.push_back(*std::move(buffer));
  }
  return bound;
}

Result<void> BoundDeviceProgram::Build(const DeviceProgram& program) {
  const OpenClLibrary& library = device_.library();
  const char* source = program.source.c_str();
  ClInt error = kClSuccess;
  program_ = library.CreateProgramWithSource(device_.context(), 1, &source, nullptr, &error);
  const ClDevice device = device_.device();
  if (error == kClSuccess) {
    error = library.BuildProgram(program_, 1, &device, kBuildOptions, nullptr, nullptr);
  }
  if (error != kClSuccess) {
    return Error{ErrorKind::kCompile,
                 "the driver refuses the kernels: " + ClErrorText(error) + BuildLog()};
  }
  for (const DeviceKernel& kernel : program.kernels) {
    Launch launch;
    launch.arguments = kernel.arguments;
    for (int i = 0; i < 3; ++i) {
      launch.local[i] = static_cast<size_t>(kernel.threads.at(i));
      launch.global[i] = launch.local[i] * static_cast<size_t>(kernel.blocks.at(i));
    }
    launch.kernel = library.CreateKernel(program_, kernel.name.c_str(), &error);
    if (error != kClSuccess) {
      return Error{ErrorKind::kCompile, kernel.name + ": " + ClErrorText(error)};
    }
    launches_.push_back(std::move(launch));
  }
  return {};
}

std::string BoundDeviceProgram::BuildLog() const {
  if (program_ == nullptr) return "";
  size_t size = 0;
  device_.library().GetProgramBuildInfo(program_, device_.device(), kClProgramBuildLog, 0, nullptr,
                                        &size);
  std::string log(size, '\0');
  if (size > 0) {
    device_.library().GetProgramBuildInfo(program_, device_.device(), kClProgramBuildLog, size,
                                          log.data(), nullptr);
  }
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log.empty() ? "" : "\n" + log.substr(0, kMostLog);
}

BoundDeviceProgram::~BoundDeviceProgram() {
  for (const Launch& launch : launches_) device_.library().ReleaseKernel(launch.kernel);
  if (program_ != nullptr) device_.library().ReleaseProgram(program_);
}

Result<void> BoundDeviceProgram::Bind(const std::vector<ClMemory>& parameters) {
  for (const Launch& launch : launches_) {
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const int32_t argument = launch.arguments[i];
      const ClMemory memory =
          argument >= 0 ? parameters.at(argument) : temporaries_.at(~argument).memory();
      const ClInt error = device_.library().SetKernelArg(launch.kernel, static_cast<ClUint>(i),
                                                         sizeof(ClMemory), &memory);
      if (error != kClSuccess) return Error{ErrorKind::kRun, ClErrorText(error)};
    }
  }
  return {};
}

Result<void> BoundDeviceProgram::Call() {
  const OpenClLibrary& library = device_.library();
  for (const Launch& launch : launches_) {
    const ClInt error =
        library.EnqueueNDRangeKernel(device_.queue(), launch.kernel, 3, nullptr, launch.global,
                                     launch.local, 0, nullptr, nullptr);
    if (error == kClSuccess) continue;
    const ErrorKind kind = IsOutOfMemory(error) ? ErrorKind::kRun : ErrorKind::kCompile;
    return Error{kind, "launch: " + ClErrorText(error)};
  }
  const ClInt error = library.Finish(device_.queue());
  if (error != kClSuccess) return Error{ErrorKind::kRun, "kernel: " + ClErrorText(error)};
  return {};
}

}  // namespace schedulegym
