#include "agents/trained/es.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "agents/builtin_agents.h"
#include "agents/cost/model_registry.h"
#include "env/base/fault.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// By hand for four: ln 3 = 1.0986 and ln 3 - ln 2 = 0.4055 of 1.5041, and 0 for the others.
TEST(RankUtilities, FourSamples) {
  EXPECT_THAT(RankUtilities(4), ElementsAre(DoubleNear(0.4804, 1e-4), DoubleNear(0.0196, 1e-4),
                                            DoubleNear(-0.25, 1e-12), DoubleNear(-0.25, 1e-12)));
}

TEST(RankUtilities, SumToNothing) {
  for (int samples : {2, 5, 64}) {
    const std::vector<double> utilities = RankUtilities(samples);
    EXPECT_NEAR(std::accumulate(utilities.begin(), utilities.end(), 0.0), 0, 1e-12);
  }
}

// Two samples of one number, the better at +1: utilities 0.5 and -0.5, mean 0.5 + 0.1 * 0.3 * 1.
// Both are one width away, so that the width stays.
TEST(NaturalStrategy, MovesTowardsTheBetter) {
  NaturalStrategy strategy(1);
  strategy.Move({{1}, {-1}}, std::vector<size_t>{0, 1}, 0.1);
  EXPECT_THAT(strategy.means(), ElementsAre(DoubleNear(0.53, 1e-12)));
  EXPECT_THAT(strategy.widths(), ElementsAre(DoubleNear(0.3, 1e-12)));
  // The better is within a width, the other at it: exp(3 / 5 / 2 * 0.5 * -1).
  strategy.Move({{0}, {1}}, std::vector<size_t>{0, 1}, 0.1);
  EXPECT_THAT(strategy.widths(), ElementsAre(DoubleNear(0.3 * std::exp(-0.15), 1e-12)));
}

TEST(NaturalStrategy, StaysWithinItsRange) {
  NaturalStrategy strategy(2);
  EXPECT_THAT(strategy.At(std::vector<double>{100, -100}),
              ElementsAre(std::nextafter(1.0, 0.0), 0));
}

TEST(NaturalStrategy, FindsTheTopOfAHill) {
  NaturalStrategy strategy(4);
  Rng rng(1);
  const std::vector<double> top = {0.2, 0.9, 0.5, 0.7};
  const auto height = [&](const std::vector<double>& sample) {
    const std::vector<double> at = strategy.At(sample);
    double sum = 0;
    for (size_t i = 0; i < top.size(); ++i) sum -= (at[i] - top[i]) * (at[i] - top[i]);
    return sum;
  };
  for (int step = 0; step < 200; ++step) {
    const auto samples = strategy.Draw(64, rng);
    std::vector<size_t> order(samples.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, std::greater<>(), [&](size_t i) { return height(samples[i]); });
    strategy.Move(samples, order, 0.5);
  }
  for (size_t i = 0; i < top.size(); ++i) EXPECT_NEAR(strategy.means()[i], top[i], 0.02);
  EXPECT_TRUE(strategy.HasSettled(0.5));
}

class EsAgentTest : public testing::Test {
 protected:
  EsAgentTest()
      : space_(MakeAnsorSpace(ParseSpec("ansor").value())),
        task_(WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2))) {}

  std::unique_ptr<Agent> Make(const std::string& options) {
    return std::make_unique<SingleTaskAgent>(ParseSpec("es(" + options + ")").value(), *space_,
                                             std::vector{task_}, Rng(1));
  }

  double BestByEstimate(const std::vector<ScheduleState>& states) {
    const auto model = MakeCostModel({{"analytical", {}}, Rng(1)});
    double best = 0;
    for (const auto& score : ScoresOf(model->Predict(WithFeatures(states)))) {
      best = std::max(best, score.value_or(0));
    }
    return best;
  }

  std::unique_ptr<SearchSpace> space_;
  std::shared_ptr<const Task> task_;
};

// With equal numbers of predictions; random search does not use the model.
TEST_F(EsAgentTest, ItsFirstBeatsTheBestOfAsManyDraws) {
  const auto agent = Make("model=analytical,samples=32,steps=10");
  const std::vector<Proposal> first = agent->Propose(0, 1);
  ASSERT_EQ(first.size(), 1u);
  Rng rng(5);
  std::vector<ScheduleState> drawn;
  while (drawn.size() < 320) {
    const Result<ScheduleState> state = space_->Sample(task_, rng);
    if (state) drawn.push_back(*state);
  }
  EXPECT_GT(BestByEstimate({first[0].state}), BestByEstimate(drawn));
}

TEST_F(EsAgentTest, ProposesNothingTwice) {
  const auto agent = Make("model=analytical,samples=16,steps=2");
  std::set<Key> keys;
  for (int call = 0; call < 3; ++call) {
    for (const Proposal& proposal : agent->Propose(0, 16)) {
      EXPECT_TRUE(keys.insert(proposal.key).second);
      EXPECT_TRUE(space_->Admit(proposal.state));
    }
  }
  EXPECT_EQ(keys.size(), 48u);
}

TEST_F(EsAgentTest, RefusesAModelThatIsNotTrained) {
  for (const char* options : {"model=boosted", "model=tuna", "model=no_file", "samples=1"}) {
    EXPECT_THROW(Make(options), InputError) << options;
  }
  try {
    Make("model=tuna");
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("model tuna is not trained"));
  }
}

}  // namespace
}  // namespace schedulegym
