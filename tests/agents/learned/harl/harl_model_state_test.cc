#include "agents/learned/harl/harl_model_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "agents/cost/boosted_trees.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class TextModelState : public ModelState {
 public:
  std::string Kind() const override { return kBoostedKind; }
  std::optional<std::string> Save() override { return text; }
  void Load(std::string_view loaded) override { text = loaded; }

  std::optional<std::string> text;
};

NetworkShape SmallShape() {
  NetworkShape shape;
  shape.inputs = 3;
  shape.heads = ActionHeads({2, 3});
  shape.hidden = {4};
  return shape;
}

// The learned state of a search of one task.
struct Learner {
  explicit Learner(const std::string& task) : identity{"harl 1", "space ansor", {task}} {
    choices.push_back({SlidingWindowBandit(3, {.window = 5}), Rng(100)});
  }

  TrackPolicy& PolicyOf(int task, int sketch) {
    TrackPolicy made = {RunningNormaliser(3), Ppo(SmallShape(), {}, Rng(seed))};
    return policies.try_emplace({task, sketch}, std::move(made)).first->second;
  }
  HarlModelState memory() {
    return HarlModelState(
        {identity, choices, policies,
         [this](int task, int sketch) -> TrackPolicy& { return PolicyOf(task, sketch); }, trees});
  }

  HarlIdentity identity;
  std::vector<SketchChoice> choices;
  TrackPolicies policies;
  TextModelState trees;
  uint64_t seed = 1;
};

class HarlModelStateTest : public testing::Test {
 protected:
  HarlModelStateTest() {
    teacher_.seed = 2;
    teacher_.PolicyOf(0, 0);
    teacher_.choices[0].bandit.Learn(2, 0.5);
    teacher_.trees.text = "trees";
  }
  ~HarlModelStateTest() override { std::filesystem::remove(path_); }

  std::string Written(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

  const std::string path_ = testing::TempDir() + "harl_memory_test.sgp";
  Learner teacher_{"a"};
};

TEST_F(HarlModelStateTest, ComesBackWhole) {
  Learner pupil("a");
  EXPECT_EQ(pupil.memory().Save(), std::nullopt) << "nothing is learned";
  const std::string saved = teacher_.memory().Save().value();
  pupil.memory().Load(saved);
  EXPECT_EQ(pupil.memory().Save(), saved);
  EXPECT_EQ(pupil.choices[0].bandit.pulls(), teacher_.choices[0].bandit.pulls());
  EXPECT_EQ(pupil.trees.text, "trees");
}

TEST_F(HarlModelStateTest, AnotherSearchTakesTreesAndAPolicy) {
  Learner pupil("b"), same("a");
  pupil.memory().Load(*teacher_.memory().Save());
  same.memory().Load(*teacher_.memory().Save());
  EXPECT_EQ(pupil.trees.text, "trees");
  EXPECT_EQ(pupil.choices[0].bandit.pulls(), Learner("b").choices[0].bandit.pulls());
  EXPECT_TRUE(pupil.policies.contains({0, 0}));
  Learner beginner("a");
  beginner.choices[0].trials = {{1, {}}};
  EXPECT_NO_THROW(Learner("b").memory().Load(*beginner.memory().Save())) << "it has no policy yet";
  pupil.identity.policy = "harl 1, target cuda";
  EXPECT_THROW(pupil.memory().Load(*teacher_.memory().Save()), InputError);
}

TEST_F(HarlModelStateTest, ItsFileServesForAllThatReadIt) {
  WriteHarlFile(path_, {teacher_.memory().State(), "trees"});
  Learner read("a"), resumed("a");
  read.memory().Read(path_);
  EXPECT_EQ(read.memory().Save(), teacher_.memory().Save());
  resumed.memory().GoOn(ReadHarlFile(path_).checkpoint);
  EXPECT_EQ(resumed.trees.text, std::nullopt) << "its model learns anew";
  EXPECT_EQ(resumed.choices[0].bandit.pulls(), teacher_.choices[0].bandit.pulls());
  EXPECT_EQ(ReadModelState(path_, kModelFile, {kBoostedKind}).text, "trees") << "for other agents";
  EXPECT_EQ(ReadHarlCheckpoint(path_).Text("policy"), teacher_.identity.policy) << "to begin with";
}

TEST_F(HarlModelStateTest, CheckpointsOfEarlierVersionsAreRead) {
  Written(ToBytes(SaveHarl(teacher_.identity, teacher_.choices, teacher_.policies)));
  Learner read("a"), resumed("a");
  read.memory().Read(path_);
  resumed.memory().GoOn(ReadHarlFile(path_).checkpoint);
  EXPECT_EQ(read.choices[0].bandit.pulls(), teacher_.choices[0].bandit.pulls());
  EXPECT_EQ(read.trees.text, std::nullopt);
}

TEST_F(HarlModelStateTest, TreesOfAnotherAgentAreItsModel) {
  Learner read("a");
  read.memory().Read(Written(ToBytes({kBoostedKind, "their trees"})));
  EXPECT_EQ(read.trees.text, "their trees");
  EXPECT_THROW(ReadHarlFile(path_), InputError) << "no checkpoint";
}

TEST_F(HarlModelStateTest, WhatItCannotReadIsRefusedInOneLine) {
  Learner pupil("a");
  try {
    pupil.memory().Read(Written(ToBytes({"harl 9", "text"})));
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("found kind 'harl 9', expected 'harl 2' or 'harl 1'"));
    EXPECT_THAT(fault.what(), HasSubstr("model is boosted, analytical, pretrained"));
  }
  EXPECT_THROW(pupil.memory().Load("no parts"), InputError);
  EXPECT_THROW(pupil.memory().Load(JoinModelStates({{"other 1", "text"}})), InputError);
}

}  // namespace
}  // namespace schedulegym
