#include "env/measure/store/program_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "tests/env/measure/record_samples.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Record RecordOf(uint64_t task, uint64_t state, Measurement measurement, const std::string& note) {
  measurement.session = SampleSession();
  Record record;
  record.task = SampleTask(task);
  record.trace = "trace 1\nsplit(stage=C, loop=0, lengths=[" + std::to_string(state) + "])\n";
  record.state_key = Key{state, state};
  record.space = "ansor";
  record.host = "one";
  record.index = static_cast<int64_t>(state);
  record.note = note;
  record.measurement = std::move(measurement);
  record.id = RecordId(record);
  return record;
}

ProgramSet SetOf(std::span<const Record> records) {
  const auto store = MakeMemoryStore();
  store->Append(records);
  return ProgramsOf(*store, [](const std::string& note) { return note; });
}

ProgramSet Sample() {
  const std::vector<Record> records = {RecordOf(1, 1, SampleTiming(2), "chance"),
                                       RecordOf(1, 2, SampleFailure(), "bred"),
                                       RecordOf(2, 1, SampleTiming(0.5), "")};
  return SetOf(records);
}

std::string FaultOfText(const std::string& text) {
  return InputFaultOf([&] { ProgramsFromText(text, "FILE"); });
}

TEST(ProgramSetTest, TakesSuccessesAndFailures) {
  const ProgramSet set = Sample();
  ASSERT_EQ(set.tasks.size(), 2u);
  ASSERT_EQ(set.programs.size(), 3u);
  EXPECT_EQ(set.programs[0].part, "chance");
  EXPECT_EQ(set.programs[0].ratio.median, 2);
  EXPECT_EQ(set.programs[0].samples.size(), 3u);
  EXPECT_EQ(set.programs[1].outcome, Outcome::kWrongOutput);
  EXPECT_TRUE(set.programs[1].samples.empty());
  EXPECT_EQ(set.programs[2].task, 1);
}

TEST(ProgramSetTest, AStoreOfEstimatesIsRefused) {
  std::vector<Record> records;
  for (const uint64_t state : {1, 2, 3}) {
    Record& record = records.emplace_back(RecordOf(1, state, SampleTiming(2), ""));
    auto session = std::make_shared<MeasuringSession>(*SampleSession());
    session->protocol = state == 3 ? kTableName : kAnalyticalName;
    record.measurement.session = std::move(session);
    record.id = RecordId(record);
  }
  EXPECT_EQ(InputFaultOf([&] { SetOf(records); }),
            "found no measured program, but records that were not measured (2 of --measure "
            "analytical, 1 of --measure table), expected those of --measure host");
  records.push_back(RecordOf(1, 4, SampleTiming(2), ""));
  EXPECT_EQ(SetOf(records).programs.size(), 1u) << "estimates beside what was measured";
}

TEST(ProgramSetTest, TakesTheLatestOfACandidate) {
  Record again = RecordOf(1, 1, SampleTiming(3), "chance");
  again.index = 77;
  again.id = RecordId(again);
  const std::vector<Record> records = {RecordOf(1, 1, SampleTiming(2), "chance"), again};
  const ProgramSet set = SetOf(records);
  ASSERT_EQ(set.programs.size(), 1u);
  EXPECT_EQ(set.programs[0].ratio.median, 3);
}

// Outcomes about the machine only, and candidates without a measurement, are not programs.
TEST(ProgramSetTest, LeavesOutWhatSaysNothing) {
  Measurement noisy;
  noisy.outcome = Outcome::kNoisy;
  const std::vector<Record> records = {RecordOf(1, 1, noisy, "")};
  EXPECT_TRUE(SetOf(records).programs.empty());
}

TEST(ProgramSetTest, ReadsBackWhatItWrote) {
  const ProgramSet set = Sample();
  ProgramSet rounded = set;
  // Four significant digits hold all of these but 0.0011f, which is 0.001100000...
  for (MeasuredProgram& program : rounded.programs) {
    if (!program.samples.empty()) program.samples = {0.001f, 0.0011f, 0.3f};
  }
  EXPECT_EQ(ProgramsFromText(ProgramsToText(set), "FILE"), rounded);
  const std::string packed = Gzip(ProgramsToText(set));
  EXPECT_EQ(Gunzip(packed, int64_t{1} << 20), ProgramsToText(set));
  EXPECT_EQ(Gzip(ProgramsToText(set)), packed);
}

// Four digits of a number just below a power of ten give that power, which as a float is below it.
TEST(ProgramSetTest, WrittenAgainIsTheSame) {
  ProgramSet set = Sample();
  for (const float sample : {1.0002379e-6F, 9.9996e-7F, 0.99996F, 1.234567e-5F, 8.0000003e-4F}) {
    set.programs[0].samples = {sample};
    const std::string text = ProgramsToText(set);
    EXPECT_EQ(ProgramsToText(ProgramsFromText(text, "FILE")), text);
  }
  set.programs[0].samples = {1.0002379e-6F};
  EXPECT_THAT(ProgramsToText(set), HasSubstr("[1e-06]"));
}

TEST(ProgramSetTest, KeysAreThoseOfTheRecords) {
  const ProgramSet set = Sample();
  EXPECT_EQ(set.programs[1].key, (Key{2, 2}).ToText().substr(0, 16));
  EXPECT_EQ(ProgramsFromText(ProgramsToText(set), "FILE").programs[1].key, set.programs[1].key);
}

// The file predates keys, or was joined with one that does.
TEST(ProgramSetTest, KeysAreLeftOutWhereOneIsUnknown) {
  ProgramSet set = Sample();
  set.programs[2].key.clear();
  const std::string text = ProgramsToText(set);
  EXPECT_THAT(text, Not(HasSubstr("\"keys\"")));
  EXPECT_EQ(ProgramsFromText(text, "FILE").programs[0].key, "");
}

TEST(ProgramSetTest, ASampleHasTasksEvenlyAndTheirFirstPrograms) {
  ProgramSet set;
  for (int task = 0; task < 5; ++task) set.tasks.push_back({.split = std::to_string(task)});
  for (int i = 0; i < 15; ++i) {
    set.programs.push_back({.task = i % 5, .trace = std::to_string(i)});
  }
  const ProgramSet sample = SampleOf(set, 2, 2);
  ASSERT_EQ(sample.tasks.size(), 2u);
  EXPECT_EQ(sample.tasks[0].split + sample.tasks[1].split, "02");
  std::string traces;
  for (const MeasuredProgram& one : sample.programs) {
    traces += std::to_string(one.task) + ":" + one.trace + " ";
  }
  EXPECT_EQ(traces, "0:0 1:2 0:5 1:7 ");
  EXPECT_EQ(SampleOf(set, 9, 9), set);
}

TEST(ProgramSetTest, JoinsSets) {
  ProgramSet joined = Sample(), other = Sample();
  for (MeasuredProgram& program : other.programs) program.host = "two";
  Append(other, &joined);
  EXPECT_EQ(joined.tasks.size(), 2u);
  EXPECT_EQ(joined.programs.size(), 6u);
  EXPECT_EQ(joined.programs[5].task, 1);
  EXPECT_TRUE(joined.notes.empty());
}

// Two stores may hold one machine's measurements of a schedule: the later one is kept.
TEST(ProgramSetTest, KeepsTheLatestOfOneScheduleOnOneMachine) {
  ProgramSet joined = Sample(), later = Sample();
  later.programs.pop_back();
  later.programs[0].part = "later";
  later.programs[1].key.clear();  // like older files: identified by the trace
  later.programs[1].part = "later";
  Append(later, &joined);
  ASSERT_EQ(joined.programs.size(), 3u);
  EXPECT_EQ(joined.programs[0].part, "later");
  EXPECT_EQ(joined.programs[1].part, "later");
  EXPECT_NE(joined.programs[2].part, "later");
  EXPECT_THAT(joined.notes, ElementsAre(HasSubstr("2 programs dropped")));
}

// The reference took 2, 2.1 and 2 us beside three programs; the first one's session says 500.
TEST(ProgramSetTest, CountsSecondsFromOneTimeOfTheReference) {
  ProgramSet set;
  set.tasks = Sample().tasks;
  const auto add = [&](int task, double ratio, float sample, double seconds) {
    MeasuredProgram program;
    program.task = task;
    program.host = "one";
    program.ratio = {ratio, ratio, ratio};
    program.samples = {sample, sample};
    program.seconds = seconds;
    set.programs.push_back(program);
  };
  add(0, 1, 2e-6F, 500e-6);
  add(0, 2.1, 1e-6F, 0.95e-6);
  add(0, 0.5, 4e-6F, 4e-6);
  add(1, 4, 1e-3F, 1e-3);
  ProgramSet joined;
  Append(set, &joined);
  EXPECT_NEAR(joined.programs[0].seconds, 2e-6, 1e-12);
  EXPECT_NEAR(joined.programs[1].seconds, 2e-6 / 2.1, 1e-12);
  EXPECT_NEAR(joined.programs[2].seconds, 4e-6, 1e-12);
  EXPECT_NEAR(joined.programs[3].seconds, 1e-3, 1e-9);
  ProgramSet again;
  Append(ProgramsFromText(ProgramsToText(joined), "FILE"), &again);
  EXPECT_EQ(ProgramsToText(again), ProgramsToText(joined));
}

TEST(ProgramSetTest, RefusesTwoMachinesOfOneName) {
  ProgramSet one = Sample(), other = Sample();
  for (ProgramTask& task : one.tasks) task.info.target = "llvm(cores=2,l1=32768,l2=1,l3=8)";
  for (ProgramTask& task : other.tasks) task.info.target = "llvm(cores=1,l1=32768,l2=1,l3=8)";
  EXPECT_NO_THROW(Append(other, &one));
  for (ProgramTask& task : other.tasks) task.info.target = "llvm(cores=2,l1=32768,l2=1,l3=16)";
  try {
    Append(other, &one);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("found caches l1=32768,l2=1,l3=16, expected l1=32768"));
  }
}

TEST(ProgramSetTest, NamesTheFaultOfAFile) {
  const std::string text = ProgramsToText(Sample());
  EXPECT_THAT(FaultOfText(""), HasSubstr("'FILE' is empty"));
  EXPECT_THAT(FaultOfText("{}"), HasSubstr("'FILE', line 1: found no format"));
  std::string newer = text;
  newer.replace(newer.find("\"version\":1"), 11, "\"version\":2");
  EXPECT_THAT(FaultOfText(newer), HasSubstr("line 1: found version 2, expected 1"));
  EXPECT_THAT(FaultOfText(text + "[9,0,0,0,0,[]]\n"), HasSubstr("line 5: found task 9"));
  EXPECT_THAT(FaultOfText(text + "[0,0,0"), HasSubstr("line 5:"));
  const std::string fewer = text.substr(0, text.rfind("\n[") + 1);
  EXPECT_THAT(FaultOfText(fewer),
              HasSubstr("'FILE': found 2 programs, expected 3 as there are keys"));
}

}  // namespace
}  // namespace schedulegym
