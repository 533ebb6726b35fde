// Parses OpenCL text of random computations and schedules with clang's front end.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/fuzz/computations/grammar_computation.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/spaces/gpu_trials.h"
#include "tests/spaces/random_gpu_schedule.h"

namespace schedulegym {
namespace {

// Declarations as in clang's own header, which takes 0.3 s a file to parse. Random computations may
// compare a cell with itself.
constexpr char kRead[] =
    "clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins "
    "-fsyntax-only -Wall -Wextra -Wno-unused -Wno-tautological-compare "
    "-Wno-tautological-overlap-compare -Werror ";

class OpenClTextTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no clang";
    std::string name = (std::filesystem::temp_directory_path() / "sg-texts-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  // clang's messages about the written texts.
  std::string Complaints() const {
    const std::string log = folder_ / "log";
    const std::string command = kRead + folder_.string() + "/*.cl > " + log + " 2>&1";
    if (std::system(command.c_str()) == 0) return "";
    std::ifstream file(log);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

// Alternates two kinds of computations; "" if the schedule has no text.
std::string RandomText(int number, Rng& rng) {
  const Target target = MakeTarget(ParseSpec("opencl(warp=4,threads=64)").value());
  ComputeDag dag =
      number % 2 == 0 ? RandomComputation(rng) : GrammarComputation(rng, {.halves = 0});
  const auto task = std::make_shared<const Task>(Task{std::move(dag), target, "random.dag"});
  const Result<LoopProgram> program = Lower(RandomGpuSchedule(task, rng));
  if (!program || IsTooLarge(*program, target) || !Validate(*program)) return "";
  const Result<DeviceProgram> device = DeviceText(*program, OpenClDialect());
  return device ? device->source : "";
}

// SCHEDULEGYM_DRAWS increases the number.
TEST_F(OpenClTextTest, IsReadByClang) {
  const int draws = Draws(30);
  Rng rng(41);
  int written = 0;
  for (int i = 0; i < 20 * draws && written < draws; ++i) {
    const std::string text = RandomText(i, rng);
    if (text.empty()) continue;
    std::ofstream(folder_ / (std::to_string(++written) + ".cl")) << text;
  }
  EXPECT_EQ(written, draws);
  EXPECT_EQ(Complaints(), "");
}

TEST_F(OpenClTextTest, ClangFindsFaults) {
  std::ofstream(folder_ / "1.cl") << "__kernel void k(__global float* A) { A[0] = b; }\n";
  EXPECT_NE(Complaints(), "");
}

}  // namespace
}  // namespace schedulegym
