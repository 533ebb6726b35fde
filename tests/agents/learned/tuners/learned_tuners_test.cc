#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/learned/tuners/chameleon.h"
#include "agents/learned/tuners/na2c.h"
#include "agents/learned/tuners/policy_explorer.h"
#include "agents/learned/tuners/q_directions.h"
#include "agents/learned/tuners/tuner_options.h"
#include "env/base/fault.h"
#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

std::vector<AgentEntry> Learned() {
  return {{"na2c", kNa2cParameters, kNa2cDescription, MakeNa2cAgent},
          {"chameleon", kChameleonParameters, kChameleonDescription, MakeChameleonAgent},
          {"walker", "", "", [](const AgentContext& context) {
             return MakeFlextensorAgent(context, MakeQDirections);
           }}};
}

// The proposals of 96 trials, in batches of eight.
std::vector<Proposal> Search(const std::string& agent, uint64_t seed, double& best) {
  const std::shared_ptr<const Task> task = SurfaceTask();
  const SurfaceSpace space(task);
  SingleTaskAgent searcher(ParseSpec(agent).value(), space, {task}, Rng(seed), Budget{96},
                           Learned());
  std::vector<Proposal> all;
  best = 1e9;
  while (all.size() < 96) {
    std::vector<Trial> told;
    for (const Proposal& one : searcher.Propose(0, 8)) {
      const double seconds = ValleySeconds(space.knobs().PointOf(one.state).value());
      best = std::min(best, seconds);
      told.push_back(TimedTrial(one, seconds));
      all.push_back(one);
    }
    if (told.empty()) break;
    searcher.Learn(told);
  }
  return all;
}

class LearnedTunersTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Agents, LearnedTunersTest,
                         testing::Values("na2c", "na2c(mode=faithful, others=true)",
                                         "walker(method=q)", "walker(method=q, mode=faithful)"),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(LearnedTunersTest, EqualSeedsProposeTheSame) {
  double first = 0, second = 0;
  const std::vector<Proposal> a = Search(GetParam(), 3, first);
  const std::vector<Proposal> b = Search(GetParam(), 3, second);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].key, b[i].key);
  EXPECT_GT(a.size(), 40u);
}

// On these seeds random search reaches 1.6 on average after as many trials.
TEST_P(LearnedTunersTest, ComesCloserThanChance) {
  double sum = 0, chance = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    double best = 0;
    Search(GetParam(), seed, best);
    sum += best;
    chance += SurfaceSearch("random", seed, 96);
  }
  EXPECT_LT(sum, chance) << sum << " " << chance;
}

class LearnedTunerSurfaceTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Agents, LearnedTunerSurfaceTest,
                         testing::Values("na2c", "chameleon", "walker(method=q)"),
                         [](const auto& info) { return std::to_string(info.index); });

// As in tuner_surfaces_test.cc for the other agents.
TEST_P(LearnedTunerSurfaceTest, ComesWithinFivePercent) {
  EXPECT_GE(SurfaceSuccesses(GetParam(), 50, Learned()), 45);
}

TEST(ChameleonOptionsTest, FaithfulIsTheCode) {
  const auto read = [](const std::string& text) {
    const Spec spec = ParseSpec(text).value();
    SpecReader reader(spec, "agent");
    return ReadChameleonOptions(reader);
  };
  const ChameleonOptions published = read("chameleon(mode=faithful)");
  EXPECT_EQ(published.temperature, 0.1);
  EXPECT_EQ(published.adam_eps, 1e-5);
  EXPECT_EQ(published.longest_gradient, 0);
  EXPECT_EQ(published.plan.spare, 1);
  EXPECT_EQ(read("chameleon").temperature, 1);
  EXPECT_THROW(read("chameleon(temperature=0.0)"), InputError);
  EXPECT_THROW(read("chameleon(clip=1.0)"), InputError);
}

// Three of four heads.
TEST(PolicyExplorerTest, AnEpisodeEndsWhereThreeQuartersStay) {
  EXPECT_FALSE(EndsEpisode(2, 4));
  EXPECT_TRUE(EndsEpisode(3, 4));
  EXPECT_FALSE(EndsEpisode(5, 7));
  EXPECT_TRUE(EndsEpisode(6, 7));
}

TEST(Na2cOptionsTest, FaithfulIsTheCode) {
  const Spec spec = ParseSpec("na2c(mode=faithful)").value();
  SpecReader reader(spec, "agent");
  const Na2cOptions options = ReadNa2cOptions(reader, "agent na2c");
  EXPECT_TRUE(options.has_code_sign);
  EXPECT_EQ(options.elite, 1);
  EXPECT_FALSE(options.moves_others || options.pays_logarithm || options.is_masked);
  EXPECT_TRUE(options.starts_at_origin);
  for (const char* wrong : {"na2c(states=0)", "na2c(sign=both)", "na2c(rho=5)", "na2c(rate=0)"}) {
    EXPECT_THROW(CheckNa2cSpec(ParseSpec(wrong).value()), InputError) << wrong;
  }
}

}  // namespace
}  // namespace schedulegym
