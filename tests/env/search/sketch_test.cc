#include "env/search/search_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/language/parser.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// A, which B reads, is split; both may be unrolled; one knob concerns neither.
Sketch TwoStages() {
  const auto task = std::make_shared<const Task>(
      Task{*ParseDag("input X[24]\nA[i:24] = X[i] + 1\nB[i:24] = A[i] * 2\n", "test"), Target(),
           "test"});
  const auto steps = [](int stage, int64_t most) -> Trace {
    return {Pragma{{stage}, "auto_unroll_max_step", most}};
  };
  auto knobs = std::make_shared<const KnobSpace>(
      task,
      std::vector<TraceSegment>{
          OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {Divisors(24), Divisors(24)}},
          Variants{"B: unroll", {{}, steps(2, 16)}, KnobKind::kUnroll, 2},
          Variants{"A: unroll", {{}, steps(1, 16)}, KnobKind::kUnroll, 1},
          Variants{"both", {{}, {Unroll{{1}, 0}, Unroll{{2}, 0}}}}});
  ScheduleState origin = knobs->At(knobs->Origin()).value();
  return {std::move(origin), {"A: tile"}, std::move(knobs)};
}

TEST(SketchTest, OutputsComeFirstWhereACallerWantsIt) {
  EXPECT_THAT(OutputsFirst(TwoStages()), ElementsAre(4, 2, 0, 1, 3));
}

TEST(SketchTest, TextIsTheOriginAndTheKnobs) {
  EXPECT_EQ(ToText(TwoStages()),
            "trace 1\n"
            "split(stage=A, loop=0, lengths=[1, 1])\n"
            "# A: 8, 8 values\n"
            "# B: unroll: 2 values\n"
            "# A: unroll: 2 values\n"
            "# both: 2 values\n");
}

}  // namespace
}  // namespace schedulegym
