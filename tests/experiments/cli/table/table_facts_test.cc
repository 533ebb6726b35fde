#include "experiments/cli/table/table_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

Table SmallTable(std::vector<TableRow> rows) {
  const auto task = std::make_shared<const Task>(
      Task{*ParseDag("input X[8]\nA[i:8] = X[i] + 1\n", "test"), Target(), "line"});
  KnobRows shape = {{{"unroll", {"0", "16", "64"}}}, {}, {}, {}};
  for (size_t i = 0; i < rows.size(); ++i) {
    shape.points.push_back({static_cast<int>(i)});
    shape.traces.push_back("trace 1\n");
  }
  TableFacts facts;
  facts.space = "ansor, sketch 0";
  facts.reference_seconds = 0.002;
  if (rows.size() > 1) facts.command = "schedulegym table line";
  return {task, facts, std::move(rows), std::move(shape)};
}

constexpr const char* kChance =
    "chance     2.000 of the reference's speed, 0.0 % under the best: the median best of 3 random "
    "trials\n";

TEST(TableFactsTest, TellTheBestTheWorstAndTheFailures) {
  const Table table = SmallTable({{ExactEvaluationResult(2, 0.001), 1, {{0.001F, 0.002F}, {1, 1}}},
                                  {FailedEvaluationResult(Outcome::kCompileError), 0.5},
                                  {ExactEvaluationResult(0.5, 0.004), 2}});
  const std::string json = ToJson(TableFields(table));
  for (const char* part :
       {R"("kind":"modify")", R"("workload":"line")", R"("points":3)", R"("ok":2)",
        R"("failed":{"compile_error":1})", R"("best":{"row":0,"seconds":0.001,"ratio":2.0})",
        R"("worst":{"row":2,"seconds":0.004,"ratio":0.5})", R"("measure_seconds":3.5)",
        R"("knobs":{"unroll":3})", R"("samples":2)", R"("command":"schedulegym table line")",
        R"("reference_seconds":0.002)", R"("chance":{"trials":3,"ratio":2.0,"of_best":1.0})",
        R"("within_10_percent":0.333)"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
  const std::string text = TableFactsText(table);
  for (const char* part : {"kind       modify\n", "space      ansor, sketch 0\n",
                           "points     3, failed: 1 compile_error\n", "best       1.000 ms, 2.000",
                           "row 2\n", "measuring  3.500 s", "  unroll: 0, 16, 64\n", kChance,
                           "near       33.3 % of the points within 10 % of the best\n",
                           "samples    2 kept\n", "command    schedulegym table line\n"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(TableFactsTest, TellHowFarSamplesTellTheBestApart) {
  std::vector<TableRow> rows;
  for (int i = 1; i <= 10; ++i) {
    const auto speed = static_cast<float>(i);
    rows.push_back({ExactEvaluationResult(speed, 1 / speed), 1});
    rows.back().samples = {{1 / speed, 1 / speed}, {1, 1}};
  }
  KnobRows shape = {{{"unroll", {}}}, {}, {}, {}};
  for (int i = 0; i < 10; ++i) {
    shape.knobs[0].values.push_back(std::to_string(i));
    shape.points.push_back({i});
    shape.traces.push_back("trace 1\n");
  }
  const Table few = SmallTable({{ExactEvaluationResult(1, 1), 1}});
  const Table table(few.task(), few.facts(), std::move(rows), std::move(shape));
  EXPECT_THAT(ToJson(TableFields(table)),
              HasSubstr(R"("noise":{"ceiling":1.0,"rank_correlation":1.0,"rows":10})"));
  EXPECT_THAT(TableFactsText(table),
              HasSubstr("noise      ceiling 1.000: what the ten best by half of the rounds are "
                        "worth by the other; both halves rank the best 10 alike by 1.00\n"));
}

TEST(TableFactsTest, WithoutASuccessThereIsNoBest) {
  const Table table = SmallTable({{FailedEvaluationResult(Outcome::kRunSignal), 0}});
  EXPECT_THAT(
      ToJson(TableFields(table)),
      HasSubstr(R"("best":null,"worst":null,"chance":null,"within_10_percent":null,"noise":null)"));
  EXPECT_THAT(ToJson(TableFields(table)), HasSubstr(R"("command":null)"));
  EXPECT_THAT(TableFactsText(table), HasSubstr("samples    none\n"));
  EXPECT_THAT(TableFactsText(table), testing::Not(HasSubstr("command")));
  EXPECT_THAT(TableFactsText(table), HasSubstr("best       none\n"));
}

}  // namespace
}  // namespace schedulegym
