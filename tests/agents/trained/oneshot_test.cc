#include "agents/trained/oneshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/builtin_agents.h"
#include "agents/cost/model_registry.h"
#include "env/base/fault.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

TEST(ShareGenesTest, AChildHasTheFirstSharesOfOneAndTheRestOfTheOther) {
  const ShareGenes first = {0, {0.1, 0.1, 0.1}}, second = {0, {0.9, 0.9, 0.9}};
  Rng rng(1);
  std::set<std::vector<double>> seen;
  for (int i = 0; i < 100; ++i) seen.insert(ChildOf(first, second, 0, rng).shares);
  EXPECT_EQ(seen, (std::set<std::vector<double>>{
                      {0.1, 0.1, 0.1}, {0.1, 0.1, 0.9}, {0.1, 0.9, 0.9}, {0.9, 0.9, 0.9}}));
  EXPECT_EQ(ChildOf(first, {1, {0.9}}, 0, rng).shares, first.shares) << "of another sketch";
}

TEST(ShareGenesTest, MutationDrawsAShareAnew) {
  const ShareGenes one = {0, std::vector<double>(1000, 0.5)};
  Rng rng(1);
  const ShareGenes child = ChildOf(one, one, 0.1, rng);
  EXPECT_NEAR(std::ranges::count(child.shares, 0.5), 900, 40);
}

class OneshotAgentTest : public testing::Test {
 protected:
  std::unique_ptr<Agent> Make(const std::string& options) const {
    return std::make_unique<SingleTaskAgent>(ParseSpec("oneshot(" + options + ")").value(), *space_,
                                             std::vector{task_}, Rng(1));
  }
  double BestByEstimate(const std::vector<ScheduleState>& states) const {
    const auto model = MakeCostModel({{"analytical", {}}, Rng(1)});
    double best = 0;
    for (const auto& score : ScoresOf(model->Predict(WithFeatures(states)))) {
      best = std::max(best, score.value_or(0));
    }
    return best;
  }

  const std::unique_ptr<SearchSpace> space_ = MakeAnsorSpace(ParseSpec("ansor").value());
  const std::shared_ptr<const Task> task_ = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
};

// With equal numbers of predictions.
TEST_F(OneshotAgentTest, ItsShotBeatsTheBestOfAsManyDraws) {
  const auto agent = Make("model=analytical,shots=1,population=32,elite=12,generations=9");
  const std::vector<Proposal> shot = agent->Propose(0, 1);
  ASSERT_EQ(shot.size(), 1U);
  Rng rng(5);
  std::vector<ScheduleState> drawn;
  while (drawn.size() < 320) {
    const Result<ScheduleState> state = space_->Sample(task_, rng);
    if (state) drawn.push_back(*state);
  }
  EXPECT_GT(BestByEstimate({shot[0].state}), BestByEstimate(drawn));
}

// Each form uses as many predictions as 320 draws.
TEST_F(OneshotAgentTest, PublishedParentsAndAnnealingBeatDrawsToo) {
  Rng rng(5);
  std::vector<ScheduleState> drawn;
  while (drawn.size() < 320) {
    const Result<ScheduleState> state = space_->Sample(task_, rng);
    if (state) drawn.push_back(*state);
  }
  std::set<std::string> shots;
  for (const char* form : {"mode=faithful,population=32,elite=12,generations=9",
                           "parents=rank,population=32,elite=12,generations=9",
                           "search=annealing,chains=16,steps=19"}) {
    const auto agent = Make(std::string("model=analytical,shots=1,") + form);
    const std::vector<Proposal> shot = agent->Propose(0, 1);
    ASSERT_EQ(shot.size(), 1U);
    EXPECT_GT(BestByEstimate({shot[0].state}), BestByEstimate(drawn)) << form;
    shots.insert(shot[0].state.TraceText());
  }
  EXPECT_EQ(shots.size(), 3U) << "each searches in its own way";
}

TEST_F(OneshotAgentTest, AnnealingEndsWithoutABetterPlace) {
  // One chain of one step of 512: a walk without an end would predict for hours.
  const auto agent =
      Make("model=random,search=annealing,shots=1,chains=1,steps=1000000,patience=1");
  EXPECT_EQ(agent->Propose(0, 3).size(), 3U);
}

TEST_F(OneshotAgentTest, RefusesOptionsOfTheOtherSearch) {
  EXPECT_THROW(Make("chains=8"), InputError);
  EXPECT_THROW(Make("search=annealing,parents=score"), InputError);
  EXPECT_THROW(Make("search=annealing,elite=8"), InputError);
  EXPECT_THROW(Make("search=sa"), InputError);
}

TEST_F(OneshotAgentTest, GoesOnWithAnotherSearchWhenItsShotsAreSpent) {
  const auto agent = Make("model=analytical,shots=4,population=16,elite=4,generations=2");
  std::set<Key> keys;
  for (int call = 0; call < 3; ++call) {
    for (const Proposal& proposal : agent->Propose(0, 6)) {
      EXPECT_TRUE(keys.insert(proposal.key).second);
      EXPECT_TRUE(space_->Admit(proposal.state));
    }
  }
  EXPECT_EQ(keys.size(), 18U);
}

TEST_F(OneshotAgentTest, RefusesAModelThatIsNotTrained) {
  for (const char* options : {"model=boosted", "model=no_file", "shots=0", "mutation=2"}) {
    EXPECT_THROW(Make(options), InputError) << options;
  }
}

}  // namespace
}  // namespace schedulegym
