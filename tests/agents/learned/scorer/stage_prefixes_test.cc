#include "agents/learned/scorer/stage_prefixes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "env/base/fault.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/split_space.h"

namespace schedulegym {
namespace {

// Sketch 0: B's two knobs, then A's three; sketch 1: B's two.
class StagePrefixesTest : public testing::Test {
 protected:
  // The prefix after these choices, in order.
  StagePrefix After(int sketch, const std::vector<int>& ways) const {
    StagePrefix prefix = prefixes_.Origin(sketch);
    for (const int way : ways) prefix = prefixes_.After(prefix, way);
    return prefix;
  }
  int64_t RowsOf(const StagePrefix& prefix) {
    const auto values = prefixes_.Describe(prefix, known_);
    return values ? std::ssize(values->values) / AnsorLayout::kWidth : -1;
  }

  const TwoSketchSpace space_;
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  const StagePrefixes prefixes_{space_, task_, ProgramInputs::kAnsor};
  StagePrefixes::Rows known_;
};

TEST_F(StagePrefixesTest, DecidesTheOutputsKnobsFirst) {
  EXPECT_EQ(prefixes_.sketches(), 2);
  EXPECT_EQ(prefixes_.decisions(0), 5);  // B: unroll, parallel; A: two lengths, unroll
  EXPECT_EQ(prefixes_.decisions(1), 2);
  EXPECT_EQ(prefixes_.Ways(prefixes_.Origin(0)), 3) << "B: unroll";
  EXPECT_EQ(prefixes_.Ways(After(1, {0, 0})), 0);
}

TEST_F(StagePrefixesTest, HaveARowForNothingAndForEachStageBegun) {
  EXPECT_EQ(RowsOf(After(0, {})), 1);
  EXPECT_EQ(RowsOf(After(0, {1})), 2) << "B is begun";
  EXPECT_EQ(RowsOf(After(0, {1, 1})), 2) << "and decided";
  EXPECT_EQ(RowsOf(After(0, {1, 1, 0})), 3) << "A is begun";
  EXPECT_EQ(RowsOf(After(0, {1, 1, 0, 0, 2})), 3);
  EXPECT_EQ(known_.size(), 5) << "each schedule once";
}

TEST_F(StagePrefixesTest, WhatIsOpenStandsUnoptimised) {
  const auto state = space_.Sketches(task_)[0].knobs->At(After(0, {2, 1, 3, 1, 2}).point).value();
  const StagePrefix whole = prefixes_.Whole(state).value();
  EXPECT_EQ(whole.decided, 5);
  EXPECT_EQ(prefixes_.Cut(whole, 2).point, After(0, {2, 1}).point);
  EXPECT_EQ(prefixes_.KeyOf(prefixes_.Cut(whole, 2)), prefixes_.KeyOf(After(0, {2, 1})));
  EXPECT_NE(prefixes_.KeyOf(After(0, {2})), prefixes_.KeyOf(After(0, {2, 0})))
      << "decided to be so is not open";
}

TEST_F(StagePrefixesTest, LengthsThatDoNotFitAreNoSchedule) {
  // 24 and 24 do not divide 24.
  EXPECT_EQ(RowsOf(After(0, {0, 0, 7, 7})), -1);
  EXPECT_THROW(StagePrefixes(SplitSpace(), task_, ProgramInputs::kAnsor), InputError);
}

// Programs of sketch 1, and the rows for training on them.
class StageProgramsTest : public StagePrefixesTest {
 protected:
  explicit StageProgramsTest(const std::string& targets = "best")
      : options_(ReadScorerOptions(RequireSpec(
            "model", "stages(features=ansor,task=none,prefixes=1000,cuts=decisions,targets=" +
                         targets + ")"))),
        programs_(options_, [](const Spec&) { return std::make_unique<TwoSketchSpace>(); }),
        rows_(EmptyRows(options_)) {
    programs_.Open(0, task_, "two_sketches");
  }

  void Add(int first, int second, double label) {
    const StagePrefix prefix = After(1, {first, second});
    const auto state = space_.Sketches(task_)[1].knobs->At(prefix.point).value();
    const DescribedPrefixes described = programs_.Describe(0, "two_sketches", state, 1);
    programs_.Add(0, described, static_cast<float>(label), &rows_);
    for (const Key& key : described.all) {
      if (std::ranges::find(keys_, key) == keys_.end()) keys_.push_back(key);
    }
  }
  // Where the task's best takes `best` seconds.
  double SecondsOf(const std::vector<int>& ways, double best) const {
    const auto row = std::ranges::find(keys_, prefixes_.KeyOf(After(1, ways))) - keys_.begin();
    return best / rows_.labels.at(static_cast<size_t>(row));
  }

  ScorerOptions options_;
  StagePrograms programs_;
  ProgramRows rows_;
  std::vector<Key> keys_;  // of the rows, with targets=best
};

// Two knobs: (0, 0) takes 4 s, (0, 1) 2 s and (1, 0) 3 s.
TEST_F(StageProgramsTest, APrefixHasTheValueOfItsBestCompletion) {
  Add(0, 0, 2.0 / 4);
  Add(0, 1, 2.0 / 2);
  Add(1, 0, 2.0 / 3);
  programs_.Label(&rows_);
  EXPECT_EQ(rows_.size(), 6) << "nothing, 0, 1, and three whole ones";
  EXPECT_FLOAT_EQ(SecondsOf({}, 2), 2);
  EXPECT_FLOAT_EQ(SecondsOf({0}, 2), 2);
  EXPECT_FLOAT_EQ(SecondsOf({1}, 2), 3);
  EXPECT_FLOAT_EQ(SecondsOf({0, 0}, 2), 4);
}

TEST_F(StageProgramsTest, ABetterLeafChangesTheValuesBeforeIt) {
  Add(0, 0, 1.0 / 4);
  Add(0, 1, 1.0 / 2);
  Add(1, 0, 1.0 / 3);
  Add(1, 1, 1.0 / 1);
  programs_.Label(&rows_);
  EXPECT_FLOAT_EQ(SecondsOf({}, 1), 1);
  EXPECT_FLOAT_EQ(SecondsOf({1}, 1), 1);
  EXPECT_FLOAT_EQ(SecondsOf({0}, 1), 2);
}

// As a beam compares them.
TEST_F(StageProgramsTest, WhatHasAsManyDecisionsStandsInOneList) {
  Add(0, 0, 0.5);
  Add(0, 1, 1);
  Add(1, 0, 0.5);
  const int nothing = rows_.ListOf(0), one = rows_.ListOf(1), whole = rows_.ListOf(2);
  EXPECT_THAT(std::set({nothing, one, whole}), testing::SizeIs(3));
  EXPECT_THAT(rows_.lists, testing::ElementsAre(nothing, one, whole, whole, one, whole));
}

TEST(StageCutsTest, ArePublishedBehindWholeStages) {
  const TwoSketchSpace space;
  const auto task = TwoSketchSpace::SmallTask();
  const auto decided = [&](const std::string& cuts) {
    const ScorerOptions options = ReadScorerOptions(
        RequireSpec("model", "stages(features=ansor,task=none,prefixes=1000,cuts=" + cuts + ")"));
    StagePrograms programs(options, [](const Spec&) { return std::make_unique<TwoSketchSpace>(); });
    programs.Open(0, task, "two_sketches");
    std::vector<int> counts;
    const ScheduleState state = space.Sketches(task)[0].knobs->At({0, 0, 0, 0, 0}).value();
    for (const auto& one : programs.Describe(0, "two_sketches", state, 1).learned) {
      counts.push_back(one.decided);
    }
    return counts;
  };
  EXPECT_THAT(decided("stages"), testing::ElementsAre(0, 2, 5));
  EXPECT_THAT(decided("decisions"), testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

class OwnTargetsTest : public StageProgramsTest {
 protected:
  OwnTargetsTest() : StageProgramsTest("own") {}
};

TEST_F(OwnTargetsTest, EachProgramTeachesItsOwnPrefixes) {
  Add(0, 0, 0.5);
  Add(0, 1, 1);
  programs_.Label(&rows_);
  EXPECT_THAT(rows_.labels, testing::ElementsAre(0.5, 0.5, 0.5, 1, 1, 1));
}

}  // namespace
}  // namespace schedulegym
