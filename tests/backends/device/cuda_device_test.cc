// A device of CUDA on the stand-in driver: calls between events, cold caches, borders, and the
// errors that report a failing driver.
#include "backends/device/cuda_device.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/cuda_object.h"
#include "backends/cuda/nvrtc.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kBytes = 1024;

class CudaDeviceTest : public testing::Test {
 protected:
  CudaDeviceTest() : compiler_({SG_STAND_IN}) {
    setenv("SCHEDULEGYM_CUDA_DRIVER", SG_STAND_IN, 1);
    setenv("SCHEDULEGYM_NVML", SG_STAND_IN, 1);
    SetMachine("");
  }
  ~CudaDeviceTest() override {
    unsetenv("SCHEDULEGYM_CUDA_DRIVER");
    unsetenv("SCHEDULEGYM_STAND_IN");
    unsetenv("SCHEDULEGYM_NVML");
  }

  static void SetMachine(const char* words) { setenv("SCHEDULEGYM_STAND_IN", words, 1); }

  // Adds 1 to 256 reals; with `beside`, also writes one more real beside them.
  std::string Object(const std::string& marks = "", const std::string& beside = "",
                     int64_t shared_bytes = 0) const {
    const std::string source = marks +
                               "extern \"C\" __global__ void __launch_bounds__(32)\n"
                               "k(const float* __restrict__ A, float* __restrict__ C) {\n"
                               "  const int i = (int)blockIdx.x * 32 + (int)threadIdx.x;\n"
                               "  C[i] = A[i] + 1.0f;\n" +
                               beside + "}\n";
    const Result<CudaCode> code = compiler_.Compile(source, "sm_90a");
    EXPECT_TRUE(code) << code.error().message;
    return Encode(CudaObject{
        {source, {{"k", {8, 1, 1}, {32, 1, 1}, {0, 1}, shared_bytes}}, {}}, code->cubin, {}});
  }

  static std::unique_ptr<CudaDevice> Device() {
    GpuFacts facts;
    facts.arch = "sm_90a";
    return std::make_unique<CudaDevice>(facts);
  }

  static std::vector<std::unique_ptr<DeviceTensor>> TensorsOf(ComputeDevice& device) {
    std::vector<std::unique_ptr<DeviceTensor>> tensors;
    for (int i = 0; i < 2; ++i) tensors.push_back(device.Allocate(kBytes).value());
    for (auto& tensor : tensors) EXPECT_TRUE(tensor->FillBorders());
    return tensors;
  }

  static long Counted(const char* name) {
    void* library = dlopen(SG_STAND_IN, RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<long (*)()>(dlsym(library, name))();
  }

  Nvrtc compiler_;
};

TEST_F(CudaDeviceTest, SaysItsFacts) {
  const std::vector<Target> devices = ListCudaDevices(*CudaDriver::Open());
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].gpu.name, "Stand-in H100 0");
  EXPECT_EQ(devices[0].gpu.arch, "sm_90a");
  EXPECT_EQ(devices[0].gpu.units, 132);
  EXPECT_EQ(devices[0].gpu.shared_bytes, 227 << 10);
  EXPECT_EQ(devices[0].memory_bytes, int64_t{1} << 32);
  // 2 GHz, two transfers a clock, 5120 bits.
  EXPECT_DOUBLE_EQ(devices[0].gpu.bandwidth, 2.56e12);
}

TEST_F(CudaDeviceTest, RunsBetweenEvents) {
  const auto device = Device();
  auto tensors = TensorsOf(*device);
  std::vector<float> values(256, 2.0f);
  ASSERT_TRUE(tensors[0]->Write(values.data()));
  const auto program = device->Load(Object("// stand-in: seconds=0.5\n"), tensors).value();
  ASSERT_TRUE(program->Call());
  ASSERT_TRUE(tensors[1]->Read(values.data()));
  EXPECT_THAT(values, testing::Each(3.0f));
  EXPECT_TRUE(tensors[1]->BordersIntact().value());
  EXPECT_FLOAT_EQ(static_cast<float>(device->clock().Now()), 0.5f);
}

TEST_F(CudaDeviceTest, EmptiesCachesBeforeTimedCallsAlone) {
  const auto device = Device();
  auto tensors = TensorsOf(*device);
  const auto program = device->Load(Object(), tensors).value();
  const long before = Counted("stand_in_fills");
  ASSERT_TRUE(program->Call());
  EXPECT_EQ(Counted("stand_in_fills"), before);
  device->SetTiming(true);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(program->Call());
  EXPECT_EQ(Counted("stand_in_fills"), before + 3);
}

TEST_F(CudaDeviceTest, NamesAVariableThatIsNoNvml) {
  for (const char* wrong : {"/nowhere/libnvidia-ml.so.1", "libm.so.6"}) {
    setenv("SCHEDULEGYM_NVML", wrong, 1);
    try {
      Device();
      ADD_FAILURE() << wrong;
    } catch (const MachineError& fault) {
      EXPECT_THAT(fault.what(), testing::AllOf(HasSubstr("SCHEDULEGYM_NVML"), HasSubstr(wrong),
                                               HasSubstr("libnvidia-ml1")));
    }
  }
}

// Three calls. A clock of 1.6 of 2 GHz is not throttled. A clock is throttled if the driver reports
// heat before or after a call, or if it runs at half of its speed.
TEST_F(CudaDeviceTest, RepeatsCallsWhileTheClockIsHeldDown) {
  const std::string object = Object("// stand-in: seconds=0.25\n");
  struct Case {
    const char* machine;
    int launches;
    double cycles;
  };
  for (const Case& one : {Case{"megahertz=1600", 3, 1.2e9}, Case{"reasons=64", 7, 1.5e9},
                          Case{"reasons_before=64", 7, 1.5e9}, Case{"megahertz=1000", 7, 0.75e9}}) {
    SetMachine(one.machine);
    const auto device = Device();
    auto tensors = TensorsOf(*device);
    const auto program = device->Load(object, tensors).value();
    const long before = Counted("stand_in_launches");
    device->SetTiming(true);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(program->Call());
    device->SetTiming(false);
    EXPECT_EQ(Counted("stand_in_launches") - before, one.launches) << one.machine;
    EXPECT_NEAR(device->cycles(), one.cycles, 1e3) << one.machine;
    EXPECT_FLOAT_EQ(static_cast<float>(device->clock().Now()), 0.75f) << one.machine;
  }
}

TEST_F(CudaDeviceTest, SeesWhatIsWrittenBesideATensor) {
  for (const char* place : {"256", "-1"}) {
    const auto device = Device();
    auto tensors = TensorsOf(*device);
    const std::string beside = std::string("  if (i == 0) C[") + place + "] = 0.0f;\n";
    ASSERT_TRUE(device->Load(Object("", beside), tensors).value()->Call());
    EXPECT_FALSE(tensors[1]->BordersIntact().value()) << place;
    EXPECT_TRUE(tensors[0]->BordersIntact().value()) << place;
  }
}

// Each failure of the driver is reported in one line, with the driver's name for it.
TEST_F(CudaDeviceTest, SaysWhichCallFailed) {
  // More shared memory than a launch may have by default.
  const std::string object = Object("", "", 64 << 10);
  const auto fault = [&]() -> std::string {
    try {
      const auto device = Device();
      std::vector<std::unique_ptr<DeviceTensor>> tensors;
      for (int i = 0; i < 2; ++i) {
        auto tensor = device->Allocate(kBytes);
        if (!tensor) return tensor.error().message;
        tensors.push_back(*std::move(tensor));
        if (auto done = tensors.back()->FillBorders(); !done) return done.error().message;
      }
      const auto program = device->Load(object, tensors);
      if (!program) return program.error().message;
      device->SetTiming(true);
      if (auto done = (*program)->Call(); !done) return done.error().message;
      const Result<bool> intact = tensors[0]->BordersIntact();
      return intact ? "" : intact.error().message;
    } catch (const MachineError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(fault(), "");
  for (const char* function : {"cuInit",
                               "cuDeviceGetCount",
                               "cuDeviceGet",
                               "cuDeviceGetName",
                               "cuDeviceGetAttribute",
                               "cuDeviceTotalMem_v2",
                               "cuFuncSetAttribute",
                               "cuDevicePrimaryCtxRetain",
                               "cuCtxSetCurrent",
                               "cuStreamCreate",
                               "cuEventCreate",
                               "cuMemAlloc_v2",
                               "cuMemcpyHtoD_v2",
                               "cuMemcpyDtoH_v2",
                               "cuMemsetD8Async",
                               "cuModuleLoadData",
                               "cuModuleGetFunction",
                               "cuLaunchKernel",
                               "cuEventRecord",
                               "cuEventQuery",
                               "cuEventElapsedTime"}) {
    SetMachine((std::string("fail=") + function + ":2").c_str());
    const std::string said = fault();
    EXPECT_THAT(said, HasSubstr("CUDA_ERROR_OUT_OF_MEMORY (2)")) << function;
    EXPECT_EQ(said.find('\n'), std::string::npos) << function;
  }
  // Failures to free memory, or to find the device's clock, are ignored.
  for (const char* function : {"cuModuleUnload", "cuMemFree_v2", "cuDeviceGetPCIBusId"}) {
    SetMachine((std::string("fail=") + function + ":2").c_str());
    EXPECT_EQ(fault(), "") << function;
  }
}

TEST_F(CudaDeviceTest, NamesCubinsOfAnotherArchitecture) {
  const auto device = Device();
  auto tensors = TensorsOf(*device);
  const std::string source =
      "extern \"C\" __global__ void __launch_bounds__(32)\nk(float* __restrict__ C) {}\n";
  const CudaObject object = {{source, {{"k", {1, 1, 1}, {1, 1, 1}, {0}, 0}}, {}},
                             compiler_.Compile(source, "sm_86")->cubin,
                             {}};
  const auto program = device->Load(Encode(object), tensors);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, ErrorKind::kCompile);
  EXPECT_THAT(program.error().message,
              HasSubstr("refuses the machine code for this device (sm_90a, CUDA 13.0)"));
}

TEST_F(CudaDeviceTest, RefusesOtherDevices) {
  GpuFacts facts;
  facts.arch = "sm_120";
  try {
    const CudaDevice device(facts);
    FAIL() << "a device of another architecture";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'Stand-in H100 0' (sm_90a), expected one that runs"));
  }
}

}  // namespace
}  // namespace schedulegym
