#include "tests/fuzz/computations/computation_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A run that meets all minimums exactly.
ComputationCounts Enough(int64_t computations) {
  ComputationCounts counts;
  counts.computations = counts.bounded = computations;
  counts.exact = computations / 2;
  counts.schedules = 4 * computations;
  counts.refused = counts.schedules / 20;
  counts.right = counts.schedules - counts.refused;
  for (const OperationForm& form : EveryOperationForm()) {
    counts.operations[form] = ComputationBar().LeastOfAForm(computations);
  }
  return counts;
}

TEST(ComputationBarTest, EnoughIsEnough) {
  EXPECT_THAT(ShortfallsOf(Enough(5000)), IsEmpty());
  EXPECT_THAT(ShortfallsOf(Enough(200)), IsEmpty());
}

TEST(ComputationBarTest, ShortRunsNeedTheirShare) {
  const ComputationBar bar;
  EXPECT_EQ(bar.LeastOfAForm(5000), 100);
  EXPECT_EQ(bar.LeastOfAForm(20000), 100);
  EXPECT_EQ(bar.LeastOfAForm(4050), 9);  // 81 - 8 * 9
  EXPECT_EQ(bar.LeastOfAForm(2500), 1);
  EXPECT_EQ(bar.LeastOfAForm(500), 1);
  EXPECT_EQ(bar.LeastOfAForm(499), 0);
}

TEST(ComputationBarTest, ManyRefusals) {
  ComputationCounts counts = Enough(5000);
  ++counts.refused;
  --counts.right;
  EXPECT_THAT(ShortfallsOf(counts), ElementsAre(HasSubstr("refused, expected 5.0 % at most")));
}

TEST(ComputationBarTest, AFormThatIsRare) {
  ComputationCounts counts = Enough(5000);
  counts.operations[{"erf", DType::kF64, true}] = 99;
  counts.operations.erase({"//", DType::kI8, false});
  EXPECT_THAT(ShortfallsOf(counts),
              testing::UnorderedElementsAre(
                  "'erf' of f64 on vectors was in 99 right schedules, expected 100",
                  "'//' of i8 on scalars was in 0 right schedules, expected 100"));
}

TEST(ComputationBarTest, AFormThatAShortRunLeftOut) {
  ComputationCounts counts = Enough(500);
  EXPECT_THAT(ShortfallsOf(counts), IsEmpty());
  counts.operations.erase({"erf", DType::kF64, true});
  EXPECT_THAT(ShortfallsOf(counts),
              ElementsAre("'erf' of f64 on vectors was in 0 right schedules, expected 1"));
}

TEST(ComputationBarTest, NothingCompared) {
  ComputationCounts counts = Enough(10);
  counts.refused = counts.schedules;
  counts.right = 0;
  EXPECT_THAT(ShortfallsOf(counts),
              ElementsAre("nothing was compared", HasSubstr("100.0 % of the schedules")));
  counts = Enough(10);
  counts.exact = counts.bounded = 0;
  EXPECT_THAT(ShortfallsOf(counts), ElementsAre("nothing was compared"));
  counts.bounded = 10;
  counts.cells = counts.unbounded = 50;
  EXPECT_THAT(ShortfallsOf(counts), ElementsAre(HasSubstr("no cell of reals had a bound")));
}

}  // namespace
}  // namespace schedulegym
