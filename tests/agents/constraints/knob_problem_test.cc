#include "agents/constraints/knob_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "agents/common/knob_field.h"
#include "env/gym/tables/table_file.h"
#include "env/schedule/state.h"
#include "env/search/factorization.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> ProductTask(int size) {
  const std::string n = std::to_string(size);
  return std::make_shared<const Task>(
      Task{DagOf("input A[" + n + ", " + n + "]\ninput B[" + n + ", " + n + "]\nC[i:" + n +
                 ", j:" + n + "] = sum(k:" + n + ") A[i, k] * B[k, j]\n"),
           Target{}, "product"});
}

class KnobProblemTest : public testing::TestWithParam<std::string> {
 protected:
  std::vector<Sketch> SketchesOf(const std::shared_ptr<const Task>& task) {
    return space_->Sketches(task);
  }

  std::unique_ptr<SearchSpace> space_ = MakeSpace(ParseSpec(GetParam()).value());
};

INSTANTIATE_TEST_SUITE_P(Spaces, KnobProblemTest, testing::Values("ansor", "schedulegym"),
                         [](const auto& info) { return info.param; });

// Each solution is a point of the grid, and a larger share is admitted than of random places. The
// limit is 99 %; the figures are printed.
TEST_P(KnobProblemTest, SolutionsAreSchedules) {
  const auto task = ProductTask(64);
  const KnobField field(*space_, task, "agent test");
  Rng rng(1);
  constexpr int kSolutions = 10'000;
  int admitted = 0, free = 0;
  std::vector<std::unique_ptr<KnobProblem>> problems;
  for (int sketch = 0; sketch < field.sketches(); ++sketch) {
    problems.push_back(
        std::make_unique<KnobProblem>(field.knobs(sketch), task->target, KnobLimits()));
  }
  for (int i = 0; i < kSolutions; ++i) {
    const int sketch = i % field.sketches();
    const KnobProblem& problem = *problems[sketch];
    const KnobPoint point = problem.PointOf(problem.sampler().Draw(rng).value());
    ASSERT_TRUE(field.knobs(sketch).Contains(point));
    ASSERT_TRUE(problem.Contains(point));
    const Result<ScheduleState> state = field.State({sketch, point});
    ASSERT_TRUE(state.ok()) << state.error().message;
    admitted += space_->Admit(*state).ok() ? 1 : 0;
    const Result<ScheduleState> other = field.State(field.Draw(rng).value());
    free += other && space_->Admit(*other).ok() ? 1 : 0;
  }
  std::cout << GetParam() << ": of " << kSolutions << " solutions " << admitted
            << " are admitted, of places by chance " << free << "\n";
  EXPECT_GT(admitted, free);
  EXPECT_GE(admitted, 0.99 * kSolutions);
}

// The limit is 5,000 solutions a second for a product of 512; the figure is printed.
TEST_P(KnobProblemTest, SolutionsOfAProductOf512AreQuick) {
  const auto task = ProductTask(512);
  Rng rng(1);
  for (const Sketch& sketch : SketchesOf(task)) {
    const auto begin = std::chrono::steady_clock::now();
    const KnobProblem problem(*sketch.knobs, task->target, {.has_caches = true});
    const auto made = std::chrono::steady_clock::now();
    constexpr int kDraws = 2000;
    for (int i = 0; i < kDraws; ++i) ASSERT_TRUE(problem.sampler().Draw(rng));
    const auto drawn = std::chrono::steady_clock::now();
    for (int i = 0; i < kDraws; ++i) {
      ASSERT_EQ(Solve(*problem.sampler().domains(), {}, rng).end, SolveEnd::kSolved);
    }
    const auto end = std::chrono::steady_clock::now();
    const auto rate = [](auto from, auto to) {
      return kDraws / std::chrono::duration<double>(to - from).count();
    };
    std::cout << GetParam() << ", " << problem.problem().size() << " variables, "
              << problem.sampler().count()
              << " solutions, counted: " << problem.sampler().is_exact() << ", made in "
              << std::chrono::duration<double>(made - begin).count() << " s: drawn "
              << rate(made, drawn) << " a second, searched " << rate(drawn, end) << "\n";
    EXPECT_GT(rate(made, drawn), 1000);  // machines may be busy with other tests
  }
}

// Extents 4 and 6 in two levels each: 3 and 4 ways, of which (4, 6), 24 results, pass a limit of
// eight operations, two for each vector of four; (4, 3), (2, 6) and (4, 2) hold 12, 12 and 8.
TEST(KnobProblemLimitsTest, InnermostLengthsOfAStageAreLimitedTogether) {
  const std::shared_ptr<const Task> task = ProductTask(12);
  const StageRef stage = {task->dag.outputs().back()};
  std::vector<TraceSegment> segments;
  for (const auto& [loop, extent] : {std::pair(0, 4), {2, 6}}) {
    segments.push_back(OpenLengths{"tile " + std::to_string(loop),
                                   Split{stage, loop, {1}},
                                   extent,
                                   LengthsFit::kDivide,
                                   {Divisors(extent)}});
  }
  const KnobSpace knobs(task, segments);
  Target target = task->target;
  target.vector_bits = 128;
  EXPECT_EQ(KnobProblem(knobs, target, {.code = 0}).sampler().count(), 12);
  const KnobProblem limited(knobs, target, {.code = 8});
  EXPECT_EQ(limited.sampler().count(), 11);
  EXPECT_FALSE(limited.Contains({2, 3}));
  EXPECT_TRUE(limited.Contains({2, 2}));
}

// In the space `schedulegym` tiles of i and j and the unrolled reduction make the code: 16 * 16 *
// 64 multiplications are far above 2,500 operations, 4 * 4 * 64 = 1,024 are below.
TEST(KnobProblemLimitsTest, UnrolledReductionsCountAsCode) {
  const std::shared_ptr<const Task> task = ProductTask(64);
  const auto space = MakeSpace(ParseSpec("schedulegym").value());
  const Sketch sketch = space->Sketches(task).front();
  const KnobSpace& knobs = *sketch.knobs;
  const KnobProblem limited(knobs, task->target, {.spill = 0});
  const auto point = [&](const std::string& tile, const std::string& unrolled) {
    KnobPoint point = knobs.Origin();
    for (int knob = 0; knob < knobs.dimensions(); ++knob) {
      const std::string& name = knobs.knob(knob).name;
      const std::string value = name.ends_with(", tile") ? tile : unrolled;
      if (!name.ends_with(", tile") && !name.ends_with(", unrolled")) continue;
      while (knobs.MeaningOf(knob, point[knob]) != value) ++point[knob];
    }
    return point;
  };
  EXPECT_TRUE(limited.Contains(point("16", "0")));
  EXPECT_FALSE(limited.Contains(point("16", "1")));
  EXPECT_TRUE(limited.Contains(point("4", "1")));
}

TEST(KnobProblemLimitsTest, HintsNameThePoint) {
  const std::shared_ptr<const Task> task = ProductTask(64);
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const Sketch sketch = space->Sketches(task).front();
  const KnobProblem problem(*sketch.knobs, task->target, {});
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const KnobPoint point = problem.PointOf(problem.sampler().Draw(rng).value());
    const SolveResult near = Solve(*problem.sampler().domains(), problem.HintsOf(point), rng);
    EXPECT_EQ(problem.PointOf(near.solution), point);
  }
}

// The fastest hundredth of each contest table breaks no hard limit.
TEST(KnobProblemTableTest, TheFastestRowsAreSolutions) {
  const auto space = MakeSpace(ParseSpec("ansor").value());
  for (const char* name : {"matmul", "conv2d", "depthwise", "linear_gelu", "depthwise_v2",
                           "depthwise_padded", "conv2d_transpose"}) {
    const Table table = ReadTable(std::string(SG_SOURCE_DIR) +
                                  "/bindings/schedulegym/tables/contest_" + name + ".table");
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < table.size(); ++row) {
      if (table.row(row).evaluation.ok()) rows.push_back(row);
    }
    std::ranges::sort(rows, {}, [&](int64_t row) { return *table.row(row).evaluation.seconds; });
    rows.resize((table.size() + 99) / 100);
    const KnobField field(*space, table.task(), "agent test");
    std::vector<std::unique_ptr<KnobProblem>> problems;
    for (int sketch = 0; sketch < field.sketches(); ++sketch) {
      problems.push_back(
          std::make_unique<KnobProblem>(field.knobs(sketch), table.task()->target, KnobLimits()));
    }
    for (const int64_t row : rows) {
      const auto state = ReplayText(table.task(), table.TraceText(row).value());
      ASSERT_TRUE(state);
      if (!space->Admit(*state)) continue;  // from an earlier version of the space
      const std::optional<FieldPlace> place = field.PlaceOf(*state);
      ASSERT_TRUE(place) << name << ", row " << row;
      EXPECT_TRUE(problems[place->sketch]->Contains(place->point)) << name << ", row " << row;
    }
  }
}

}  // namespace
}  // namespace schedulegym
