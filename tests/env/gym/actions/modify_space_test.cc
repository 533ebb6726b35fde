#include "env/gym/actions/modify_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/gym/actions/modify_layout.h"
#include "env/schedule/loop_structure.h"
#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class ModifySpaceTest : public testing::Test {
 protected:
  MadeSketch Split(int levels) const { return SplitSketch(task_, levels); }

  void Use(std::vector<Sketch> sketches, ModifyStart start = ModifyStart::kOrigin) {
    layout_ = {};
    for (const Sketch& sketch : sketches)
      layout_.Add(ModifyKnobs(sketch.knobs->With(InvalidPointPolicy::kLower)));
    space_ = MakeModifySpace("modify", FixedSketches(std::move(sketches)), {task_}, {start});
  }
  std::unique_ptr<EpisodeState> Start(uint64_t seed = 0) const {
    Rng rng(seed);
    return space_->Start(task_, rng);
  }
  // The text of the episode after these actions, all legal.
  std::string After(const std::vector<int>& actions) const {
    const auto episode = Start();
    for (int action : actions) EXPECT_TRUE(episode->Act(action).ok()) << action;
    return episode->ToText();
  }
  int Factor(int from, int to, int prime) const { return layout_.TileAction(0, from, to, prime); }
  int Raise(int slot) const { return layout_.StepAction(slot, 1); }
  int Lower(int slot) const { return layout_.StepAction(slot, -1); }

  std::shared_ptr<const Task> task_ = Loop24Task();
  ModifyLayout layout_;
  std::unique_ptr<ActionSpace> space_;
};

const Primitive kVector = Vectorize{{1}, 1};
Primitive UnrollSteps(int64_t steps) { return Pragma{{1}, "auto_unroll_max_step", steps}; }

TEST_F(ModifySpaceTest, BeginsWhereNothingIsOptimised) {
  Use({With(Split(2), KnobKind::kVector, {kVector})});
  EXPECT_EQ(space_->Name(), "modify");
  EXPECT_EQ(space_->size(), layout_.size());
  EXPECT_EQ(space_->Menu(), layout_.ToText());
  EXPECT_EQ(Start()->ToText(), "modify sketch=0 point=0,0\n");
  EXPECT_EQ(Start()->state()->TraceText(), "trace 1\nsplit(stage=A, loop=0, lengths=[1])\n");
  EXPECT_EQ(Start()->stage_at_hand(), std::nullopt);
}

// Values of a length: 1, 2, 3, 4, 6, 8, 12, 24. Primes: 2, 3.
TEST_F(ModifySpaceTest, FactorsMoveAndKnobsStep) {
  Use({With(Split(2), KnobKind::kVector, {kVector})});
  EXPECT_EQ(After({Factor(0, 1, 1), Factor(0, 1, 0)}), "modify sketch=0 point=4,0\n");
  EXPECT_EQ(After({Factor(0, 1, 1), Raise(0)}), "modify sketch=0 point=2,1\n");
  EXPECT_EQ(After({Raise(0), Lower(0)}), "modify sketch=0 point=0,0\n");
}

TEST_F(ModifySpaceTest, SaysWhatActionsDo) {
  Use({With(Split(2), KnobKind::kVector, {kVector}), Split(2)});
  const auto episode = Start();
  EXPECT_EQ(*episode->Describe(kStopAction), "stop");
  EXPECT_EQ(*episode->Describe(kNextSketchAction), "next sketch: 1");
  EXPECT_EQ(*episode->Describe(Factor(0, 1, 1)),
            "A: tile of loop 0: factor 3 from level 0 to level 1");
  EXPECT_EQ(*episode->Describe(Raise(0)), "A: vector: value 0 to 1");
}

TEST_F(ModifySpaceTest, SaysWhyActionsAreIllegal) {
  Use({With(Split(2), KnobKind::kVector, {kVector})});
  const auto episode = Start();
  EXPECT_EQ(episode->Act(kNextSketchAction).error().message,
            "found one sketch, expected another to go on to");
  EXPECT_EQ(episode->Act(Factor(1, 0, 0)).error().message,
            "tile 0 has no such factor to move between levels 1 and 0");
  EXPECT_EQ(episode->Act(Lower(0)).error().message,
            "the knob has no value beyond the one that it has");
  EXPECT_EQ(episode->ToText(), "modify sketch=0 point=0,0\n");
}

TEST_F(ModifySpaceTest, SketchesOfFewerKnobsLeaveActionsUnused) {
  Use({With(Split(2), KnobKind::kVector, {kVector}), Split(2)});
  const auto episode = Start();
  ASSERT_TRUE(episode->Act(kNextSketchAction).ok());
  EXPECT_EQ(episode->Act(Raise(0)).error().message, "found knob 0, but the sketch has 0");
}

TEST_F(ModifySpaceTest, TheNextSketchTakesOverTilesAndKnobsByName) {
  // The shared knob is the first of one sketch and the second of the other.
  Use({With(Split(3), KnobKind::kVector, {kVector}),
       With(With(Split(3), KnobKind::kUnroll, {UnrollSteps(16)}), KnobKind::kVector, {kVector})});
  const std::vector<int> changes = {Factor(0, 1, 0), Factor(0, 2, 1), Raise(0)};
  EXPECT_EQ(After(changes), "modify sketch=0 point=1,2,1\n");
  std::vector<int> on = changes;
  on.push_back(kNextSketchAction);
  EXPECT_EQ(After(on), "modify sketch=1 point=1,2,0,1\n");
  // Back to the first sketch; values of knobs that it lacks are lost.
  on.insert(on.end(), {Raise(0), kNextSketchAction});
  EXPECT_EQ(After(on), "modify sketch=0 point=1,2,1\n");
}

TEST_F(ModifySpaceTest, OtherTilesAreNotTakenOver) {
  Use({Split(2), Split(3)});
  EXPECT_EQ(After({Factor(0, 1, 0), kNextSketchAction}), "modify sketch=1 point=0,0\n");
}

TEST_F(ModifySpaceTest, KnobsAreTakenOverAsFarAsValuesGo) {
  Use({With(Split(2), KnobKind::kUnroll, {UnrollSteps(16), UnrollSteps(64)}),
       With(Split(2), KnobKind::kUnroll, {UnrollSteps(16)})});
  EXPECT_EQ(After({Raise(0), Raise(0), kNextSketchAction}), "modify sketch=1 point=0,1\n");
}

// Loop 9 does not exist.
TEST_F(ModifySpaceTest, IllegalValuesActAsTheNextLower) {
  Use({With(Split(2), KnobKind::kVector, {kVector, Vectorize{{1}, 9}})});
  const auto episode = Start();
  ASSERT_TRUE(episode->Act(Raise(0)).ok());
  const std::string lower = episode->state()->TraceText();
  EXPECT_THAT(lower, HasSubstr("vectorize(stage=A, loop=1)"));
  ASSERT_TRUE(episode->Act(Raise(0)).ok());
  EXPECT_EQ(episode->ToText(), "modify sketch=0 point=0,2\n");
  EXPECT_EQ(episode->state()->TraceText(), lower);
}

TEST_F(ModifySpaceTest, RandomStartsReachEverySketchAndManyPoints) {
  Use({Split(2), With(Split(2), KnobKind::kVector, {kVector})}, ModifyStart::kRandom);
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const auto episode = Start(seed);
    EXPECT_TRUE(episode->state().ok());
    texts.insert(episode->ToText());
  }
  EXPECT_EQ(texts.size(), 8u + 8u * 2);  // all
}

TEST_F(ModifySpaceTest, ResumesWherePointsAreSchedules) {
  Use({Split(3)});
  const auto error = [&](const std::string& text) {
    const auto episode = space_->Resume(task_, text);
    return episode ? "" : episode.error().message;
  };
  EXPECT_EQ(error("modify sketch=0 point=4,3\n"), "");  // 6 * 4
  EXPECT_THAT(error("modify sketch=0 point=4,5\n"), HasSubstr("found lengths of 48"));
  for (const char* bad : {"modify sketch=1 point=0,0", "modify sketch=0 point=0",
                          "modify sketch=0 point=0,8", "modify sketch=0 0,0"}) {
    EXPECT_EQ(error(bad), "found '" + std::string(bad) +
                              "', expected 'modify sketch=N point=N,N,...' of the knobs' values");
  }
}

TEST_F(ModifySpaceTest, ASpaceWithoutSketchesIsRefused) {
  try {
    Use({});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "space fixed has no sketches of test, expected a space with sketches, such as "
                 "ansor");
  }
}

TEST_F(ModifySpaceTest, ActionsThatThereIsOnlyRoomForAreIllegal) {
  const ModifyRoom room = {2, 3, {KnobKind::kUnroll, KnobKind::kVector}};
  space_ = MakeModifySpace("modify", FixedSketches({Split(2)}), {task_}, {.room = room});
  EXPECT_EQ(RoomOf(space_->Groups()), room);
  Rng rng(1);
  const auto episode = space_->Start(task_, rng);
  for (const int action : LegalActions(*space_, *episode)) {
    EXPECT_LT(action, ModifyLayout(room).TileAction(1, 0, 1, 0)) << "of the only tile";
  }
}

}  // namespace
}  // namespace schedulegym
