#include "env/measure/store/ansor_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "env/base/fault.h"
#include "env/base/json.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kDag =
    "input A[64, 32]\n"
    "input B[32, 48]\n"
    "C[i:64, j:48] = sum(k:32) A[i, k] * B[k, j]\n";

// A line in TenSet's form, for a matrix product of three tensors.
std::string LineOf(const std::string& key, const std::string& costs, int error = 0,
                   const std::string& steps = R"([["AN", 2, 0, 3]])",
                   const std::string& target = "llvm -keys=cpu") {
  return R"({"i": [[")" + key + R"(", ")" + target +
         R"(", [4, 64, 64, 0, 0, 0, 0, 0], "llvm", 0, []], [[], )" + steps + R"(]], "r": [[)" +
         costs + "], " + std::to_string(error) + R"(, 0.5, 1.6e9], "v": "v0.6"})";
}

class AnsorLogTest : public testing::Test {
 protected:
  std::string Write(const std::string& text, const std::string& name = "log.json") const {
    const std::string path = folder_.Path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  ProgramSet Read(const std::string& text) const { return ReadAnsorLog(Write(text)); }

  std::string FaultOf(const std::string& text, const std::string& name = "log.json") const {
    try {
      ReadPrograms(Write(text, name));
    } catch (const InputError& fault) {
      return fault.what();
    }
    return "none";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(AnsorLogTest, TasksAreKeysAndTargets) {
  const ProgramSet set =
      Read(LineOf("one", "0.2, 0.4") + "\n" + LineOf("two", "0.5") + "\n# a comment\n\n" +
           LineOf("one", "0.1") + "\n" + LineOf("one", "0.7", 0, "[]", "cuda"));
  ASSERT_THAT(set.tasks, SizeIs(3));
  EXPECT_EQ(set.tasks[0].info.workload, "one");
  EXPECT_TRUE(IsForeign(set.tasks[0].info));
  EXPECT_EQ(set.tasks[2].info.target, "cuda");
  ASSERT_THAT(set.programs, SizeIs(4));
  EXPECT_NEAR(set.programs[0].seconds, 0.3, 1e-12);
  EXPECT_EQ(set.programs[2].task, 0);
  EXPECT_EQ(set.programs[0].trace, "trace 1\nparallel(stage=s2, loop=0)\n");
  EXPECT_THAT(set.notes, SizeIs(0));
}

TEST_F(AnsorLogTest, WhatIsLeftOutIsCountedOnceForEachReason) {
  const std::string unknown = R"([["ZZ", 1]])";
  const ProgramSet set =
      Read(LineOf("one", "0.2") + "\n" + LineOf("one", "1e10", 6) + "\n" +
           LineOf("one", "0.1", 0, unknown) + "\n" + LineOf("one", "0.1", 0, unknown) + "\n" +
           LineOf("one", "") + "\nno JSON\n" + std::string(5 << 20, 'x') + "\n");
  EXPECT_THAT(set.programs, SizeIs(1));
  ASSERT_THAT(set.notes, SizeIs(5));
  EXPECT_THAT(set.notes[0],
              HasSubstr("1 of its lines left out, line 2 first: the measurement failed"));
  EXPECT_THAT(set.notes[1],
              HasSubstr("2 of its lines left out, line 3 first: unknown step 'ZZ': expected one "
                        "of SP, FSP, FFSP, FU, RE, AN, PR, SA, CA,"));
  EXPECT_THAT(set.notes[2], HasSubstr("line 5 first: a success without a cost"));
  EXPECT_THAT(set.notes[4], HasSubstr("line 7 first: it is longer than 4 MiB"));
}

TEST_F(AnsorLogTest, AFileWithoutASuccessIsRefused) {
  EXPECT_THAT(FaultOf(LineOf("one", "1e10", 2)),
              HasSubstr("found no success of Ansor's in 1 lines (the measurement failed)"));
  EXPECT_THAT(FaultOf("{}\n[]\n"), HasSubstr("in 2 lines"));
  EXPECT_THAT(FaultOf(LineOf("one", "0.1").substr(0, 40)), HasSubstr("in 1 lines"));
}

TEST_F(AnsorLogTest, PicklesAreNotLoaded) {
  EXPECT_THAT(FaultOf("\x80\x04\x95 and more"),
              HasSubstr("a Python pickle, which is never loaded"));
  EXPECT_THAT(FaultOf("{}", "log.pkl"), HasSubstr("a Python pickle"));
}

TEST_F(AnsorLogTest, AByteOrderMarkIsSkipped) {
  const std::string path = Write("\xEF\xBB\xBF" + LineOf("one", "0.2"));
  EXPECT_TRUE(IsAnsorLog(path));
  EXPECT_THAT(ReadPrograms(path).notes, SizeIs(0));
}

TEST_F(AnsorLogTest, OurLinesSayHowManyTensorsThereAre) {
  const std::string key = R"([\"schedulegym_task\",\"0f\",3])";
  const std::string steps = R"([["CHW", 1, "local"], ["AN", 1, 0, 2]])";
  EXPECT_EQ(Read(LineOf(key, "0.2", 0, steps)).programs[0].trace,
            "trace 1\ncache_write(stage=s1, scope=local)\nvectorize(stage=s3, loop=0)\n");
  const std::string other = R"([\"0f\",1,64])";
  EXPECT_EQ(Read(LineOf(other, "0.2", 0, steps)).programs[0].trace,
            "trace 1\ncache_write(stage=s1, scope=local)\nvectorize(stage=s2, loop=0)\n");
}

TEST_F(AnsorLogTest, NamedComputationsAreReplayed) {
  const auto task = TaskOf(kDag);
  const std::string hash = R"([\"0f\",64])";
  const std::string steps = R"([["CHW", 2, "local"], ["AN", 3, 0, 3]])";
  const std::string log = LineOf(hash, "0.2", 0, steps) + "\n" +
                          LineOf(hash, "0.2", 0, R"([["AN", 2, 7, 3]])") + "\n" +
                          LineOf("other", "0.2");
  for (const char* name : {"0f", R"(["0f",64])"}) {
    const ProgramSet set = ReadAnsorLog(Write(log), {{name, task}});
    ASSERT_THAT(set.tasks, SizeIs(2));
    EXPECT_EQ(set.tasks[0].info, *DescribeTask(*task));
    EXPECT_TRUE(IsForeign(set.tasks[1].info));
    // In Ansor's numbering stage 2 is the new one, and 3 is the former stage 2.
    EXPECT_EQ(set.programs[0].trace,
              "trace 1\ncache_write(stage=C, scope=local)\nparallel(stage=C, loop=0)\n");
    EXPECT_THAT(set.notes, ElementsAre(HasSubstr("1 of its lines left out, line 2 first: as " +
                                                 task->name + " it does not replay: ")));
  }
  EXPECT_TRUE(IsForeign(ReadAnsorLog(Write(log), {{"f", task}}).tasks[0].info));
}

Json LineOfRecord(const Measurement& measurement) {
  const ScheduleState state = StateAfter(kDag, "unroll(stage=C, loop=2)");
  Record record = SampleRecord(DescribeTask(state.task()), 1, measurement);
  return ParseJson(ToAnsorLine(record, state).value()).value();
}

// Seconds of the sample are 1e-3 over its ratio; its phases add up to 0.085.
TEST(AnsorLineTest, HasTheFormOfTvm) {
  const Json line = LineOfRecord(SampleTiming(2));
  const Json& task = line["i"][0];
  const auto key = DescribeTask(*TaskOf(kDag))->key.ToText();
  EXPECT_EQ(task[0].Text(), "[\"schedulegym_task\",\"" + key + "\",3]");
  EXPECT_THAT(task[1].Text(), HasSubstr("llvm -keys=cpu"));
  EXPECT_THAT(task[1].Text(), HasSubstr("-num-cores=2"));
  EXPECT_THAT(task[2].As<std::vector<int>>(), ElementsAre(2, 32, 64, 0, 0, 0, 0, 0));
  EXPECT_EQ(task.size(), 6);
  EXPECT_EQ(line["i"][1].ToText(), R"([[],[["AN",2,2,1]]])");
  EXPECT_EQ(line["r"][0].As<std::vector<double>>(), std::vector<double>{5e-4});
  EXPECT_EQ(line["r"][1].As<int>(), 0);
  EXPECT_NEAR(line["r"][2].As<double>(), 0.085, 1e-12);
  EXPECT_EQ(line["v"].Text(), "v0.6");
}

TEST(AnsorLineTest, AFailureHasItsNumberAndALargeCost) {
  const Json line = LineOfRecord(SampleFailure());
  EXPECT_EQ(line["r"][0].As<std::vector<double>>(), std::vector<double>{1e10});
  EXPECT_EQ(line["r"][1].As<int>(), 5);
}

TEST(NumberedTraceTest, IsReadBack) {
  const Trace trace = {Split{StageRef{300}, 1, {4, 16}}, ComputeInline{StageRef{0}}};
  EXPECT_EQ(ParseNumberedTrace(NumberedTraceText(trace)).value(), trace);
  EXPECT_FALSE(ParseNumberedTrace("trace 1\nunroll(stage=C, loop=0)\n"));
  EXPECT_FALSE(ParseNumberedTrace(""));
}

}  // namespace
}  // namespace schedulegym
