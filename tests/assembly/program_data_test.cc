#include "assembly/program_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/gzip.h"
#include "env/base/output_file.h"
#include "env/measure/store/json_lines.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

MeasuredProgram Program(int task, const std::string& space, double seconds) {
  MeasuredProgram program;
  program.task = task;
  program.trace = "trace 1\n";
  program.space = space;
  program.host = "one";
  if (seconds > 0) {
    program.seconds = seconds;
  } else {
    program.outcome = Outcome::kCompileError;
  }
  return program;
}

ProgramSet Sample() {
  ProgramSet set;
  set.tasks = {{{Key{1, 1}, "a", "a", "llvm"}, "train"}, {{Key{2, 2}, "b", "b", "llvm"}, "valid"}};
  set.programs = {Program(0, "ansor", 1), Program(0, "ansor(unroll=false)", 2),
                  Program(0, "schedulegym", 3), Program(0, "ansor", 0), Program(1, "ansor", 1)};
  return set;
}

TEST(ChooseProgramsTest, TakesASplit) {
  const auto tasks = ChoosePrograms(Sample(), {"train", ""});
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].successes.size(), 3u);
  EXPECT_EQ(tasks[0].failures.size(), 1u);
}

TEST(ChooseProgramsTest, TakesASpaceWhateverItsOptions) {
  EXPECT_EQ(ChoosePrograms(Sample(), {"all", "ansor"})[0].successes.size(), 2u);
}

TEST(ChooseProgramsTest, RefusesASplitWithoutPrograms) {
  EXPECT_THAT(InputFaultOf([] {
                ChoosePrograms(Sample(), {"valid", ""});
              }),
              HasSubstr("split 'valid'; the data has programs of: train, valid"));
  EXPECT_THAT(InputFaultOf([] {
                ChoosePrograms(Sample(), {"train", "beam"});
              }),
              HasSubstr("space 'beam'"));
}

TEST(NoteOnSplitsTest, CountsWhatStandsInNone) {
  ProgramSet set = Sample();
  EXPECT_EQ(NoteOnSplits(set, "train"), "");
  set.tasks[0].split = "";
  EXPECT_THAT(NoteOnSplits(set, "valid"), HasSubstr("4 programs of 1 tasks without a split"));
  EXPECT_EQ(NoteOnSplits(set, "all"), "");
}

TEST(CheckSplitTest, NamesThoseThatExist) {
  EXPECT_EQ(InputFaultOf([] { CheckSplit("--split", "all"); }), "");
  EXPECT_THAT(InputFaultOf([] { CheckSplit("--split", "trian"); }),
              testing::AllOf(HasSubstr("--split: "), HasSubstr("train")));
}

TEST(ReadProgramDataTest, ReadsAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("one.points.gz");
  WriteOutput(path, Gzip(ProgramsToText(Sample())));
  EXPECT_EQ(ReadProgramData("--data", {path}), Sample());
}

TEST(ReadProgramDataTest, SaysWhatOtherLinesAre) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("other.json");
  WriteOutput(
      path, R"({"input": ["cuda -keys=cuda", "dense", [], {}], "config": {"index": 1, )"
            R"("entity": []}, "result": [[0.1], 0, 1, 2], "version": 0.2, "tvm_version": "0.8"})");
  EXPECT_THAT(InputFaultOf([&] { ReadMeasuredPrograms(path); }),
              testing::AllOf(HasSubstr("other.json': found lines of autotvm for the target cuda"),
                             HasSubstr("schedulegym records import")));
  WriteOutput(path, "PAR1 and what follows");
  EXPECT_THAT(InputFaultOf([&] { ReadMeasuredPrograms(path); }),
              testing::AllOf(HasSubstr("found a Parquet file, expected"), HasSubstr("store")));
  WriteOutput(path, "{\n \"results\": []}");
  EXPECT_THAT(InputFaultOf([&] { ReadMeasuredPrograms(path); }),
              HasSubstr("schedulegym table show"));
  WriteOutput(path, ToLine(SampleRecord(SampleTask(1), 1, SampleTiming(2))) + "\n");
  EXPECT_THAT(InputFaultOf([&] { ReadMeasuredPrograms(path); }), HasSubstr("found records as"));
  EXPECT_THAT(InputFaultOf([&] { ReadMeasuredPrograms(folder.Path("none.db")); }),
              HasSubstr("does not exist"));
}

TEST(ReadProgramDataTest, SaysHowASetIsMade) {
  EXPECT_THAT(
      InputFaultOf([] { ReadProgramData("--data", {"nothing-v9"}); }),
      testing::AllOf(HasSubstr("--data: found no 'nothing-v9'"), HasSubstr("records pack")));
  EXPECT_THAT(InputFaultOf([] { ReadProgramData("--data", {"programs-v1-nowhere"}); }),
              HasSubstr("experiments/data/make.sh FOLDER"));
}

}  // namespace
}  // namespace schedulegym
