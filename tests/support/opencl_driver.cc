// A text is built once and called on the kernel's own device memory. Each argument, and each buffer
// between kernels, is a separate buffer. Oclgrind checks the ends of buffers, so that they have no
// borders there: an access to a border would be legal. On other drivers borders show writes outside
// of a buffer.
#include "tests/support/opencl_driver.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "backends/device_text/device_text.h"

namespace schedulegym {
namespace {

constexpr size_t kMostReport = 2000;

// Drivers read these variables when a context is made.
void Configure(const std::filesystem::path& log) {
  setenv("POCL_KERNEL_CACHE", "0", 0);  // would keep texts of tests
  setenv("OCLGRIND_LOG", log.c_str(), 1);
  setenv("OCLGRIND_DATA_RACES", "1", 1);
  setenv("OCLGRIND_UNIFORM_WRITES", "1", 1);    // also of equal values
  setenv("OCLGRIND_MAX_ERRORS", "1000000", 1);  // per process; no reports after them
}

std::filesystem::path NewLog() {
  std::string name = (std::filesystem::temp_directory_path() / "sg-oclgrind-XXXXXX").string();
  if (const int file = mkstemp(name.data()); file >= 0) close(file);
  return name;
}

// A device buffer without borders.
class ExactBuffer : public DeviceTensor {
 public:
  ExactBuffer(const OpenClDevice& device, int64_t bytes)
      : device_(device), bytes_(static_cast<size_t>(bytes)) {
    memory_ =
        device.library().CreateBuffer(device.context(), kClMemReadWrite, bytes_, nullptr, &error_);
  }
  ~ExactBuffer() override {
    if (error_ == kClSuccess) device_.library().ReleaseMemObject(memory_);
  }
  ExactBuffer(const ExactBuffer&) = delete;
  ExactBuffer& operator=(const ExactBuffer&) = delete;

  ClInt error() const { return error_; }
  ClMemory memory() const { return memory_; }
  Result<void> Write(const void* from) override {
    return Done(device_.library().EnqueueWriteBuffer(device_.queue(), memory_, 1, 0, bytes_, from,
                                                     0, nullptr, nullptr));
  }
  Result<void> Read(void* to) const override {
    return Done(device_.library().EnqueueReadBuffer(device_.queue(), memory_, 1, 0, bytes_, to, 0,
                                                    nullptr, nullptr));
  }
  Result<void> FillBorders() override { return {}; }
  Result<bool> BordersIntact() const override { return true; }

 private:
  static Result<void> Done(ClInt error) {
    if (error == kClSuccess) return {};
    return Error{ErrorKind::kRun, ClErrorText(error)};
  }

  const OpenClDevice& device_;
  size_t bytes_;
  ClInt error_ = kClSuccess;
  ClMemory memory_ = nullptr;
};

class DriverKernel : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> Make(const LoopProgram& program, DeviceProgram device,
                                              OpenClDriver& driver) {
    std::unique_ptr<DriverKernel> kernel(new DriverKernel(driver));
    for (const Parameter& parameter : program.parameters) {
      if (auto made = kernel->Add(parameter.bytes, parameter.is_output); !made) return made.error();
    }
    for (const int64_t bytes : device.temporaries) {
      if (auto made = kernel->Add(bytes, false); !made) return made.error();
    }
    kernel->arguments_ = program.parameters.size();
    auto bound = BoundDeviceProgram::Make(
        driver.device(), WithoutTemporaries(std::move(device), kernel->arguments_));
    if (!bound) return bound.error();
    kernel->program_ = *std::move(bound);
    if (auto done = kernel->program_->Bind(kernel->memory_); !done) return done.error();
    return std::unique_ptr<Kernel>(std::move(kernel));
  }

  Result<void> Run(std::span<void* const> arguments) const override {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (auto done = buffers_[i]->FillBorders(); !done) return done;
      if (i >= arguments_) continue;
      if (auto done = buffers_[i]->Write(arguments[i]); !done) return done;
    }
    if (auto done = program_->Call(); !done) return done;
    if (const std::string reports = driver_.TakeReports(); !reports.empty()) {
      return Error{ErrorKind::kRun, "the driver reports: " + reports};
    }
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const Result<bool> intact = buffers_[i]->BordersIntact();
      if (!intact) return intact.error();
      if (!*intact) return Error{ErrorKind::kRun, "wrote beside buffer " + std::to_string(i)};
      if (!is_output_[i]) continue;
      if (auto done = buffers_[i]->Read(arguments[i]); !done) return done;
    }
    return {};
  }

  Result<void> Pack(int, const void*, void*) const override {
    return Error{ErrorKind::kUnsupported, "no packed weights"};
  }

 private:
  explicit DriverKernel(OpenClDriver& driver) : driver_(driver) {}

  // Buffers between kernels become arguments, after the program's own.
  static DeviceProgram WithoutTemporaries(DeviceProgram device, size_t arguments) {
    for (DeviceKernel& kernel : device.kernels) {
      for (int32_t& argument : kernel.arguments) {
        if (argument < 0) argument = static_cast<int32_t>(arguments) + ~argument;
      }
    }
    device.temporaries.clear();
    return device;
  }

  Result<void> Add(int64_t bytes, bool is_output) {
    const OpenClDevice& device = driver_.device();
    is_output_.push_back(is_output);
    if (driver_.is_oclgrind()) {
      auto exact = std::make_unique<ExactBuffer>(device, bytes);
      if (exact->error() != kClSuccess) {
        return Error{ErrorKind::kRun, "a buffer: " + ClErrorText(exact->error())};
      }
      memory_.push_back(exact->memory());
      buffers_.push_back(std::move(exact));
      return {};
    }
    Result<DeviceBuffer> made = DeviceBuffer::Make(device, bytes);
    if (!made) return made.error();
    memory_.push_back(made->memory());
    buffers_.push_back(std::make_unique<DeviceBuffer>(*std::move(made)));
    return {};
  }

  OpenClDriver& driver_;
  std::vector<std::unique_ptr<DeviceTensor>> buffers_;  // arguments, then those between kernels
  std::vector<ClMemory> memory_;
  std::vector<bool> is_output_;
  size_t arguments_ = 0;
  std::unique_ptr<BoundDeviceProgram> program_;
};

class OpenClDriverBackend : public Backend {
 public:
  OpenClDriverBackend(Target target, OpenClDriver& driver)
      : target_(std::move(target)), driver_(driver) {}

  const Target& target() const override { return target_; }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions&) const override {
    Result<DeviceProgram> device = DeviceText(program, OpenClDialect(), target_.gpu);
    if (!device) return device.error();
    return LoadOnDriver(program, *std::move(device), driver_);
  }
  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }

 private:
  Target target_;
  OpenClDriver& driver_;
};

}  // namespace

OpenClDriver::OpenClDriver() : log_(NewLog()) {
  Configure(log_);
  try {
    device_ = std::make_unique<OpenClDevice>("");
  } catch (...) {
    std::filesystem::remove(log_);
    throw;
  }
}

OpenClDriver::~OpenClDriver() {
  device_.reset();
  std::error_code ignored;
  std::filesystem::remove(log_, ignored);
}

bool OpenClDriver::is_oclgrind() const { return device_->description().platform == "Oclgrind"; }

std::string OpenClDriver::TakeReports() {
  std::ifstream file(log_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(taken_));
  std::string reports{std::istreambuf_iterator<char>(file), {}};
  taken_ += reports.size();
  return reports.substr(0, kMostReport);
}

void RenewDriver(std::unique_ptr<OpenClDriver>& driver) {
  if (driver && !driver->is_oclgrind()) return;
  driver.reset();
  driver = std::make_unique<OpenClDriver>();
}

bool FindsUnwritten() { return std::getenv("OCLGRIND_UNINITIALIZED") != nullptr; }

std::unique_ptr<Backend> MakeOpenClDriverBackend(const Target& target, OpenClDriver& driver) {
  return std::make_unique<OpenClDriverBackend>(target, driver);
}

Result<std::unique_ptr<Kernel>> LoadOnDriver(const LoopProgram& program, DeviceProgram device,
                                             OpenClDriver& driver) {
  return DriverKernel::Make(program, std::move(device), driver);
}

}  // namespace schedulegym
