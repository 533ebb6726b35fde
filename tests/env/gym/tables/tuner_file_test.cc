#include "env/gym/tables/tuner_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/gym/tables/table_file.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string TunerFileFault(const std::string& results, const std::string& input = "") {
  try {
    ParseTunerFile(results, input, "f.json");
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    return error.what();
  }
  return "";
}

double SecondsAt(const Table& table, const KnobPoint& point) {
  return table.row(table.Find(point).value()).evaluation.seconds.value();
}

TEST(TunerFileTest, ResultsAloneAreATable) {
  const Table table = ParseTunerFile(MadeResults(), "", "folder/blur.json");
  EXPECT_TRUE(table.is_foreign());
  EXPECT_EQ(table.task()->name, "blur");
  EXPECT_THAT(table.knobs()->knobs, ElementsAre(TableKnob{"block", {"32", "64", "128"}},
                                                TableKnob{"unroll", {"0", "1"}}));
  EXPECT_EQ(table.size(), 5);
  EXPECT_DOUBLE_EQ(SecondsAt(table, {0, 0}), 0.004);
  // The median of its list.
  EXPECT_DOUBLE_EQ(SecondsAt(table, {0, 1}), 0.002);
  EXPECT_EQ(table.Find({2, 1}), std::nullopt);
  EXPECT_EQ(table.row(table.Find({1, 0}).value()).evaluation.outcome, Outcome::kCompileError);
  // The median of 1, 2, 3 and 4 milliseconds.
  EXPECT_DOUBLE_EQ(table.facts().reference_seconds, 0.0025);
  EXPECT_DOUBLE_EQ(table.row(table.Best().value()).evaluation.speed.median, 2.5);
}

TEST(TunerFileTest, TheInputGivesOrderNamesAndReference) {
  const Table table = ParseTunerFile(MadeResults(), MadeInput(), "f.json");
  EXPECT_EQ(table.task()->name, "blur");
  EXPECT_EQ(table.facts().host, "Example GPU");
  EXPECT_THAT(table.knobs()->knobs[0].values, ElementsAre("64", "32", "128"));
  EXPECT_DOUBLE_EQ(table.facts().reference_seconds, 0.004);
  EXPECT_DOUBLE_EQ(table.row(table.Best().value()).evaluation.speed.median, 4);
}

TEST(TunerFileTest, ValuesThatAreNoListAreThoseThatOccur) {
  const Table table =
      ParseTunerFile(MadeResults(), Replaced(MadeInput(), "[64, 32, 128]", "list(range(9))"), "f");
  EXPECT_THAT(table.knobs()->knobs[0].values, ElementsAre("32", "64", "128"));
}

TEST(TunerFileTest, RowsCostWhatASimulationCounts) {
  const auto table = MadeTunerTable();
  EXPECT_DOUBLE_EQ(table->row(0).cost_seconds, 0.125);
  EXPECT_DOUBLE_EQ(table->row(2).cost_seconds, 0.050);
  const Table seconds = ParseTunerFile(
      Replaced(MadeResults(), "{\"schema", "{\"metadata\": {\"timeunit\": \"seconds\"}, \"schema"),
      "", "f");
  EXPECT_DOUBLE_EQ(seconds.row(0).cost_seconds, 125);
  const Table runs = ParseTunerFile(Replaced(MadeResults(), "\"benchmark\": 20, ", ""), "", "f");
  EXPECT_DOUBLE_EQ(runs.row(0).cost_seconds, 0.111);
}

TEST(TunerFileTest, EveryFailureHasItsOutcome) {
  const std::string text = MadeResults();
  for (const auto& [word, outcome] :
       {std::pair("timeout", Outcome::kRunTimeout), std::pair("runtime", Outcome::kRunSignal),
        std::pair("correctness", Outcome::kWrongOutput),
        std::pair("constraints", Outcome::kInvalidSchedule)}) {
    const Table table =
        ParseTunerFile(Replaced(text, "\"compile\"", "\"" + std::string(word) + "\""), "", "f");
    EXPECT_EQ(table.row(2).evaluation.outcome, outcome);
  }
  const Table wrong =
      ParseTunerFile(Replaced(text, "\"correctness\": 1", "\"correctness\": 0"), "", "f");
  EXPECT_EQ(wrong.row(0).evaluation.outcome, Outcome::kWrongOutput);
  for (const char* value : {"\"RuntimeFailedConfig\"", "1e20"}) {
    const Table table =
        ParseTunerFile(Replaced(text, "\"value\": 4", std::string("\"value\": ") + value), "", "f");
    EXPECT_EQ(table.row(0).evaluation.outcome, Outcome::kRunSignal);
  }
}

TEST(TunerFileTest, TheLaterOfTwoResultsCounts) {
  const Table table =
      ParseTunerFile(Replaced(MadeResults(), "\"block\": 128", "\"block\": 32"), "", "f");
  EXPECT_EQ(table.size(), 4);
  EXPECT_DOUBLE_EQ(SecondsAt(table, {0, 0}), 0.003);
}

TEST(TunerFileTest, TwoFilesAreTwoTasks) {
  const Table one = ParseTunerFile(MadeResults(), "", "f");
  const Table other =
      ParseTunerFile(Replaced(MadeResults(), "\"value\": 1.0", "\"value\": 1.5"), "", "f");
  EXPECT_NE(TaskKey(*one.task()), TaskKey(*other.task()));
}

TEST(TunerFileTest, WhatIsNoSuchFileIsRefused) {
  const std::string text = MadeResults();
  EXPECT_THAT(TunerFileFault("x"), HasSubstr("f.json: is no JSON"));
  EXPECT_THAT(TunerFileFault("\x1f\x8b\x08"), HasSubstr("is compressed"));
  EXPECT_THAT(TunerFileFault("{\"cache\": {}}"), HasSubstr("found no results, expected a T4 file"));
  EXPECT_THAT(TunerFileFault("{\"results\": []}"),
              HasSubstr("expected one configuration at least"));
  EXPECT_THAT(TunerFileFault("{\"results\": [{}]}"), HasSubstr("result 0: found a field"));
  EXPECT_THAT(TunerFileFault(Replaced(text, "\"compile\"", "\"tired\"")),
              HasSubstr("invalidity 'tired'"));
  EXPECT_THAT(TunerFileFault(Replaced(text, "[\"time\"]", "[\"GFLOP/s\"]")),
              HasSubstr("found unit '' of the objective 'GFLOP/s', expected a unit of time"));
  EXPECT_THAT(TunerFileFault(Replaced(text, "[\"time\"]", "[\"energy\"]")),
              HasSubstr("result 0: found no measurement of its objective 'energy'"));
  EXPECT_THAT(TunerFileFault(Replaced(text, "\"value\": 4", "\"value\": -4")),
              HasSubstr("expected a time above 0"));
  EXPECT_THAT(TunerFileFault(Replaced(text, "\"unroll\": 1,", "")),
              HasSubstr("result 1: found no value of parameter 'unroll'"));
  EXPECT_THAT(TunerFileFault(text, Replaced(MadeInput(), "[64, 32, 128]", "[64, 32]")),
              HasSubstr("found value '128' of 'block', expected one that the T1 file lists"));
  EXPECT_THAT(TunerFileFault(text, Replaced(MadeInput(), "\"filter\"", "\"width\"")),
              HasSubstr("parameter 'filter', which the T1 file does not have"));
  EXPECT_THAT(TunerFileFault(text, Replaced(MadeInput(), "\"unroll\"", "\"block\"")),
              HasSubstr("the T1 file has parameter 'block' twice"));
  EXPECT_THAT(TunerFileFault(text, "{}"),
              HasSubstr("f.json: found another file beside the results"));
  EXPECT_THAT(TunerFileFault(text, "x"), HasSubstr("found another file beside the results"));
}

// Copying or printing a value that is nested so deep would overflow the stack.
TEST(TunerFileTest, NestingHarmsNothing) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_EQ(TunerFileFault("{\"results\": " + deep + "}"),
            "f.json: it nests deeper than 64 levels");
  EXPECT_EQ(TunerFileFault(Replaced(MadeResults(), "\"unroll\": 1", "\"unroll\": " + deep)),
            "f.json: it nests deeper than 64 levels");
  EXPECT_EQ(TunerFileFault(MadeResults(), deep),
            "f.json: the T1 file beside it: it nests deeper than 64 levels");
}

TEST(TunerFileTest, NothingThatSucceededIsNoTable) {
  std::string text = MadeResults();
  for (size_t at = 0; (at = text.find("\"correct\"", at)) != text.npos;) {
    text.replace(at, 9, "\"timeout\"");
  }
  EXPECT_THAT(TunerFileFault(text), HasSubstr("found no result that succeeded"));
}

}  // namespace
}  // namespace schedulegym
