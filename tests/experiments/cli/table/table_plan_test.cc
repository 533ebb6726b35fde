#include "experiments/cli/table/table_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/program/language/parser.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> Matmul() {
  const char* dag =
      "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";
  return std::make_shared<const Task>(Task{*ParseDag(dag, "test"), Target(), "matmul"});
}

Measurement Success(double seconds, double ratio) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing();
  measurement.timing->seconds = seconds;
  measurement.timing->ratio = {ratio, ratio, ratio};
  measurement.phases = {0.25, 0.5, 1};
  return measurement;
}

TEST(TablePlanTest, RowsHaveSixDigits) {
  const TableRow row = RowOf(Success(0.00123456789, 1.23456789));
  EXPECT_EQ(row.evaluation.seconds, 0.00123457);
  EXPECT_EQ(row.evaluation.speed.median, 1.23457);
  EXPECT_EQ(row.cost_seconds, 1.75);
  Measurement failure;
  failure.outcome = Outcome::kRunSignal;
  failure.phases.compile = 2;
  EXPECT_EQ(RowOf(failure), (TableRow{FailedEvaluationResult(Outcome::kRunSignal), 2}));
}

// As read from a table; without a pair for each round there are none.
TEST(TablePlanTest, RowsKeepTheirSamples) {
  Measurement measurement = Success(1e-3, 2);
  measurement.timing->samples = {1e-3F, 1.01e-3F};
  measurement.timing->reference_samples = {2e-3F, 1.9e-3F};
  const RawSamples samples = RowOf(measurement).samples;
  ASSERT_EQ(samples.candidate.size(), 2u);
  EXPECT_FLOAT_EQ(samples.candidate[0], 1e-3F);
  EXPECT_NEAR(samples.candidate[1], 1.01e-3, 1e-8);
  EXPECT_NEAR(samples.reference[1], 1.9e-3, 2e-8);
  EXPECT_EQ(ParseSamples(SamplesText(samples.candidate, 1e-3), 1e-3), samples.candidate);
  measurement.timing->reference_samples.pop_back();
  EXPECT_TRUE(RowOf(measurement).samples.empty());
  measurement.timing->reference_samples = {2e-3F, 0};
  EXPECT_TRUE(RowOf(measurement).samples.empty());
}

TEST(TablePlanTest, GridsAreOfTheSketchThatWasAskedFor) {
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const TablePlan plan = PlanGrid(Matmul(), *space, {.sketch = 1, .points = 50});
  EXPECT_EQ(plan.part, "sketch 1");
  const auto& rows = std::get<KnobRows>(plan.shape);
  ASSERT_EQ(rows.points.size(), plan.states.size());
  EXPECT_EQ(rows.traces[0], plan.states[0].TraceText());
  EXPECT_THROW(PlanGrid(Matmul(), *space, {.sketch = 99, .points = 50}), InputError);
  EXPECT_EQ(PlanGrid(Matmul(), *space, {.sketch = 1, .points = 50}).states.back().TraceText(),
            plan.states.back().TraceText());
}

TEST(TablePlanTest, GridsMayBeOfAllSketches) {
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const size_t sketches = space->Sketches(Matmul()).size();
  const TablePlan plan = PlanGrid(Matmul(), *space, {.sketch = std::nullopt, .points = 90});
  EXPECT_EQ(plan.part, std::to_string(sketches) + " sketches");
  const auto& rows = std::get<KnobRows>(plan.shape);
  EXPECT_EQ(rows.knobs[0].name, "sketch");
  std::set<int> seen;
  for (const KnobPoint& point : rows.points) seen.insert(point[0]);
  EXPECT_EQ(seen.size(), sketches);
  EXPECT_LE(rows.points.size(), 90u);
}

// Near the good point a random search finds points that are almost as good.
TEST(TablePlanTest, KnobsOfAContestAreChosenByTheEstimate) {
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const GridRequest request = {.sketch = 1, .points = 200};
  GridRequest contest = request;
  contest.is_hard = true;
  const TableRandomBaseline plain = PlanGrid(Matmul(), *space, request).estimated.value();
  const TableRandomBaseline hard = PlanGrid(Matmul(), *space, contest).estimated.value();
  EXPECT_EQ(plain.trials, 64);
  EXPECT_LE(hard.of_best, plain.of_best);
  EXPECT_TRUE(hard.of_best <= 0.95 || plain.of_best > 0.95);
  EXPECT_LE(PlanGrid(Matmul(), *space, contest).states.size(), 200u);
}

TEST(TablePlanTest, TablesAreAssembledOfTheStatesRecords) {
  const TablePlan plan = PlanTree(Matmul(), 12, 0);
  std::map<Key, Record> records;
  for (const ScheduleState& state : DistinctStates(plan)) {
    const auto count = static_cast<double>(1 + records.size());
    records[StateKey(state)].measurement = Success(0.001 * count, 2 / count);
  }
  ASSERT_GT(records.size(), 8u);
  const Table table = AssembleTable(plan, records, {7, "cpu1", "schedulegym table"});
  EXPECT_EQ(table.size(), 12);
  EXPECT_EQ(table.facts().seed, 7u);
  EXPECT_EQ(table.facts().protocol, "cpu1");
  EXPECT_EQ(table.facts().command, "schedulegym table");
  EXPECT_DOUBLE_EQ(table.facts().reference_seconds, 0.002);
  EXPECT_EQ(table.row(0).evaluation.seconds, 0.001);
  for (int64_t row = 0; row < table.size(); ++row) {
    EXPECT_EQ(table.row(row), RowOf(records.at(StateKey(plan.states[row])).measurement));
  }
}

TEST(TablePlanTest, SchedulesOfOneStructureAreMeasuredOnce) {
  TablePlan plan = PlanTree(Matmul(), 5, 0);
  const size_t count = DistinctStates(plan).size();
  plan.states.push_back(plan.states[0]);
  EXPECT_EQ(DistinctStates(plan).size(), count);
}

}  // namespace
}  // namespace schedulegym
