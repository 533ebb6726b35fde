#include "agents/common/best_states.h"

#include <gtest/gtest.h>

#include <set>

#include "env/schedule/loop_structure.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/agents/split_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::vector<std::string> Traces(const std::vector<DrawnState>& drawn) {
  std::vector<std::string> traces;
  for (const DrawnState& one : drawn) traces.push_back(one.state.TraceText());
  return traces;
}

class DrawStatesTest : public testing::Test {
 protected:
  std::vector<DrawnState> Draw(int draws, int threads, uint64_t seed = 1) const {
    Rng rng(seed);
    return DrawStates(*space_, task_, draws, threads, rng);
  }

  const std::unique_ptr<SearchSpace> space_ = MakeAnsorSpace(ParseSpec("ansor").value());
  const std::shared_ptr<const Task> task_ = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
};

TEST_F(DrawStatesTest, AreTheSameOfAnyNumberOfThreads) {
  const auto one = Traces(Draw(200, 1));
  EXPECT_EQ(one.size(), 200u);
  EXPECT_EQ(Traces(Draw(200, 4)), one);
  EXPECT_NE(Traces(Draw(200, 1, 2)), one);
}

TEST_F(DrawStatesTest, TheNextAreOthers) {
  Rng rng(1);
  const auto first = Traces(DrawStates(*space_, task_, 70, 2, rng));
  EXPECT_NE(Traces(DrawStates(*space_, task_, 70, 2, rng)), first);
}

TEST_F(DrawStatesTest, KeysTellTracesApart) {
  std::set<Key> keys;
  std::set<std::string> traces;
  for (const DrawnState& one : Draw(500, 2)) {
    keys.insert(one.trace);
    traces.insert(one.state.TraceText());
  }
  EXPECT_EQ(keys.size(), traces.size());
  EXPECT_GT(traces.size(), 100u);
}

TEST(DrawStatesFailureTest, DrawsThatLeadNowhereAreLeftOut) {
  class Empty : public SplitSpace {
   public:
    Result<ScheduleState> Sample(const std::shared_ptr<const Task>&, Rng&) const override {
      return Illegal("there is nothing");
    }
  };
  const Empty space;
  Rng rng(1);
  EXPECT_TRUE(
      DrawStates(space, WorkloadTask("matmul(m=8,n=8,k=8)", Avx2Target(2)), 100, 2, rng).empty());
}

}  // namespace
}  // namespace schedulegym
