#include "agents/learned/harl/harl_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

NetworkShape SmallShape() {
  NetworkShape shape;
  shape.inputs = 3;
  shape.heads = ActionHeads({2, 3});
  shape.hidden = {4};
  return shape;
}

TrackPolicy PolicyOf(uint64_t seed) {
  return {RunningNormaliser(3), Ppo(SmallShape(), {}, Rng(seed))};
}

class HarlStateTest : public testing::Test {
 protected:
  HarlStateTest() {
    for (uint64_t task = 0; task < 2; ++task) {
      choices_.push_back({SlidingWindowBandit(3, {.window = 5}), Rng(task)});
      fresh_.push_back({SlidingWindowBandit(3, {.window = 5}), Rng(100)});
    }
    choices_[0].bandit.Learn(2, 0.5);
    choices_[0].trials = {{1, {{1, 2}, {3, 4}}}, {0, {{5, 6}}}};
    choices_[1].trials = {{2, {}}};
    policies_.emplace(std::pair(1, 2), PolicyOf(3));
    policies_.at({1, 2}).inputs.Learn(std::vector<float>{1, 2, 3});
  }

  TrackPolicy& Made(int task, int sketch) {
    return made_.try_emplace({task, sketch}, PolicyOf(9)).first->second;
  }
  void Resume(const Checkpoint& checkpoint) {
    ResumeHarl(checkpoint, identity_, fresh_,
               [this](int task, int sketch) -> TrackPolicy& { return Made(task, sketch); });
  }
  std::string Refusal(const Checkpoint& checkpoint) {
    try {
      Resume(checkpoint);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }

  HarlIdentity identity_ = {"harl 1", "space ansor", {"a", "b"}};
  std::vector<SketchChoice> choices_, fresh_;
  TrackPolicies policies_, made_;
};

TEST_F(HarlStateTest, ComesBackWhole) {
  Resume(SaveHarl(identity_, choices_, policies_));
  for (size_t task = 0; task < 2; ++task) {
    EXPECT_EQ(fresh_[task].bandit.pulls(), choices_[task].bandit.pulls());
    EXPECT_EQ(fresh_[task].rng.state(), choices_[task].rng.state());
    EXPECT_EQ(fresh_[task].trials, choices_[task].trials);
  }
  // A second save is equal, including the weights.
  EXPECT_EQ(SaveHarl(identity_, fresh_, made_), SaveHarl(identity_, choices_, policies_));
}

TEST_F(HarlStateTest, IsRefusedWhereItIsOfSomethingElse) {
  for (const auto change : {+[](HarlIdentity& other) { other.policy = "harl 2"; },
                            +[](HarlIdentity& other) { other.search = "space schedulegym"; },
                            +[](HarlIdentity& other) { other.tasks[1] = "c"; }}) {
    HarlIdentity other = identity_;
    change(other);
    EXPECT_THAT(Refusal(SaveHarl(other, choices_, policies_)), HasSubstr("of another "));
  }
}

TEST_F(HarlStateTest, WhatCannotBeIsRefused) {
  TrackPolicies beyond;
  beyond.emplace(std::pair(1, 3), PolicyOf(3));
  EXPECT_THAT(Refusal(SaveHarl(identity_, choices_, beyond)), HasSubstr("which there is not"));
  choices_[0].trials = {{3, {}}};
  EXPECT_THAT(Refusal(SaveHarl(identity_, choices_, policies_)), HasSubstr("no sketch"));
  EXPECT_THAT(Refusal(Checkpoint()), HasSubstr("policy"));
}

// The checkpoint with an entry's words replaced, under another name.
Checkpoint Changed(const Checkpoint& checkpoint, const std::string& from, const std::string& to,
                   const std::vector<uint64_t>& words) {
  Checkpoint changed;
  for (const auto& [name, entry] : checkpoint.entries()) {
    if (name != from) {
      changed.Put(name, entry);
    } else {
      changed.Put(to, Checkpoint::Words{{std::ssize(words)}, words});
    }
  }
  return changed;
}

TEST_F(HarlStateTest, TrialsThatAreCutShortAreRefused) {
  const Checkpoint whole = SaveHarl(identity_, choices_, policies_);
  for (const std::vector<uint64_t>& words : std::vector<std::vector<uint64_t>>{
           {1}, {1, 1}, {1, 1, 5}, {1, 0, 2}, {1, ~0ULL, 5, 6}, {3, 0}}) {
    EXPECT_THAT(Refusal(Changed(whole, "task.0.trials", "task.0.trials", words)),
                HasSubstr("no sketch and its keys"));
  }
  EXPECT_EQ(Refusal(Changed(whole, "task.0.trials", "task.0.trials", {})), "");
}

// Versions in which a round had one sketch.
TEST_F(HarlStateTest, TrialsOfEarlierVersionsAreRead) {
  const Checkpoint whole = SaveHarl(identity_, choices_, policies_);
  Resume(Changed(whole, "task.0.trials", "task.0.trial", {1, 7, 8, 9, 10}));
  EXPECT_EQ(fresh_[0].trials, (std::vector<SketchTrial>{{1, {{7, 8}, {9, 10}}}}));
  Resume(Changed(whole, "task.0.trials", "task.0.trial", {}));
  EXPECT_TRUE(fresh_[0].trials.empty());
  EXPECT_THAT(Refusal(Changed(whole, "task.0.trials", "task.0.trial", {1, 7})),
              HasSubstr("no sketch and its keys"));
}

TEST_F(HarlStateTest, APolicyServesAnotherSearch) {
  const Checkpoint checkpoint = SaveHarl(identity_, choices_, policies_);
  TrackPolicy policy = PolicyOf(9);
  StartFrom(checkpoint, {"harl 1", "another", {}}, policy);
  EXPECT_EQ(policy.inputs.state(), policies_.at({1, 2}).inputs.state());
  RowBatch rows(3);
  rows.Resize(1);
  rows[0][1] = 2;
  MaskBatch masks(5);
  masks.Resize(1);
  std::ranges::fill(masks[0], uint8_t{1});
  EXPECT_EQ(policy.ppo.network().Evaluate(rows, masks).values,
            policies_.at({1, 2}).ppo.network().Evaluate(rows, masks).values);
  EXPECT_THROW(StartFrom(checkpoint, {"harl 1, target cuda", "", {}}, policy), InputError);
  EXPECT_THROW(StartFrom(SaveHarl(identity_, choices_, {}), identity_, policy), InputError);
}

}  // namespace
}  // namespace schedulegym
