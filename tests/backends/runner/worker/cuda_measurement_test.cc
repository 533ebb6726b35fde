// Kernels of CUDA through the checker's own steps, on a stand-in driver: good kernels are timed by
// events; each kind of fault costs only its own candidate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "backends/cuda/cuda_object.h"
#include "backends/cuda/nvrtc.h"
#include "backends/runner/device_target.h"
#include "backends/runner/measured_task.h"
#include "backends/runner/worker/checked_measurement.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "spaces/schedulegym/reference.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

// C[i] = A[i] + 1 for 256 cells.
constexpr char kDag[] = "input A[256]\nC[i:256] = A[i] + 1\n";
constexpr char kGood[] = "C[i] = A[i] + 1.0f;";

class CudaMeasurementTest : public testing::Test {
 protected:
  CudaMeasurementTest() : compiler_({SG_STAND_IN}) {}

  void SetUp() override {
    lock_ = testing::TempDir() + "/stand-in-" + std::to_string(getpid()) + ".lock";
    setenv("SCHEDULEGYM_DEVICE", SG_DEVICE, 1);
    setenv("SCHEDULEGYM_CUDA_DRIVER", SG_STAND_IN, 1);
    SetMachine("");
    const Target target = FindCudaDevices().targets.front();
    task_ = std::make_shared<const Task>(Task{TaskOf(kDag)->dag, target, "increment"});
  }

  void TearDown() override {
    unsetenv("SCHEDULEGYM_STAND_IN");
    unsetenv("SCHEDULEGYM_CUDA_DRIVER");
    std::filesystem::remove(lock_);
  }

  // Sets the stand-in's options for processes that start from now on.
  void SetMachine(const std::string& words) const {
    setenv("SCHEDULEGYM_STAND_IN", ("lock=" + lock_ + " " + words).c_str(), 1);
  }

  void Prepare(const CudaObject& reference, const std::string& protocol) {
    PrepareRequest request =
        MakePrepareRequest(task_, ReferenceSchedule(task_), ReferenceSchedule, protocol, 1);
    request.reference = CodeOf(reference);
    request.limits.call_seconds = 0.3;
    request.limits.ready_seconds = 2;
    checked_ = std::make_unique<CheckedTask>(request);
    Restart();
  }

  void Restart() {
    ++starts_;
    zygote_ = std::make_unique<ZygoteLink>(DeviceProgramPath{FindDeviceProgram()});
    ASSERT_TRUE(zygote_->SetUp(checked_->setup(), checked_->Files()));
  }

  ObjectCode CodeOf(const CudaObject& object) const {
    KernelContract contract;
    constexpr int64_t kBytes = 1024;
    contract.parameters = {{kBytes, false, false}, {kBytes, true, false}};
    return {Encode(object), contract};
  }

  // A kernel of one statement, 8 blocks of 32 threads; A and C are its arguments, i its number.
  CudaObject Kernel(const std::string& statement, const std::string& marks = "",
                    const std::string& architecture = "sm_90a") const {
    const std::string source = marks +
                               "extern \"C\" __global__ void __launch_bounds__(32)\n"
                               "k(const float* __restrict__ A, float* __restrict__ C) {\n"
                               "  const int i = (int)blockIdx.x * 32 + (int)threadIdx.x;\n  " +
                               statement + "\n}\n";
    Result<CudaCode> code = compiler_.Compile(source, architecture);
    EXPECT_TRUE(code) << code.error().message;
    return {{source, {{"k", {8, 1, 1}, {32, 1, 1}, {0, 1}, 0}}, {}}, std::move(code->cubin), {}};
  }

  CudaObject Marked(const std::string& fault) const {
    return Kernel(kGood, "// stand-in: fault=" + fault + "\n");
  }

  // The same kernel on one thread, the cheapest here; the stand-in reports `seconds` as its time.
  CudaObject Timed(const std::string& seconds) const {
    CudaObject object = Kernel("for (int j = 0; j < 256; ++j) C[j] = A[j] + 1.0f;",
                               "// stand-in: seconds=" + seconds + "\n");
    object.program.kernels.front().blocks = {1, 1, 1};
    object.program.kernels.front().threads = {1, 1, 1};
    return object;
  }

  Measurement Measure(const CudaObject& object) {
    if (zygote_->is_gone()) Restart();
    MeasureRequest request;
    request.code = CodeOf(object);
    return MeasureChecked(
        request, ++id_,
        {.task = *checked_, .zygote = *zygote_, .clock = clock_, .accepts_noise = true}, rng_);
  }

  // Runs twelve kernels that fail; `good_ones` good kernels follow each of them.
  void RunHostile(int good_ones);

  struct Verdicts {
    int ordered = 0;    // pairs with the right order, the second kernel being 3 % faster
    int different = 0;  // pairs of equal kernels reported as different
  };
  Verdicts OrderUnderNoise(int times);

  std::string lock_;
  Nvrtc compiler_;
  SteadyClock clock_;
  std::shared_ptr<const Task> task_;
  std::unique_ptr<CheckedTask> checked_;
  std::unique_ptr<ZygoteLink> zygote_;
  Rng rng_{7};
  uint64_t id_ = 0;
  int starts_ = 0;
};

void CudaMeasurementTest::RunHostile(int good_ones) {
  const CudaObject good = Kernel(kGood);
  Prepare(good, "gpu1(seconds=0.01,rounds=4,warmup_seconds=0)");
  struct Hostile {
    const char* name;
    CudaObject object;
    Outcome outcome;
  };
  CudaObject greedy = good, wide = good, shared = good, nameless = good, broken = good;
  greedy.program.temporaries = {int64_t{1} << 50};
  wide.program.kernels.front().threads = {4096, 1, 1};
  shared.program.kernels.front().shared_bytes = int64_t{1} << 20;
  nameless.program.kernels.front().name = "other";
  broken.cubin = "no machine code";
  const std::vector<Hostile> all = {
      {"illegal address", Marked("illegal_address"), Outcome::kRunSignal},
      {"endless loop", Marked("hang"), Outcome::kRunTimeout},
      {"no memory", greedy, Outcome::kOutOfMemory},
      {"lost device", Marked("lost"), Outcome::kDeviceLost},
      {"failed launch", Marked("launch"), Outcome::kLinkError},
      {"failed kernel", Marked("failed"), Outcome::kRunSignal},
      {"too many threads", wide, Outcome::kLinkError},
      {"too much shared memory", shared, Outcome::kLinkError},
      {"no such function", nameless, Outcome::kLinkError},
      {"no machine code", broken, Outcome::kLinkError},
      {"another architecture", Kernel(kGood, "", "sm_80"), Outcome::kLinkError},
      {"beside a tensor", Kernel("C[i] = A[i] + 1.0f; if (i == 0) C[256 + 5] = 0;"),
       Outcome::kOobWrite},
  };
  ASSERT_EQ(all.size(), 12u);
  for (const Hostile& hostile : all) {
    const Measurement measured = Measure(hostile.object);
    EXPECT_EQ(measured.outcome, hostile.outcome) << hostile.name << ": " << measured.message;
    EXPECT_EQ(measured.message.find('\n'), std::string::npos) << measured.message;
    for (int i = 0; i < good_ones; ++i) {
      const double begin = clock_.Now();
      const Measurement next = Measure(good);
      EXPECT_EQ(next.outcome, Outcome::kOk) << "after " << hostile.name << ": " << next.message;
      EXPECT_LT(clock_.Now() - begin, 1) << "after " << hostile.name;
    }
  }
  // Four kernels break the context or never end, and end the process; the others do not.
  EXPECT_EQ(starts_, 1 + 4);
}

CudaMeasurementTest::Verdicts CudaMeasurementTest::OrderUnderNoise(int times) {
  SetMachine("noise=0.02");
  const CudaObject reference = Timed("0.000001"), faster = Timed("0.00000097");
  Prepare(reference, "gpu1(warmup_seconds=0)");
  Verdicts verdicts;
  for (int i = 0; i < times; ++i) {
    const Measurement better = Measure(faster), equal = Measure(reference);
    EXPECT_EQ(better.outcome, Outcome::kOk) << better.message;
    EXPECT_EQ(equal.outcome, Outcome::kOk) << equal.message;
    if (!better.ok() || !equal.ok()) continue;
    verdicts.ordered += better.timing->ratio.median > 1 ? 1 : 0;
    verdicts.different += equal.timing->ratio.low > 1 || equal.timing->ratio.high < 1 ? 1 : 0;
  }
  return verdicts;
}

TEST_F(CudaMeasurementTest, TimesByTheDevicesClock) {
  const std::string protocol = "gpu1(warmup_seconds=0)";
  Prepare(Timed("0.000002"), protocol);
  const Measurement good = Measure(Timed("0.000001"));
  ASSERT_EQ(good.outcome, Outcome::kOk) << good.message << good.stderr_tail;
  EXPECT_EQ(good.timing->calls_per_sample, 1);
  EXPECT_GE(good.timing->samples.size(), 11u);
  EXPECT_NEAR(good.timing->ratio.median, 2, 1e-6);
  EXPECT_NEAR(good.timing->seconds, 1e-6, 1e-12);
  // The host's clock has not advanced by as much, and a sample may not be longer than that.
  EXPECT_EQ(Measure(Timed("0.5")).outcome, Outcome::kCorruptResult);
}

// A good kernel follows each hostile one and must not be affected.
TEST_F(CudaMeasurementTest, TwelveHostileKernelsHarmNoOther) { RunHostile(1); }

// The process is killed during setup, loading, verification and timing; the next one is new.
TEST_F(CudaMeasurementTest, OutlivesTheEndOfItsProcessInEachPhase) {
  const CudaObject good = Kernel(kGood);
  Prepare(good, "gpu1(seconds=0.01,rounds=4,warmup_seconds=0)");
  struct End {
    const char* function;
    Outcome outcome;
    const char* phase;
  };
  for (const End& end : {End{"cuCtxSetCurrent", Outcome::kLinkError, "before its first call"},
                         End{"cuMemAlloc_v2", Outcome::kLinkError, "before its first call"},
                         End{"cuModuleLoadData", Outcome::kLinkError, "before its first call"},
                         End{"cuModuleGetFunction", Outcome::kLinkError, "before its first call"},
                         End{"cuMemcpyHtoD_v2", Outcome::kRunSignal, "in a call"},
                         End{"cuLaunchKernel", Outcome::kRunSignal, "in a call"},
                         End{"cuMemcpyDtoH_v2", Outcome::kRunSignal, "in a call"},
                         End{"cuMemsetD8Async", Outcome::kRunSignal, "while it was timed"}}) {
    SetMachine(std::string("die=") + end.function);
    Restart();
    const Measurement ended = Measure(good);
    EXPECT_THAT(ended.message, HasSubstr("SIGTERM")) << end.function;
    SetMachine("");
    if (ended.outcome == Outcome::kInfra) {
      // The process ended before it got a candidate: measurers try again in a fresh process.
      EXPECT_EQ(end.outcome, Outcome::kLinkError) << end.function << ": " << ended.message;
      Restart();
    } else {
      EXPECT_EQ(ended.outcome, end.outcome) << end.function << ": " << ended.message;
      EXPECT_THAT(ended.message, HasSubstr(end.phase)) << end.function;
    }
    const Measurement next = Measure(good);
    EXPECT_EQ(next.outcome, Outcome::kOk) << "after " << end.function << ": " << next.message;
  }
}

TEST_F(CudaMeasurementTest, FindsWrongAndMissingValues) {
  Prepare(Kernel(kGood), "gpu1(seconds=0.01,rounds=4,warmup_seconds=0)");
  EXPECT_EQ(Measure(Kernel("C[i] = A[i] + 2.0f;")).outcome, Outcome::kWrongOutput);
  EXPECT_EQ(Measure(Kernel("if (i < 255) C[i] = A[i] + 1.0f;")).outcome, Outcome::kWrongOutput);
  // On integers bits are compared: a bound on reals would allow this difference.
  EXPECT_EQ(Measure(Kernel("C[i] = (A[i] + 1.0f) * 1.0000001f;")).outcome, Outcome::kWrongOutput);
}

TEST_F(CudaMeasurementTest, SaysWhatMachineIsMissing) {
  const auto fault = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  const Target h100 = MakeTarget(ParseSpec("cuda(card=h100)").value());
  SetMachine("devices=2");
  const std::string several = fault([&] { CheckCudaDevice(FindCudaDevices(), h100, "13.0"); });
  EXPECT_THAT(several, HasSubstr("'Stand-in H100 0' (sm_90a), 'Stand-in H100 1' (sm_90a)"));
  EXPECT_EQ(WithDeviceFacts(ParseSpec("cuda(device=\"H100 1\")").value()).gpu.name,
            "Stand-in H100 1");
  EXPECT_THAT(fault([] { WithDeviceFacts(ParseSpec("cuda").value()); }),
              HasSubstr("of which there are 2"));
  SetMachine("driver=12040");
  EXPECT_THAT(fault([&] { CheckCudaDevice(FindCudaDevices(), h100, "13.0"); }),
              HasSubstr("the driver is for CUDA 12.4, older than NVRTC 13.0"));
  SetMachine("driver=11080");
  EXPECT_THAT(fault([] { FindCudaDevices(); }), HasSubstr("is for CUDA 11.8, expected 12.0"));
  SetMachine("devices=0");
  EXPECT_THAT(fault([] { FindCudaDevices(); }), HasSubstr("no CUDA device: asked the driver"));
  setenv("SCHEDULEGYM_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_THAT(fault([] { FindCudaDevices(); }),
              testing::AllOf(HasSubstr("no CUDA driver: looked for /nowhere/libcuda.so.1"),
                             HasSubstr("nvidia-driver"), HasSubstr("--measure analytical")));
}

TEST_F(CudaMeasurementTest, OrdersSmallDifferencesUnderNoise) {
  const Verdicts verdicts = OrderUnderNoise(20);
  EXPECT_EQ(verdicts.ordered, 20);
  EXPECT_LE(verdicts.different, 4);
}

// The counts required for a release. Takes minutes.
class CudaManyKernelsTest : public CudaMeasurementTest {};

TEST_F(CudaManyKernelsTest, TwelveHostileKernelsAmongAThousand) { RunHostile(83); }

// A 95 % interval of equal kernels exceeds 16 of 200 once in twenty times.
TEST_F(CudaManyKernelsTest, OrdersAThousandSmallDifferences) {
  const Verdicts verdicts = OrderUnderNoise(1000);
  EXPECT_GE(verdicts.ordered, 995);
  EXPECT_LE(verdicts.different, 80);
  std::printf("ordered %d, called different %d, of 1000\n", verdicts.ordered, verdicts.different);
}

}  // namespace
}  // namespace schedulegym
