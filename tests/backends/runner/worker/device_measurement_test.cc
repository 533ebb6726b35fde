// Kernels of a device through the checker's own steps: good kernels are timed; each kind of fault
// costs only its own candidate. Skipped if no OpenCL driver is installed.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "backends/device_text/device_text.h"
#include "backends/runner/device_target.h"
#include "backends/runner/measured_task.h"
#include "backends/runner/worker/checked_measurement.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/lower/lower.h"
#include "spaces/schedulegym/reference.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// C[i] = A[i] + 1 for 256 cells.
constexpr char kDag[] = "input A[256]\nC[i:256] = A[i] + 1\n";

class DeviceMeasurementTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("SCHEDULEGYM_DEVICE", SG_DEVICE, 1);
    try {
      const Target target = OpenClTargets().front();
      task_ = std::make_shared<const Task>(Task{TaskOf(kDag)->dag, target, "increment"});
    } catch (const MachineError& missing) {
      GTEST_SKIP() << missing.what();
    }
    const ScheduleState reference = ReferenceSchedule(task_);
    reference_ = DeviceText(Lower(reference).value(), OpenClDialect()).value();
    PrepareRequest request = MakePrepareRequest(task_, reference, ReferenceSchedule, Protocol(), 1);
    request.reference = CodeOf(reference_);
    request.limits.call_seconds = 2;
    request.limits.ready_seconds = 2;
    checked_ = std::make_unique<CheckedTask>(request);
    Restart();
  }

  virtual std::string Protocol() const { return "cpu1(seconds=0.02)"; }

  void Restart() {
    zygote_ = std::make_unique<ZygoteLink>(DeviceProgramPath{FindDeviceProgram()});
    ASSERT_TRUE(zygote_->SetUp(checked_->setup(), checked_->Files()));
  }

  ObjectCode CodeOf(const DeviceProgram& program) const {
    KernelContract contract;
    constexpr int64_t kBytes = 1024;
    contract.parameters = {{kBytes, false, false}, {kBytes, true, false}};
    return {Encode(program), contract};
  }

  // A kernel of one statement, 8 blocks of 32 threads; A and C are its arguments, i its number.
  static DeviceProgram Kernel(const std::string& statement) {
    return {
        "__kernel void k(__global const float* A, __global float* C) {\n"
        "  const int i = get_global_id(0);\n  " +
            statement + "\n}\n",
        {{"k", {8, 1, 1}, {32, 1, 1}, {0, 1}}},
        {}};
  }

  Measurement Measure(const DeviceProgram& program) {
    if (zygote_->is_gone()) Restart();
    MeasureRequest request;
    request.code = CodeOf(program);
    Rng rng(7);
    return MeasureChecked(
        request, ++id_,
        {.task = *checked_, .zygote = *zygote_, .clock = clock_, .accepts_noise = true}, rng);
  }

  void ExpectGood() {
    const Measurement good = Measure(Kernel("C[i] = A[i] + 1.0f;"));
    EXPECT_EQ(good.outcome, Outcome::kOk) << good.message << good.stderr_tail;
  }

  SteadyClock clock_;
  std::shared_ptr<const Task> task_;
  DeviceProgram reference_;
  std::unique_ptr<CheckedTask> checked_;
  std::unique_ptr<ZygoteLink> zygote_;
  uint64_t id_ = 0;
};

TEST_F(DeviceMeasurementTest, TimesWhatIsRight) {
  const Measurement measured = Measure(Kernel("C[i] = A[i] + 1.0f;"));
  ASSERT_EQ(measured.outcome, Outcome::kOk) << measured.message << measured.stderr_tail;
  EXPECT_GT(measured.timing->seconds, 0);
  EXPECT_GE(measured.timing->samples.size(), 4u);
}

TEST_F(DeviceMeasurementTest, FindsWrongAndMissingValues) {
  EXPECT_EQ(Measure(Kernel("C[i] = A[i] + 2.0f;")).outcome, Outcome::kWrongOutput);
  EXPECT_EQ(Measure(Kernel("if (i < 255) C[i] = A[i] + 1.0f;")).outcome, Outcome::kWrongOutput);
  ExpectGood();
}

TEST_F(DeviceMeasurementTest, FindsWritesBesideTensors) {
  const Measurement measured = Measure(Kernel("C[i] = A[i] + 1.0f; if (i == 0) C[256 + 5] = 0;"));
  EXPECT_EQ(measured.outcome, Outcome::kOobWrite) << measured.message;
  EXPECT_THAT(measured.message, HasSubstr("wrote beside output 0"));
  ExpectGood();
}

TEST_F(DeviceMeasurementTest, RefusesWhatTheDriverDoesNotBuild) {
  const Measurement measured = Measure(Kernel("C[i] = nonsense;"));
  EXPECT_EQ(measured.outcome, Outcome::kLinkError);
  EXPECT_THAT(measured.message, HasSubstr("the driver refuses the kernels"));
  ExpectGood();
}

TEST_F(DeviceMeasurementTest, RefusesMemoryThatIsNotThere) {
  DeviceProgram program = Kernel("C[i] = A[i] + 1.0f;");
  program.temporaries = {int64_t{1} << 50};
  EXPECT_EQ(Measure(program).outcome, Outcome::kOutOfMemory);
  ExpectGood();
}

// Memory suffices, but the group is larger than any device accepts.
TEST_F(DeviceMeasurementTest, RefusesWhatTheDeviceDoesNotLaunch) {
  DeviceProgram program = Kernel("C[i] = A[i] + 1.0f;");
  program.kernels.front().threads = {int64_t{1} << 20, 1, 1};
  const Measurement measured = Measure(program);
  EXPECT_EQ(measured.outcome, Outcome::kLinkError) << measured.message;
  EXPECT_THAT(measured.message, HasSubstr("launch: "));
  ExpectGood();
}

// The crash ends the process; the next candidate gets a new one.
TEST_F(DeviceMeasurementTest, OutlivesACrash) {
  const Measurement measured = Measure(Kernel("((__global volatile int*)0)[i] = 1;"));
  EXPECT_TRUE(measured.outcome == Outcome::kRunSignal || measured.outcome == Outcome::kLinkError)
      << OutcomeName(measured.outcome) << measured.message;
  ExpectGood();
}

TEST_F(DeviceMeasurementTest, EndsWhatDoesNotEnd) {
  const Measurement measured =
      Measure(Kernel("volatile int t = 1; while (t) {} C[i] = A[i] + 1.0f;"));
  EXPECT_EQ(measured.outcome, Outcome::kRunTimeout) << measured.message;
  ExpectGood();
}

// A library that replaces the system's and forwards each call to it. The function that the
// environment's SCHEDULEGYM_STAND_IN_DIES names ends the process. No function has more than nine
// arguments, all of them numbers or pointers.
constexpr char kEndingLibrary[] = R"(
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
typedef long (*Function)(long, long, long, long, long, long, long, long, long);
static Function Find(const char *name) {
  const char *dies = getenv("SCHEDULEGYM_STAND_IN_DIES");
  if (dies && strcmp(dies, name) == 0) raise(SIGTERM);
  return (Function)dlsym(dlopen(getenv("SCHEDULEGYM_STAND_IN_OPENCL"), RTLD_NOW), name);
}
#define FORWARD(name)                                                                     \
  long name(long a, long b, long c, long d, long e, long f, long g, long h, long i) {    \
    return Find(#name)(a, b, c, d, e, f, g, h, i);                                        \
  }
FORWARD(clGetPlatformIDs) FORWARD(clGetPlatformInfo) FORWARD(clGetDeviceIDs)
FORWARD(clGetDeviceInfo) FORWARD(clCreateContext) FORWARD(clReleaseContext)
FORWARD(clCreateCommandQueue) FORWARD(clReleaseCommandQueue) FORWARD(clCreateBuffer)
FORWARD(clCreateSubBuffer) FORWARD(clReleaseMemObject) FORWARD(clCreateProgramWithSource)
FORWARD(clBuildProgram) FORWARD(clGetProgramBuildInfo) FORWARD(clReleaseProgram)
FORWARD(clCreateKernel) FORWARD(clReleaseKernel) FORWARD(clSetKernelArg)
FORWARD(clEnqueueNDRangeKernel) FORWARD(clEnqueueReadBuffer) FORWARD(clEnqueueWriteBuffer)
FORWARD(clFinish)
)";

// Devices that start from now on load this library, until it is destroyed.
class EndingLibrary {
 public:
  EndingLibrary() {
    std::string name = (std::filesystem::temp_directory_path() / "sg-opencl-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "opencl.c") << kEndingLibrary;
    const std::string command = "cc -w -shared -fPIC -o " + (folder_ / "libOpenCL.so.1").string() +
                                " " + (folder_ / "opencl.c").string() + " -ldl";
    is_made_ = std::system(command.c_str()) == 0;
    void* library = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
    void* function = library == nullptr ? nullptr : dlsym(library, "clFinish");
    Dl_info info = {};
    if (function != nullptr && dladdr(function, &info) != 0) {
      setenv("SCHEDULEGYM_STAND_IN_OPENCL", info.dli_fname, 1);
    }
    if (const char* path = std::getenv("LD_LIBRARY_PATH")) path_ = path;
    setenv("LD_LIBRARY_PATH", (folder_.string() + (path_ ? ":" + *path_ : "")).c_str(), 1);
  }
  ~EndingLibrary() {
    unsetenv("SCHEDULEGYM_STAND_IN_OPENCL");
    unsetenv("SCHEDULEGYM_STAND_IN_DIES");
    path_ ? setenv("LD_LIBRARY_PATH", path_->c_str(), 1) : unsetenv("LD_LIBRARY_PATH");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  EndingLibrary(const EndingLibrary&) = delete;
  EndingLibrary& operator=(const EndingLibrary&) = delete;

  bool is_made() const { return is_made_; }

 private:
  std::filesystem::path folder_;
  std::optional<std::string> path_;
  bool is_made_ = false;
};

// The process is ended during setup, build, first run and call.
TEST_F(DeviceMeasurementTest, OutlivesTheEndOfItsProcessInEachPhase) {
  const EndingLibrary library;
  if (!library.is_made()) GTEST_SKIP() << "no C compiler";
  const DeviceProgram good = Kernel("C[i] = A[i] + 1.0f;");
  struct End {
    const char* function;
    Outcome outcome;
    const char* phase;
  };
  for (const End& end :
       {End{"clCreateContext", Outcome::kLinkError, "before its first call"},
        End{"clCreateBuffer", Outcome::kLinkError, "before its first call"},
        End{"clBuildProgram", Outcome::kLinkError, "before its first call"},
        End{"clEnqueueNDRangeKernel", Outcome::kLinkError, "before its first call"},
        End{"clEnqueueWriteBuffer", Outcome::kRunSignal, "in a call"},
        End{"clEnqueueReadBuffer", Outcome::kRunSignal, "in a call"}}) {
    setenv("SCHEDULEGYM_STAND_IN_DIES", end.function, 1);
    Restart();
    const Measurement ended = Measure(good);
    EXPECT_THAT(ended.message, HasSubstr("SIGTERM")) << end.function;
    unsetenv("SCHEDULEGYM_STAND_IN_DIES");
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

// The counts required for a release. Takes minutes. The number of equal kernels that are called
// different is only printed: it depends on the machine's other load (a 95 % interval: more than 16
// of 200 once in twenty times).
class DeviceManyKernelsTest : public DeviceMeasurementTest {
 protected:
  struct Hostile {
    const char* name;
    DeviceProgram program;
    std::vector<Outcome> outcomes;  // any of them
  };

  std::string Protocol() const override { return "cpu1"; }

  // A driver may detect a missing feature when it builds, launches or runs.
  static std::vector<Hostile> HostileKernels() {
    const std::vector<Outcome> endless = {Outcome::kRunTimeout};
    const std::vector<Outcome> crash = {Outcome::kRunSignal, Outcome::kLinkError};
    const std::vector<Outcome> memory = {Outcome::kOutOfMemory, Outcome::kLinkError,
                                         Outcome::kRunSignal};
    const std::string add = " C[i] = A[i] + 1.0f;";
    DeviceProgram huge = Kernel(add), many = huge, wide = huge;
    huge.temporaries = {int64_t{1} << 50};
    wide.kernels.front().threads = {int64_t{1} << 20, 1, 1};
    many.temporaries = std::vector<int64_t>(64, int64_t{1} << 40);
    return {
        {"all threads hang", Kernel("volatile int t = 1; while (t) {}" + add), endless},
        {"one thread hangs", Kernel("volatile int t = i == 77; while (t) {}" + add), endless},
        {"the last step hangs", Kernel(add + " volatile int t = 1; while (t) {}"), endless},
        {"a store to nowhere", Kernel("((__global volatile int*)0)[i] = 1;"), crash},
        {"a store far away", Kernel("C[i + (1L << 40)] = 1.0f;"), crash},
        {"a read from far away", Kernel("C[i] = A[i + (1L << 40)];"), crash},
        {"shared memory far away",
         Kernel("volatile __local float s[16]; s[i + (1L << 40)] = A[i];" + add), crash},
        {"a trap", Kernel("volatile int t = 1; if (t) __builtin_trap();" + add), crash},
        {"too large a buffer", huge, {Outcome::kOutOfMemory}},
        {"too many buffers", many, {Outcome::kOutOfMemory}},
        {"too many threads", wide, {Outcome::kLinkError}},
        {"too large a stack", Kernel("volatile float s[1 << 24]; s[i] = A[i]; C[i] = s[i] + 1.0f;"),
         memory},
    };
  }
};

TEST_F(DeviceManyKernelsTest, TwelveHostileKernelsAmongTwoHundredEqualOnes) {
  constexpr int kGoodOnes = 17;
  const std::vector<Hostile> all = HostileKernels();
  ASSERT_EQ(all.size(), 12u);
  int equal = 0, different = 0;
  double longest_restart = 0;
  for (const Hostile& hostile : all) {
    const Measurement measured = Measure(hostile.program);
    EXPECT_THAT(hostile.outcomes, Contains(measured.outcome))
        << hostile.name << ": " << OutcomeName(measured.outcome) << " " << measured.message;
    const double begin = clock_.Now();
    if (zygote_->is_gone()) Restart();
    longest_restart = std::max(longest_restart, clock_.Now() - begin);
    for (int i = 0; i < kGoodOnes; ++i) {
      const Measurement good = Measure(reference_);
      EXPECT_EQ(good.outcome, Outcome::kOk) << "after " << hostile.name << ": " << good.message;
      if (!good.ok()) continue;
      ++equal;
      different += good.timing->ratio.low > 1 || good.timing->ratio.high < 1 ? 1 : 0;
    }
  }
  std::printf("of %d equal kernels %d called different, longest restart %.2f s\n", equal, different,
              longest_restart);
}

}  // namespace
}  // namespace schedulegym
