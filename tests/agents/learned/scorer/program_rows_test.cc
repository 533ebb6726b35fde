#include "agents/learned/scorer/program_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/spec.h"
#include "env/features/ansor_features.h"
#include "env/measure/store/ansor_programs.h"
#include "env/program/targets/target.h"
#include "tests/agents/learned/scorer/program_samples.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ScorerOptions ReadRowOptions(const std::string& spec) {
  return ReadScorerOptions(RequireSpec("model", spec));
}

std::string FaultOfPart(const ProgramSet& programs, const std::string& part) {
  return InputFaultOf([&] { PartOf(programs, part); });
}

TEST(ProgramLabelsTest, ArePartsOfTheBestOfTheWholeTask) {
  ProgramSet programs = SamplePrograms(2, {4, 2, 1});
  programs.programs[4].outcome = Outcome::kWrongOutput;
  EXPECT_THAT(LabelsOf(programs), ElementsAre(0.25, 0.5, 1, 0.25, 0, 1));
}

ProgramSet WithRatios(std::vector<double> ratios) {
  ProgramSet programs = SamplePrograms(1, std::vector<double>(ratios.size(), 2));
  for (size_t i = 0; i < ratios.size(); ++i) {
    programs.programs[i].ratio = {ratios[i], ratios[i], ratios[i]};
  }
  return programs;
}

TEST(ProgramLabelsTest, SpeedsOverTheReferenceHaveAFloor) {
  ProgramSet programs = WithRatios({0.001, 0.5, 2, 3});
  programs.programs[3].outcome = Outcome::kWrongOutput;
  EXPECT_THAT(LabelsOf(programs, ProgramLabel::kReference), ElementsAre(0.01F, 0.5, 2, 0));
  const std::vector<float> logarithms = LabelsOf(programs, ProgramLabel::kLogarithm);
  EXPECT_NEAR(logarithms[2], std::log(2), 1e-6);
  EXPECT_TRUE(std::isnan(logarithms[3]));
  EXPECT_THAT(InputFaultOf([&] { LabelsOf(SamplePrograms(1, {2}), ProgramLabel::kReference); }),
              HasSubstr("expected label=task"));
}

// 64 * 64 * 64 multiply-adds in 1, 2 and 4 s: relative speeds 4, 2 and 1 with mean 7/3 and standard
// deviation sqrt(14/9).
TEST(ProgramLabelsTest, FlopsAreStandardisedAndFailuresLeftOut) {
  ProgramSet programs = SamplePrograms(1, {1, 2, 4, 1});
  programs.programs[3].outcome = Outcome::kWrongOutput;
  const ScorerOptions options = ReadRowOptions("tlp(label=absolute,loss=plain_mse)");
  const ProgramRows rows = DescribePrograms(programs, options, 1);
  ASSERT_EQ(rows.size(), 3);
  const double part = 2.0 * 64 * 64 * 64 * 1e-9 / 4, deviation = std::sqrt(14.0 / 9);
  EXPECT_NEAR(rows.label_mean, part * 7 / 3, 1e-9);
  EXPECT_NEAR(rows.labels[0], (4 - 7.0 / 3) / deviation, 1e-5);
  EXPECT_NEAR(rows.labels[2], (1 - 7.0 / 3) / deviation, 1e-5);
  EXPECT_NEAR(rows.SpeedOf(ProgramLabel::kAbsolute, rows.labels[1]), 2 * part, 1e-9);
}

// For the store and both reads, log2(1 + stride) from the innermost loop k out: C[i, j] 0, 1 and
// 64; A[i, k] 1, 0 and 64; B[k, j] 64, 1 and 0.
TEST(ProgramRowsTest, AccessesAreStridesByLoop) {
  ProgramSet programs = SamplePrograms(1, {1});
  programs.programs[0].trace = "trace 1\n";
  const ProgramRows without =
      DescribePrograms(programs, ReadRowOptions("recursive(features=ansor,task=none)"), 1);
  const ProgramRows rows = DescribePrograms(
      programs, ReadRowOptions("recursive(features=ansor,task=none,accesses=true)"), 1);
  ASSERT_EQ(rows.columns, without.columns + 8 * 7);
  const auto statement = rows.RowsOf(0).last(static_cast<size_t>(rows.columns));
  const float wide = std::log2(65.0F);
  const auto access = [&](size_t i) {
    const auto first = statement.begin() + AnsorLayout::kWidth + static_cast<std::ptrdiff_t>(7 * i);
    return std::vector<float>(first, first + 4);
  };
  EXPECT_THAT(access(0), ElementsAre(0, 1, wide, 0));
  EXPECT_THAT(access(1), ElementsAre(1, 0, wide, 0));
  EXPECT_THAT(access(2), ElementsAre(wide, 1, 0, 0));
}

TEST(ProgramRowsTest, FeaturesAreThoseOfTheState) {
  const ProgramSet programs = SamplePrograms(2, {2, 1});
  const ScorerOptions options = ReadRowOptions("mlp(features=ansor,task=none)");
  const ProgramRows rows = DescribePrograms(programs, options, 2);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows.columns, AnsorLayout::kWidth);
  const auto task = TaskOf(programs.tasks[1].info);
  const auto state = ReplayText(task, programs.programs[3].trace);
  const std::vector<float> expected = AnsorFeatures(*state).values;
  const auto own = rows.RowsOf(3);
  EXPECT_EQ(std::vector<float>(own.begin(), own.end()), expected);
  EXPECT_THAT(rows.tasks, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(rows.targets, ElementsAre(""));
}

TEST(ProgramRowsTest, TracesThatDoNotReplayAreLeftOut) {
  ProgramSet programs = SamplePrograms(1, {2, 1});
  programs.programs[0].trace = "trace 1\nunroll(stage=C, loop=99)\n";
  const ProgramRows rows = DescribePrograms(programs, ReadRowOptions("tlp"), 1);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows.labels[0], 1);
}

// One primitive each; of two the last or the first is kept.
TEST(ProgramRowsTest, TokensKeepTheLastOrTheFirst) {
  ProgramSet programs = SamplePrograms(1, {1});
  programs.programs[0].trace =
      "trace 1\nsplit(stage=C, loop=1, lengths=[4, 16])\nunroll(stage=C, loop=3)\n";
  const auto kind_of = [&](const std::string& kept) {
    const ProgramRows rows = DescribePrograms(
        programs, ReadRowOptions("tlp(length=1,scale=plain,kept=" + kept + ")"), 1);
    EXPECT_EQ(rows.rows_of(0), 1);
    const auto row = rows.RowsOf(0);
    return std::find(row.begin(), row.end(), 1.0F) - row.begin();
  };
  EXPECT_EQ(kind_of("first"), static_cast<int>(Primitive(Split()).index()));
  EXPECT_EQ(kind_of("last"), static_cast<int>(Primitive(Unroll()).index()));
}

TEST(ProgramRowsTest, HeadsAreThoseOfTargets) {
  ProgramSet programs = SamplePrograms(2, {2, 1});
  programs.tasks[1].info.target = SampleTargetText(1);
  const ScorerOptions options = ReadRowOptions("tlp(heads=target)");
  ProgramRows rows = DescribePrograms(programs, options, 1);
  EXPECT_THAT(rows.heads, ElementsAre(0, 1));
  EXPECT_EQ(rows.targets.size(), 2);
  programs.tasks[1].info.target = SampleTargetText(3);
  const auto add = [&] { AddTask(*TaskOf(programs.tasks[1].info), options, false, &rows); };
  EXPECT_THAT(InputFaultOf(add), HasSubstr("has no head for target"));
}

TEST(ProgramRowsTest, GpusNeedAHeadOfTheirOwn) {
  const auto task =
      WorkloadTask("matmul(m=8,n=8,k=8)", MakeTarget(ParseSpec("cuda(card=a100)").value()));
  const auto fault = [&](const char* spec) {
    const ScorerOptions options = ReadRowOptions(spec);
    ProgramRows rows = EmptyRows(options);
    return InputFaultOf([&] { AddTask(*task, options, /*may_add_head=*/true, &rows); });
  };
  EXPECT_THAT(fault("mlp"),
              HasSubstr("found target 'cuda', expected that of a processor, or heads=target"));
  EXPECT_EQ(fault("mlp(heads=target)"), "");
}

// A set with one task known by name alone; the traces are those of SamplePrograms.
ProgramSet ForeignPrograms(const std::vector<double>& seconds) {
  ProgramSet programs = SamplePrograms(1, seconds);
  for (MeasuredProgram& program : programs.programs) {
    const auto state = ReplayText(TaskOf(programs.tasks[0].info), program.trace);
    program.trace = NumberedTraceText(state->trace());
    program.host = "elsewhere";
  }
  programs.tasks[0].info.key = Key{7, 7};
  programs.tasks[0].info.dag = "";
  programs.tasks[0].info.workload = "[\"hash\", 64]";
  programs.tasks[0].info.target = "llvm -keys=cpu";
  return programs;
}

TEST(ForeignRowsTest, TokensAreThoseOfTheStates) {
  const ScorerOptions options = ReadRowOptions("tlp(task=none)");
  const ProgramRows rows = DescribePrograms(ForeignPrograms({4, 2}), options, 2);
  const ProgramRows own = DescribePrograms(SamplePrograms(1, {4, 2}), options, 1);
  EXPECT_EQ(rows.values, own.values);
  EXPECT_EQ(rows.begin, own.begin);
  EXPECT_THAT(rows.labels, ElementsAre(0.5, 1));
}

TEST(ForeignRowsTest, AnUnreadableTraceIsLeftOut) {
  ProgramSet programs = ForeignPrograms({4, 2});
  programs.programs[0].trace = "trace 1\nunroll(stage=C, loop=0)\n";
  EXPECT_EQ(DescribePrograms(programs, ReadRowOptions("tlp(task=none)"), 1).size(), 1);
}

TEST(ForeignRowsTest, OnlyTokensWithoutTheTaskDo) {
  const ProgramSet programs = ForeignPrograms({4, 2});
  for (const char* model : {"mlp(task=none)", "pacm", "recursive", "tlp", "tlp(task=words)"}) {
    const auto describe = [&] { DescribePrograms(programs, ReadRowOptions(model), 1); };
    EXPECT_THAT(InputFaultOf(describe), HasSubstr("expected the model tlp(task=none)")) << model;
  }
}

TEST(ForeignRowsTest, StandInEachPart) {
  ProgramSet programs = SamplePrograms(1, {2, 1});
  programs.tasks[0].split = "train";
  Append(ForeignPrograms({1}), &programs);
  EXPECT_EQ(PartOf(programs, "train").programs.size(), 3);
  EXPECT_EQ(PartOf(programs, "valid").programs.size(), 1);
}

TEST(ProgramPartTest, TakesThatPartOrAll) {
  ProgramSet programs = SamplePrograms(2, {2, 1});
  programs.tasks[1].split = "train";
  const ProgramSet train = PartOf(programs, "train");
  ASSERT_EQ(train.tasks.size(), 1);
  EXPECT_EQ(train.programs.size(), 2);
  EXPECT_EQ(train.programs[0].task, 0);
  EXPECT_EQ(PartOf(programs, "all"), programs);
  EXPECT_EQ(PartOf(programs, "other").tasks.size(), 1);
  programs.programs[0].space = "ansor(mode=fast)";
  EXPECT_EQ(PartOf(programs, "all", "ansor").programs.size(), 1);
  EXPECT_EQ(PartOf(programs, "all", "schedulegym").programs.size(), 3);
  EXPECT_THAT(FaultOfPart(programs, "valid"),
              HasSubstr("--split valid: found no program of it, expected all or one of: other, "
                        "train"));
}

TEST(ProgramPartTest, ATaskThatIsKeptForTestsIsFound) {
  ProgramSet programs = SamplePrograms(1, {2, 1});
  programs.tasks[0].split = "train";
  programs.tasks[0].info.workload = "conv2d_relu(n=1,h=56,w=56,ci=64,co=64,k=3,s=1,p=1)";
  EXPECT_THAT(FaultOfPart(programs, "train"), HasSubstr("near"));
  EXPECT_THAT(FaultOfPart(programs, "all"), HasSubstr("near"));
}

}  // namespace
}  // namespace schedulegym
