// Kernels through CUDA's driver API. Of the process's context every error that a kernel causes is
// sticky: all further calls fail, so that the fault is noted and the process is to end (CUDA Driver
// API, CUDA_ERROR_ILLEGAL_ADDRESS: "the process must be terminated and relaunched"). A call is
// timed by two events on one stream: the time of the launch itself is not in it while work is
// queued before. Cost of a call: about 10 us beside its kernels, 2 x L2 / bandwidth more while it
// is timed.
#include "backends/device/cuda_device.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backends/cuda/cuda_object.h"
#include "backends/device_text/dialect.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/program/targets/gpu_choice.h"

namespace schedulegym {
namespace {

// Of f32 and f64 it is no number.
constexpr uint32_t kBorderWord = 0xFFFFB5B5;
constexpr int64_t kBorderBytes = 4096;
using Border = std::array<uint32_t, kBorderBytes / sizeof(uint32_t)>;

Border MakeBorder() {
  Border border;
  border.fill(kBorderWord);
  return border;
}

// cudaError_enum of cuda.h, release 13.0: errors that break the context, and errors of the device.
constexpr int kBreaking[] = {700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721};
constexpr int kLosing[] = {46, 100, 101, 214, 220, 226, 802, 999};

bool IsOneOf(std::span<const int> results, int result) {
  return std::ranges::find(results, result) != results.end();
}

int Attribute(const CudaDriver& driver, cuda::Device device, int attribute, int otherwise) {
  int value = otherwise;
  return driver.device_attribute(&value, attribute, device) == cuda::kSuccess ? value : otherwise;
}

void Need(const CudaDriver& driver, const char* what, int result) {
  if (result == cuda::kSuccess) return;
  throw MachineError(std::string("a device of CUDA does not say its ") + what + ": " +
                     driver.ErrorText(result));
}

Target Describe(const CudaDriver& driver, cuda::Device device) {
  const auto number = [&](int attribute, int otherwise) {
    return Attribute(driver, device, attribute, otherwise);
  };
  char name[256] = {};
  Need(driver, "name", driver.device_name(name, sizeof name - 1, device));
  Target target;
  target.backend = BackendKind::kCuda;
  target.cpu = "generic";
  GpuFacts& facts = target.gpu;
  facts.name = name;
  int major = 0;
  Need(driver, "architecture", driver.device_attribute(&major, cuda::kMajor, device));
  // From 9.0 on some instructions exist only in code for "sm_90a" and the like.
  facts.arch = "sm_" + std::to_string(major) + std::to_string(number(cuda::kMinor, 0)) +
               (major == 9 ? "a" : "");
  facts.units = number(cuda::kMultiprocessors, facts.units);
  facts.warp = number(cuda::kWarp, facts.warp);
  facts.threads = number(cuda::kThreadsOfBlock, facts.threads);
  facts.shared_bytes = number(cuda::kSharedBytesOfBlock, 48 << 10);
  facts.block_registers = number(cuda::kRegistersOfBlock, facts.block_registers);
  facts.l2_bytes = number(cuda::kL2Bytes, 0);
  // Two transfers a clock.
  facts.bandwidth = 2e3 * number(cuda::kMemoryClock, 0) * number(cuda::kMemoryBusWidth, 0) / 8;
  size_t memory = 0;
  Need(driver, "memory", driver.device_memory(&memory, device));
  target.memory_bytes = static_cast<int64_t>(memory);
  return target;
}

class CudaTensor : public DeviceTensor {
 public:
  CudaTensor(CudaDevice& device, cuda::Address outer, int64_t bytes)
      : device_(device), outer_(outer), bytes_(bytes) {}
  ~CudaTensor() override { device_.driver().free(outer_); }
  CudaTensor(const CudaTensor&) = delete;
  CudaTensor& operator=(const CudaTensor&) = delete;

  cuda::Address address() const { return outer_ + kBorderBytes; }

  Result<void> Write(const void* from) override {
    return device_.Checked("writing to the device",
                           device_.driver().copy_in(address(), from, Size()));
  }
  Result<void> Read(void* to) const override {
    return device_.Checked("reading from the device",
                           device_.driver().copy_out(to, address(), Size()));
  }
  Result<void> FillBorders() override {
    const Border border = MakeBorder();
    for (const cuda::Address at : Borders()) {
      const int result = device_.driver().copy_in(at, border.data(), kBorderBytes);
      if (auto done = device_.Checked("writing to the device", result); !done) return done;
    }
    return {};
  }
  Result<bool> BordersIntact() const override {
    Border border;
    for (const cuda::Address at : Borders()) {
      const int result = device_.driver().copy_out(border.data(), at, kBorderBytes);
      if (auto done = device_.Checked("reading from the device", result); !done) {
        return done.error();
      }
      if (border != MakeBorder()) return false;
    }
    return true;
  }

 private:
  size_t Size() const { return static_cast<size_t>(bytes_); }
  std::array<cuda::Address, 2> Borders() const { return {outer_, address() + Size()}; }

  CudaDevice& device_;
  cuda::Address outer_;
  int64_t bytes_;
};

class CudaProgram : public LoadedProgram {
 public:
  explicit CudaProgram(CudaDevice& device) : device_(device) {}
  ~CudaProgram() override {
    if (module_ != nullptr) device_.driver().unload(module_);
  }
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  Result<void> Build(const CudaObject& object,
                     std::span<const std::unique_ptr<DeviceTensor>> parameters) {
    const CudaDriver& driver = device_.driver();
    if (auto loaded = Understood(driver.load(&module_, object.cubin.data())); !loaded) {
      module_ = nullptr;
      return loaded;
    }
    for (const int64_t bytes : object.program.temporaries) {
      auto tensor = device_.Allocate(bytes);
      if (!tensor) return tensor.error();
      temporaries_.push_back(*std::move(tensor));
    }
    for (const DeviceKernel& kernel : object.program.kernels) {
      if (auto added = Add(kernel, parameters); !added) return added;
    }
    return {};
  }

  Result<void> Call() override {
    return device_.Run([this] { return LaunchAll(); });
  }

 private:
  struct Launch {
    std::string name;
    cuda::Function function = nullptr;
    std::array<unsigned, 3> blocks, threads;
    unsigned shared_bytes = 0;
    std::vector<cuda::Address> arguments;
  };

  Result<void> Understood(int result) {
    auto done = device_.Checked("the driver refuses the machine code for this device (" +
                                    device_.facts().arch + ", CUDA " +
                                    CudaVersionText(device_.driver().version) + ")",
                                result);
    if (!done && device_.fault() == DeviceFault::kRefused) {
      return Error{ErrorKind::kCompile, done.error().message};
    }
    return done;
  }

  Result<void> Add(const DeviceKernel& kernel,
                   std::span<const std::unique_ptr<DeviceTensor>> parameters) {
    const CudaDriver& driver = device_.driver();
    Launch launch;
    launch.name = kernel.name;
    for (size_t i = 0; i < 3; ++i) {
      launch.blocks[i] = static_cast<unsigned>(kernel.blocks.at(i));
      launch.threads[i] = static_cast<unsigned>(kernel.threads.at(i));
    }
    for (const int32_t argument : kernel.arguments) {
      const auto& tensor =
          argument >= 0 ? parameters[static_cast<size_t>(argument)] : temporaries_.at(~argument);
      launch.arguments.push_back(static_cast<const CudaTensor&>(*tensor).address());
    }
    launch.shared_bytes = static_cast<unsigned>(DynamicSharedBytes(kernel));
    int result = driver.find_function(&launch.function, module_, kernel.name.c_str());
    if (result == cuda::kSuccess && launch.shared_bytes > 0) {
      result = driver.set_function(launch.function, cuda::kDynamicSharedBytes,
                                   static_cast<int>(launch.shared_bytes));
    }
    if (auto done = device_.Checked(kernel.name, result); !done) {
      return Error{ErrorKind::kCompile, done.error().message};
    }
    launches_.push_back(std::move(launch));
    return {};
  }

  Result<void> LaunchAll() {
    for (Launch& launch : launches_) {
      std::vector<void*> arguments;
      for (cuda::Address& address : launch.arguments) arguments.push_back(&address);
      const int result = device_.driver().launch(
          launch.function, launch.blocks[0], launch.blocks[1], launch.blocks[2], launch.threads[0],
          launch.threads[1], launch.threads[2], launch.shared_bytes, device_.stream(),
          arguments.data(), nullptr);
      if (auto done = device_.Checked("launch of " + launch.name, result); !done) return done;
    }
    return {};
  }

  CudaDevice& device_;
  cuda::Module module_ = nullptr;
  std::vector<std::unique_ptr<DeviceTensor>> temporaries_;
  std::vector<Launch> launches_;
};

}  // namespace

std::vector<Target> ListCudaDevices(const CudaDriver& driver) {
  int count = 0;
  driver.device_count(&count);
  std::vector<Target> targets;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cuda::Device device = 0;
    Need(driver, "number", driver.device_get(&device, ordinal));
    targets.push_back(Describe(driver, device));
  }
  return targets;
}

CudaDevice::CudaDevice(const GpuFacts& wanted) : driver_(CudaDriver::Open()) {
  calls_are_cold_ = true;
  std::vector<GpuFacts> devices;
  for (const Target& target : ListCudaDevices(*driver_)) devices.push_back(target.gpu);
  const size_t ordinal = ChooseGpu(devices, wanted);
  facts_ = devices[ordinal];
  cuda::Device device = 0;
  char bus[64] = {};
  driver_->device_get(&device, static_cast<int>(ordinal));
  driver_->device_bus(bus, sizeof bus - 1, device);
  clocks_ = std::make_unique<DeviceClocks>(bus);
  int result = driver_->retain_context(&context_, device);
  if (result == cuda::kSuccess) result = driver_->set_context(context_);
  if (result == cuda::kSuccess) result = driver_->create_stream(&stream_, cuda::kNonBlocking);
  if (result == cuda::kSuccess) result = driver_->create_event(&begin_, 0);
  if (result == cuda::kSuccess) result = driver_->create_event(&end_, 0);
  if (result != cuda::kSuccess) {
    throw MachineError("device '" + facts_.name +
                       "' cannot be used: " + driver_->ErrorText(result));
  }
}

Result<void> CudaDevice::Checked(const std::string& what, int result) {
  if (result == cuda::kSuccess) return {};
  Note(result);
  const bool is_refused = fault_ == DeviceFault::kRefused;
  return Error{is_refused ? ErrorKind::kCompile : ErrorKind::kRun,
               what + ": " + driver_->ErrorText(result)};
}

void CudaDevice::Note(int result) {
  if (IsOneOf(kLosing, result)) {
    fault_ = DeviceFault::kLost;
  } else if (IsOneOf(kBreaking, result)) {
    fault_ = DeviceFault::kBroken;
  } else {
    fault_ = result == cuda::kOutOfMemory ? DeviceFault::kNoMemory : DeviceFault::kRefused;
  }
}

Result<std::unique_ptr<DeviceTensor>> CudaDevice::Allocate(int64_t bytes) {
  cuda::Address outer = 0;
  const auto outer_bytes = static_cast<size_t>(bytes + 2 * kBorderBytes);
  if (auto done = Checked("a tensor of " + std::to_string(bytes) + " bytes",
                          driver_->allocate(&outer, outer_bytes));
      !done) {
    return Error{ErrorKind::kRun, done.error().message};
  }
  std::unique_ptr<DeviceTensor> tensor = std::make_unique<CudaTensor>(*this, outer, bytes);
  return tensor;
}

Result<std::unique_ptr<LoadedProgram>> CudaDevice::Load(
    const std::string& object, std::span<const std::unique_ptr<DeviceTensor>> parameters) {
  const Result<CudaObject> decoded = Decode<CudaObject>(object);
  if (!decoded) return decoded.error();
  auto program = std::make_unique<CudaProgram>(*this);
  if (auto built = program->Build(*decoded, parameters); !built) return built.error();
  return std::unique_ptr<LoadedProgram>(std::move(program));
}

Result<void> CudaDevice::EmptyCaches() {
  const auto bytes = static_cast<size_t>(2 * facts_.l2_bytes);
  if (bytes == 0) return {};
  if (wiped_ == 0) {
    auto done = Checked("memory to empty the caches", driver_->allocate(&wiped_, bytes));
    if (!done) return done;
  }
  return Checked("emptying the caches", driver_->fill_later(wiped_, 0, bytes, stream_));
}

// The host polls, so that a kernel without end leaves this process able to be ended.
Result<double> CudaDevice::TimeOne(const std::function<Result<void>()>& launch) {
  constexpr int kBusyPolls = 10'000;
  constexpr useconds_t kPause = 50;
  if (is_timed_) {
    if (auto done = EmptyCaches(); !done) return done.error();
  }
  if (auto done = Checked("an event", driver_->record(begin_, stream_)); !done) {
    return done.error();
  }
  if (auto done = launch(); !done) return done.error();
  if (auto done = Checked("an event", driver_->record(end_, stream_)); !done) return done.error();
  int result = cuda::kNotReady;
  for (int poll = 0; result == cuda::kNotReady; ++poll) {
    if (poll > kBusyPolls) usleep(kPause);
    result = driver_->query(end_);
  }
  float milliseconds = 0;
  if (result == cuda::kSuccess) result = driver_->elapsed(&milliseconds, begin_, end_);
  if (auto done = Checked("kernel", result); !done)
    return Error{ErrorKind::kRun, done.error().message};
  return 1e-3 * static_cast<double>(milliseconds);
}

void CudaDevice::SetTiming(bool is_timed) {
  constexpr int kMostRepeats = 4;
  is_timed_ = is_timed;
  repeats_left_ = kMostRepeats;
}

Result<void> CudaDevice::Run(const std::function<Result<void>()>& launch) {
  constexpr useconds_t kPause = 50'000;
  while (true) {
    // Before a call the clock itself may be low: the device may have been idle.
    const auto before = is_timed_ ? clocks_->Read() : std::nullopt;
    const Result<double> seconds = TimeOne(launch);
    if (!seconds) return seconds.error();
    const auto reading = is_timed_ ? clocks_->Read() : std::nullopt;
    const bool is_disturbed =
        (before && before->is_held_down()) || (reading && reading->is_disturbed());
    if (is_disturbed && repeats_left_ > 0) {
      --repeats_left_;
      usleep(kPause);
      continue;
    }
    clock_.seconds += *seconds;
    cycles_ += *seconds * reading.value_or(ClockReading()).hertz;
    return {};
  }
}

}  // namespace schedulegym
