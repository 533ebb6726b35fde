// The short form of `schedulegym-fuzz reductions`.
#include "tests/fuzz/computations/split_reductions.h"

#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "tests/fuzz/computations/wrong_part.h"
#include "tests/support/machine_parts.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(SplitReductionsTest, NoneIsRefusedAndNoWrongPartIsMissed) {
  const Target target = TargetOf("llvm(cores=2)");
  if (const std::string lack = LackOf(target); !lack.empty()) GTEST_SKIP() << lack;
  const SplitReductionReport report = CheckSplitReductions(
      *MakeBackend(target), {.schedules = 48, .planted = 24}, [](int64_t, int64_t) {});
  for (const std::string& diagnostic : report.diagnostics) ADD_FAILURE() << diagnostic;
  EXPECT_EQ(report.schedules, 48);
  EXPECT_EQ(report.planted, 24);
  EXPECT_GE(report.lane_wise, 4);
  EXPECT_EQ(report.by.size(), 4u);  // types by spaces
  for (const auto& [kind, count] : report.by) EXPECT_GE(count, 6) << kind;
}

TEST(SplitReductionsTest, NothingComparedIsNotRight) {
  SplitReductionReport report;
  EXPECT_FALSE(report.ok());
  report.planted = 1;
  EXPECT_TRUE(report.ok());
  report.missed = 1;
  EXPECT_FALSE(report.ok());
}

constexpr const char* kDag = "input A[4, 32]\nS[i:4] = sum(k:32) A[i, k]\n";

float SumOf(const std::vector<GuardedMemory>& arguments) {
  const auto* cells = reinterpret_cast<const float*>(arguments.back().data());
  return cells[0] + cells[1] + cells[2] + cells[3];
}

// 8 parts of each of 4 sums; one part counts twice.
TEST(WrongPartTest, OnePartIsWrong) {
  const LoopProgram program = Lower(StateAfter(kDag,
                                               "split(stage=S, loop=1, lengths=[8])\n"
                                               "rfactor(stage=S, loop=2, axis=1)\n"))
                                  .value();
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  for (int i = 0; i < 128; ++i) arguments[0].as<float>()[i] = 1;
  EXPECT_EQ(SumOf(RunOn(*interpreter, program, {}, arguments).value()), 128);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const LoopProgram wrong = WithWrongPart(program, 2, rng).value();
    EXPECT_EQ(SumOf(RunOn(*interpreter, wrong, {}, arguments).value()), 128 + 4);
  }
}

TEST(WrongPartTest, WithoutPartsThereIsNone) {
  Rng rng(1);
  EXPECT_FALSE(WithWrongPart(Lower(StateAfter(kDag, "")).value(), 2, rng));
}

}  // namespace
}  // namespace schedulegym
