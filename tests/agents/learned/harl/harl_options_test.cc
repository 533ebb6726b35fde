#include "agents/learned/harl/harl_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

HarlOptions ReadHarl(const std::string& options) {
  return ReadHarlOptions(ParseSpec("harl(" + options + ")").value());
}

std::string Refusal(const std::string& options) {
  try {
    ReadHarl(options);
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(HarlOptionsTest, TheImprovedModeIsTheDefault) {
  const HarlOptions options = ReadHarl("mode=improved");
  EXPECT_TRUE(options.distinct && options.shares_policy && !options.smallest_primes);
  EXPECT_TRUE(options.reranks && options.quick_trees && options.draws_all && options.ends_draws);
  EXPECT_EQ(options.trusted, 48);
  EXPECT_EQ(options.ppo.longest_gradient, 0.5);
  EXPECT_EQ(options.ppo.epochs, 1);
  EXPECT_TRUE(options.estimates_first && options.ppo.normalised && options.learns_model);
  EXPECT_EQ(options.reward, TrackReward::kLogarithm);
  EXPECT_EQ(options.features, ModelFeatures::kEstimated);
  EXPECT_EQ(options.local, 0.2);
  EXPECT_EQ(options.spread, 4);
}

TEST(HarlOptionsTest, TheFaithfulModeHasNoneOfItsChanges) {
  const HarlOptions options = ReadHarl("mode=faithful");
  EXPECT_EQ(options.spread, 1);
  EXPECT_FALSE(options.distinct || options.shares_policy || !options.smallest_primes);
  EXPECT_FALSE(options.reranks || options.quick_trees || options.draws_all || options.ends_draws);
  EXPECT_EQ(options.trusted, 100);
  EXPECT_EQ(options.ppo.longest_gradient, std::nullopt);
  EXPECT_EQ(options.ppo.epochs, 3);
  EXPECT_FALSE(options.estimates_first || options.ppo.normalised);
  EXPECT_EQ(options.reward, TrackReward::kRelative);
  EXPECT_EQ(options.features, ModelFeatures::kAnsor);
  EXPECT_EQ(options.local, 0);
}

// All tracks of a round share one network.
TEST(HarlOptionsTest, APolicyForEachSketchWalksOneSketchARound) {
  EXPECT_EQ(ReadHarl("policy=sketch").spread, 1);
  EXPECT_EQ(ReadHarl("policy=shared,spread=7").spread, 7);
  EXPECT_EQ(ReadHarl("mode=faithful,policy=shared,spread=2").spread, 2);
  EXPECT_EQ(Refusal("policy=sketch,spread=2"),
            "agent harl: found spread=2 with policy=sketch, expected spread=1 or policy=shared");
}

// Constants recalled from the paper.
TEST(HarlOptionsTest, ConstantsArePublishedOnes) {
  const HarlOptions options = ReadHarl("mode=faithful");
  EXPECT_EQ(options.sketches.window, 256);
  EXPECT_EQ(options.sketches.constant, 0.25);
  EXPECT_EQ(options.stopping.window, 20);
  EXPECT_EQ(options.stopping.ratio, 0.5);
  EXPECT_EQ(options.stopping.least, 64);
  EXPECT_EQ(options.advantage.discount, 0.9);
  EXPECT_EQ(options.advantage.lambda, 0);
  EXPECT_EQ(options.interval, 2);
  EXPECT_EQ(options.ppo.actor_rate, 3e-4);
  EXPECT_EQ(options.ppo.critic_rate, 1e-3);
  EXPECT_EQ(options.ppo.value_weight, 0.5);
  EXPECT_EQ(options.ppo.entropy_weight, 0.01);
}

TEST(HarlOptionsTest, EverySwitchIsRead) {
  const HarlOptions options = ReadHarl(
      "sketch=uniform,stop=false,tracks=7,visits=70,moves=uniform,policy=sketch,"
      "reward=relative,model=analytical,local=0,measured=0.5,discount=0.5,"
      "lambda=0.25,interval=3,hidden=16,actor_rate=0.1,critic_rate=0.2,clip=0.3,epochs=4,"
      "batch=5,normalised=false,value_weight=6,entropy_weight=0.7,round=8,epsilon=0.9");
  EXPECT_FALSE(options.has_bandit || options.stops || options.acts || options.shares_policy);
  EXPECT_FALSE(options.learns_model || options.ppo.normalised);
  EXPECT_EQ(options.tracks, 7);
  EXPECT_EQ(options.visits, 70);
  EXPECT_EQ(options.reward, TrackReward::kRelative);
  EXPECT_EQ(options.advantage.discount, 0.5);
  EXPECT_EQ(options.advantage.lambda, 0.25);
  EXPECT_EQ(options.interval, 3);
  EXPECT_EQ(options.hidden, 16);
  EXPECT_EQ(options.ppo.actor_rate, 0.1);
  EXPECT_EQ(options.ppo.critic_rate, 0.2);
  EXPECT_EQ(options.ppo.clip, 0.3);
  EXPECT_EQ(options.ppo.epochs, 4);
  EXPECT_EQ(options.ppo.batch, 5);
  EXPECT_EQ(options.ppo.value_weight, 6);
  EXPECT_EQ(options.ppo.entropy_weight, 0.7);
  EXPECT_EQ(options.round, 8);
  EXPECT_EQ(options.epsilon, 0.9);
  EXPECT_EQ(options.local, 0);
  EXPECT_EQ(options.measured, 0.5);
  const HarlOptions others = ReadHarl(
      "window=9,exploration=2,stop_every=3,stop_share=0.25,stop_least=4,features=ansor,"
      "estimate_first=false,distinct=false");
  EXPECT_EQ(others.sketches.window, 9);
  EXPECT_EQ(others.sketches.constant, 2);
  EXPECT_EQ(others.stopping.window, 3);
  EXPECT_EQ(others.stopping.ratio, 0.25);
  EXPECT_EQ(others.stopping.least, 4);
  EXPECT_EQ(others.features, ModelFeatures::kAnsor);
  EXPECT_FALSE(others.estimates_first || others.distinct);
}

// The mode alone decides no option.
TEST(HarlOptionsTest, EachModeCanBeSpelledOutInTheOther) {
  const char* improved =
      "mode=faithful,reward=logarithm,normalised=true,policy=shared,spread=4,distinct=true,"
      "estimate_first=false,features=estimated,local=0.2,primes=any,rerank=true,trees=quick,"
      "trusted=48,draw_all=true,end_draws=true,longest_gradient=0.5,epochs=1";
  const char* faithful =
      "reward=relative,normalised=false,policy=sketch,distinct=false,estimate_first=false,"
      "features=ansor,local=0,primes=smallest,rerank=false,trees=published,trusted=100,"
      "draw_all=false,end_draws=false,longest_gradient=0,epochs=3";
  EXPECT_EQ(ReadHarl(improved), ReadHarl("estimate_first=false"));
  EXPECT_EQ(ReadHarl(faithful), ReadHarl("mode=faithful"));
}

TEST(HarlOptionsTest, ConstantsOutOfRangeAreRefusedWithTheirRange) {
  EXPECT_EQ(Refusal("window=0"), "agent harl: window=0, expected 1 to 1000000");
  EXPECT_EQ(Refusal("discount=1.5"), "agent harl: discount=1.5, expected 0.0 to 1.0");
  for (const char* bad :
       {"exploration=-1", "stop_share=1", "stop_every=0", "stop_least=0", "visits=0", "measured=2",
        "lambda=-0.1", "interval=0", "hidden=0", "actor_rate=0", "critic_rate=2", "value_weight=-1",
        "entropy_weight=-1", "clip=1", "epochs=0", "batch=0", "round=0", "epsilon=2", "local=-1"}) {
    EXPECT_THAT(Refusal(bad), HasSubstr(", expected ")) << bad;
  }
}

TEST(HarlOptionsTest, WhatDoesNotExistIsRefused) {
  EXPECT_THAT(Refusal("mode=fast"), HasSubstr("improved, faithful"));
  EXPECT_THAT(Refusal("moves=greedy"), HasSubstr("policy, uniform"));
  EXPECT_THAT(Refusal("windows=3"), HasSubstr("windows"));
}

TEST(HarlOptionsTest, WhatHasNoEffectIsRefused) {
  EXPECT_THAT(Refusal("sketch=uniform,window=3"), HasSubstr("has no effect with sketch=uniform"));
  EXPECT_THAT(Refusal("tracks=3"), HasSubstr("has no effect with stop=true"));
  EXPECT_THAT(Refusal("stop=false,stop_every=3"), HasSubstr("has no effect with stop=false"));
  EXPECT_EQ(Refusal("stop=false,distinct=true"),
            "agent harl: distinct=true has no effect with stop=false, expected one of the two");
  EXPECT_THAT(Refusal("draw_all=false"), HasSubstr("has no effect with estimate_first=true"));
  EXPECT_THAT(Refusal("model=analytical,trusted=3"), HasSubstr("model=analytical"));
  EXPECT_THAT(Refusal("model=analytical,features=ansor"), HasSubstr("model=analytical"));
}

TEST(HarlOptionsTest, FilesAreNamed) {
  const HarlOptions options =
      ReadHarl("policy=\"a b.sgp\",checkpoint=\"c.sgp\",checkpoint_every=3");
  EXPECT_EQ(options.policy_file, "a b.sgp");
  EXPECT_TRUE(options.shares_policy);
  EXPECT_EQ(options.checkpoint, "c.sgp");
  EXPECT_EQ(options.checkpoint_every, 3);
  EXPECT_EQ(ReadHarl("policy=shared").policy_file, "");
  EXPECT_THAT(Refusal("checkpoint_every=2"), HasSubstr("no effect"));
}

// A row of assembly/options/harl_options.cc.
struct DocumentedOption {
  std::string key, improved, faithful, range;
};

std::vector<DocumentedOption> DocumentedOptions() {
  std::ifstream file(std::string(SG_SOURCE_DIR) + "/assembly/options/harl_options.cc");
  std::vector<DocumentedOption> options;
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("harl | ")) continue;
    std::vector<std::string> cells;
    for (std::string_view rest = line; !rest.empty();) {
      const auto [cell, after] = Cut(rest, '|');
      cells.emplace_back(Trim(cell));
      rest = after;
    }
    options.push_back({cells.at(1), cells.at(3), cells.at(4), cells.at(5)});
  }
  return options;
}

// The option that `key` needs beside it to have an effect.
std::string Companion(const std::string& key) {
  if (key == "tracks") return "stop=false,";
  if (key == "checkpoint_every") return "checkpoint=c,";
  return key == "draw_all" || key == "end_draws" ? "estimate_first=false," : "";
}

std::string Said(const std::string& key, const std::string& value) { return key + "=" + value; }

TEST(HarlOptionsTest, RowsListEachWithItsDefaultsAndRange) {
  const std::vector<DocumentedOption> documented = DocumentedOptions();
  std::set<std::string> keys;
  for (const DocumentedOption& option : documented) keys.insert(option.key);
  const std::string known = Refusal("zzz=1");
  EXPECT_EQ(keys.size(), 1U + static_cast<size_t>(std::ranges::count(known, ',')));
  for (const auto& [key, improved, faithful, range] : documented) {
    EXPECT_TRUE(known.find(" " + key) != known.npos) << key;
    if (key == "checkpoint") continue;
    const std::string beside = Companion(key);
    const std::string as_published = "mode=faithful," + beside;
    EXPECT_EQ(ReadHarl(beside + Said(key, improved)), ReadHarl(beside + "measured=0.2")) << key;
    EXPECT_EQ(ReadHarl((key == "mode" ? beside : as_published) + Said(key, faithful)),
              ReadHarl(as_published + "measured=0.2"))
        << key;
    const bool is_number = range.find(" to ") != range.npos;
    const bool takes_files = range.find("FILE") != range.npos;  // any word may be a file
    if (!range.empty() && !takes_files) {
      EXPECT_THAT(Refusal(beside + key + (is_number ? "=-1000000" : "=odd")), HasSubstr(range));
    }
  }
}

// The listed parameters equal the values that are read.
TEST(HarlOptionsTest, ListedParametersAreTheDefaults) {
  std::string all = kHarlParameters;
  EXPECT_EQ(Refusal(all), "");
  const HarlOptions listed = ReadHarl(all), plain = ReadHarl("mode=improved");
  EXPECT_EQ(listed.visits, plain.visits);
  EXPECT_EQ(listed.sketches.window, plain.sketches.window);
  EXPECT_EQ(listed.local, plain.local);
  EXPECT_EQ(listed.features, plain.features);
}

}  // namespace
}  // namespace schedulegym
