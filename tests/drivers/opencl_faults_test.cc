// Plants faults in programs for a GPU and runs their text on this machine's driver. Oclgrind
// detects each kind: it reports races, accesses outside of a buffer, and barriers that not all
// threads reach, and wrong results are wrong there as well. A processor's driver runs the threads
// one after another from barrier to barrier, so that it detects less.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "backends/device_text/device_text.h"
#include "backends/interpreter/interpreter.h"
#include "env/base/fault.h"
#include "env/lower/sequential_form.h"
#include "tests/support/forked_calls.h"
#include "tests/support/gpu_faults.h"
#include "tests/support/opencl_driver.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

// Faults that a platform does not detect. Threads that run in turn each read the stores of earlier
// threads, and threads that store equal values to one cell are right there. PoCL 3.1 also closes a
// loop that holds a barrier with its own barriers, and never ends if not all threads reach one.
// Intel's driver (2026.2) detects these two.
std::set<std::string> UnseenBy(const std::string& platform) {
  if (platform == "Oclgrind") return {};
  std::set<std::string> kinds = {"BarrierDroppedBeforeALoop", "BarrierDroppedBehindALoop",
                                 "BarrierDroppedWithinALoop", "UnsynchronisedStores"};
  if (platform.starts_with("Intel")) return kinds;
  kinds.insert({"BarrierDroppedWhereALoopComesBack", "DivergentBarrier"});
  return kinds;
}

constexpr int kSeconds = 60;  // time limit of one program
constexpr int kRight = 1000;  // added to the number of a fault: the program without the fault
constexpr char kMissing[] = "no driver: ";

// The fault that the driver shows; "" if the program computes the same as `right`.
std::string FaultIn(const LoopProgram& program, const LoopProgram& right, OpenClDriver& driver) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const auto want = RunOn(*interpreter, SequentialForm(right), {}, MakeArguments(right, 1));
  if (!want) return want.error().message;
  const auto kernel = LoadOnDriver(program, DeviceText(program, OpenClDialect()).value(), driver);
  if (!kernel) return kernel.error().message;
  std::vector<GuardedMemory> got = MakeArguments(program, 1);
  if (const auto run = RunKernel(**kernel, got); !run) return run.error().message;
  for (size_t i = 0; i < got.size(); ++i) {
    const unsigned char* data = got[i].data();
    if (!std::equal(data, data + got[i].bytes(), (*want)[i].data())) return "other results";
  }
  return "";
}

// Runs in a child process, which holds the driver.
class OpenClFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    platform_ = calls_.Call(-1).value_or("");
    if (platform_.starts_with(kMissing)) GTEST_SKIP() << platform_;
  }

  std::string Said(int number) { return calls_.Call(number).value_or("does not end"); }

  const std::vector<GpuFault> faults_ = PlantedGpuFaults();
  std::string platform_;

 private:
  // Number -1 returns the driver's platform.
  std::string Work(int number) {
    try {
      RenewDriver(driver_);
    } catch (const MachineError& missing) {
      return kMissing + std::string(missing.what());
    }
    if (number < 0) return driver_->device().description().platform;
    const GpuFault& fault = faults_.at(number % kRight);
    return FaultIn(number < kRight ? fault.faulty : fault.right, fault.right, *driver_);
  }

  std::unique_ptr<OpenClDriver> driver_;
  ForkedCalls calls_{[this](int number) { return Work(number); }, kSeconds};
};

TEST_F(OpenClFaultsTest, NoneInWhatIsLowered) {
  std::set<std::string> programs;
  for (int i = 0; i < std::ssize(faults_); ++i) {
    const std::string text = faults_[i].right.ToText();
    if (!programs.insert(text).second) continue;
    EXPECT_EQ(Said(kRight + i), "") << text;
  }
}

TEST_F(OpenClFaultsTest, EachKindIsSeen) {
  const std::set<std::string> unseen = UnseenBy(platform_);
  for (int i = 0; i < std::ssize(faults_); ++i) {
    const std::string& name = faults_[i].name;
    if (unseen.contains(name)) continue;
    EXPECT_NE(Said(i), "") << name;
  }
}

TEST_F(OpenClFaultsTest, OclgrindSaysWhatIsWrong) {
  if (platform_ != "Oclgrind") GTEST_SKIP() << "another driver";
  std::map<std::string, std::string> parts = {
      {"BarrierDroppedBeforeALoop", "data race at local memory"},
      {"BarrierDroppedBehindALoop", "data race at local memory"},
      {"BarrierDroppedWithinALoop", "data race at local memory"},
      {"BarrierDroppedWhereALoopComesBack", "data race at local memory"},
      {"DivergentBarrier", "divergence detected"},
      {"DroppedGuard", "Invalid write of size 4"}};
  // The fifth row of a shared copy is never written.
  if (FindsUnwritten()) parts = {{"ShortRegion", "Uninitialized value"}};
  for (int i = 0; i < std::ssize(faults_); ++i) {
    const auto part = parts.find(faults_[i].name);
    if (part == parts.end()) continue;
    EXPECT_THAT(Said(i), HasSubstr(part->second)) << part->first;
  }
}

}  // namespace
}  // namespace schedulegym
