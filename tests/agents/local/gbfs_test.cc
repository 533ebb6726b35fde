#include "agents/local/gbfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "env/base/fault.h"
#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

// A loop of four as two levels: (4, 1), (2, 2), (1, 4).
class FourSpace : public SearchSpace {
 public:
  FourSpace() {
    const StageRef stage = {task->dag.outputs().back()};
    const OpenLengths open{"tile", Split{stage, 0, {1}}, 4, LengthsFit::kDivide, {{1, 2, 4}}};
    knobs_ = std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>{open});
  }
  std::string Name() const override { return "four"; }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>&, Rng& rng) const override {
    return knobs_->Complete({}, rng);
  }
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    return Sample(state.shared_task(), rng);
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>&) const override {
    return {{knobs_->At(knobs_->Origin()).value(), {"tile"}, knobs_}};
  }
  int64_t Inner(const Proposal& proposal) const {
    return std::get<Split>(proposal.state.step(0)).lengths[0];
  }

  std::shared_ptr<const Task> task = std::make_shared<const Task>(
      Task{DagOf("input X[4]\nY[i:4] = X[i] + 1\n"), Target{}, "four"});

 private:
  std::shared_ptr<const KnobSpace> knobs_;
};

class GbfsAgentTest : public testing::Test {
 protected:
  std::unique_ptr<Agent> Make(const std::string& spec, uint64_t seed = 1) const {
    return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space_,
                                             std::vector{space_.task}, Rng(seed));
  }
  // Proposes `count` and reports throughput by inner length; returns the proposals.
  std::vector<int64_t> Round(Agent& agent, const std::map<int64_t, double>& throughput) const {
    std::vector<int64_t> inner;
    std::vector<Trial> trials;
    for (const Proposal& one : agent.Propose(0, 8)) {
      inner.push_back(space_.Inner(one));
      trials.push_back(TimedTrial(one, 1 / throughput.at(inner.back())));
    }
    agent.Learn(trials);
    return inner;
  }

  FourSpace space_;
};

// From (4, 1) factors lead to (2, 2), from there to (1, 4): one at a time, since 4 needs two moves.
TEST_F(GbfsAgentTest, FollowsTheFactorsFromTheOrigin) {
  const auto agent = Make("gbfs(mode=faithful)");
  const std::map<int64_t, double> throughput = {{1, 1}, {2, 3}, {4, 2}};
  EXPECT_THAT(Round(*agent, throughput), testing::ElementsAre(1));
  EXPECT_THAT(Round(*agent, throughput), testing::ElementsAre(2));
  EXPECT_THAT(Round(*agent, throughput), testing::ElementsAre(4));
  EXPECT_THAT(Round(*agent, throughput), testing::IsEmpty());
}

TEST_F(GbfsAgentTest, GoesOnWhereTheQueueIsEmpty) {
  const auto agent = Make("gbfs(mode=faithful)");
  const std::vector<Proposal> origin = agent->Propose(0, 8);
  agent->Learn(std::vector{TimedTrial(origin.at(0), std::nullopt)});
  int proposed = 1;
  for (int i = 0; i < 4; ++i) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent->Propose(0, 8))
      trials.push_back(TimedTrial(one, std::nullopt));
    proposed += static_cast<int>(trials.size());
    if (!trials.empty()) agent->Learn(trials);
  }
  EXPECT_EQ(proposed, 3);
}

TEST_F(GbfsAgentTest, MeasuresAtMostRhoMovesAtOnce) {
  const auto task = SurfaceTask();
  const SurfaceSpace space(task);
  SingleTaskAgent agent(ParseSpec("gbfs(rho=3)").value(), space, {task}, Rng(1));
  for (int i = 0; i < 5; ++i) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent.Propose(0, 16)) trials.push_back(TimedTrial(one, 1.0));
    EXPECT_EQ(trials.size(), i == 0 ? 1u : 3u);
    agent.Learn(trials);
  }
}

TEST_F(GbfsAgentTest, BadOptionsAreRefused) {
  for (const char* spec :
       {"gbfs(rho=0)", "gbfs(start=best)", "gbfs(restart=-1)", "gbfs(queue=twice)"}) {
    EXPECT_THROW(Make(spec), InputError) << spec;
  }
}

TEST(GbfsSurfaceTest, ComesWithinFivePercent) { EXPECT_GE(SurfaceSuccesses("gbfs", 20), 18); }

}  // namespace
}  // namespace schedulegym
