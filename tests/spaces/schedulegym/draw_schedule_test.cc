#include "spaces/schedulegym/build.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class DrawScheduleTest : public testing::Test {
 protected:
  Result<ScheduleState> Draw(double most_code) {
    Rng rng(3);
    return DrawSchedule(sketch_cache_, most_code, rng, [&](Rng& stream) {
      ++made_;
      return std::make_unique<RandomDecisionProvider>(sampler_.options, *sampler_.best, stream);
    });
  }

  Sampler sampler_;
  SketchCache sketch_cache_{WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target()), {}};
  int made_ = 0;
};

TEST_F(DrawScheduleTest, TheFirstThatIsShortEnoughIsTaken) {
  EXPECT_TRUE(Draw(1e9).ok());
  EXPECT_EQ(made_, 1);
}

// No schedule has that little code: after half of the tries any is returned.
TEST_F(DrawScheduleTest, LongCodeIsDrawnAgainForAWhile) {
  EXPECT_TRUE(Draw(0).ok());
  EXPECT_EQ(made_, 9);
}

TEST_F(DrawScheduleTest, DrawsFollowTheirSeed) {
  EXPECT_EQ(Draw(1e9)->TraceText(), Draw(1e9)->TraceText());
}

}  // namespace
}  // namespace schedulegym
