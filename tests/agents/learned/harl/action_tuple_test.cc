#include "agents/learned/harl/action_tuple.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "env/gym/actions/modify_layout.h"
#include "env/gym/actions/modify_space.h"
#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

const Primitive kVector = Vectorize{{1}, 2};
Primitive UnrollSteps(int64_t steps) { return Pragma{{1}, "auto_unroll_max_step", steps}; }

// A loop of 24 in three levels, three unroll limits, vectorised or not.
class ActionTupleTest : public testing::Test {
 protected:
  ActionTupleTest() {
    const Sketch sketch =
        With(With(SplitSketch(task_, 3), KnobKind::kUnroll, {UnrollSteps(16), UnrollSteps(64)}),
             KnobKind::kVector, {kVector});
    layout_.Add(ModifyKnobs(sketch.knobs->With(InvalidPointPolicy::kLower)));
    space_ = MakeModifySpace("modify", FixedSketches({sketch}), {task_}, {ModifyStart::kOrigin});
    Rng rng(0);
    episode_ = space_->Start(task_, rng);
  }

  // Legal values of a head in the current state of the episode.
  std::vector<int> Legal(const ActionTuple& tuple, int head) const {
    std::vector<int8_t> actions(static_cast<size_t>(space_->size()));
    episode_->WriteMask(actions);
    std::vector<uint8_t> mask(static_cast<size_t>(tuple.heads().columns()));
    tuple.WriteMask(actions, mask);
    std::vector<int> legal;
    for (int value = 0; value < tuple.heads().choices(head); ++value) {
      if (mask[static_cast<size_t>(tuple.heads().first(head) + value)] != 0) legal.push_back(value);
    }
    return legal;
  }
  // The head's value that moves a prime (2 or 3) between levels.
  int Move(int from, int to, int prime) const {
    return 1 + layout_.TileAction(0, from, to, prime) - layout_.FirstTile();
  }

  std::shared_ptr<const Task> task_ = Loop24Task();
  ModifyLayout layout_;
  std::unique_ptr<ActionSpace> space_;
  std::unique_ptr<EpisodeState> episode_;
};

TEST_F(ActionTupleTest, EachKindIsAHeadThatMayStay) {
  const ActionTuple tuple(space_->Groups());
  ASSERT_EQ(tuple.heads().heads(), 3);
  EXPECT_EQ(tuple.kind(0), KnobKind::kTile);
  EXPECT_EQ(tuple.kind(1), KnobKind::kUnroll);
  EXPECT_EQ(tuple.kind(2), KnobKind::kVector);
  // Six ordered pairs of three levels, four primes each.
  EXPECT_THAT(tuple.heads().all_choices(), ElementsAre(25, 3, 3));
  EXPECT_EQ(tuple.action(0, 1), layout_.FirstTile());
  EXPECT_EQ(tuple.action(1, 1), layout_.StepAction(0, -1));
  EXPECT_EQ(tuple.action(1, 2), layout_.StepAction(0, 1));
  EXPECT_THROW(tuple.action(1, 0), std::logic_error);
}

TEST_F(ActionTupleTest, WhatIsIllegalIsMasked) {
  const ActionTuple tuple(space_->Groups());
  // The outermost level has all factors: 2 and 3 may move to the other levels.
  EXPECT_THAT(Legal(tuple, 0),
              ElementsAre(0, Move(0, 1, 0), Move(0, 1, 1), Move(0, 2, 0), Move(0, 2, 1)));
  EXPECT_THAT(Legal(tuple, 1), ElementsAre(0, 2)) << "up, not down";
}

TEST_F(ActionTupleTest, AsPublishedTheSmallestPrimeMoves) {
  const ActionTuple tuple(space_->Groups(), true);
  EXPECT_THAT(Legal(tuple, 0), ElementsAre(0, Move(0, 1, 0), Move(0, 2, 0)));
  // Without factors of 2 the next prime is the smallest.
  for (int i = 0; i < 3; ++i) tuple.Act({Move(0, 1, 0), 0, 0}, *episode_);
  EXPECT_THAT(Legal(tuple, 0),
              ElementsAre(0, Move(0, 1, 1), Move(0, 2, 1), Move(1, 0, 0), Move(1, 2, 0)));
}

TEST_F(ActionTupleTest, ATupleMovesAllAtOnce) {
  const ActionTuple tuple(space_->Groups());
  EXPECT_EQ(tuple.Act({Move(0, 2, 1), 2, 2}, *episode_), 3);
  EXPECT_EQ(episode_->state()->TraceText(),
            "trace 1\nsplit(stage=A, loop=0, lengths=[1, 3])\n"
            "pragma(stage=A, name=auto_unroll_max_step, value=16)\nvectorize(stage=A, loop=2)\n");
  EXPECT_EQ(tuple.Act({0, 0, 0}, *episode_), 0);
}

TEST_F(ActionTupleTest, WhatHasBecomeIllegalIsLeftOut) {
  const ActionTuple tuple(space_->Groups());
  EXPECT_EQ(tuple.Act({Move(1, 2, 0), 2, 1}, *episode_), 1)
      << "only the unrolling has somewhere to go";
}

TEST(ActionTupleOfNothingTest, StaysWhereItIs) {
  const ActionTuple tuple({{KnobKind::kOther, 0, 0, 1, "stop"}});
  EXPECT_THAT(tuple.heads().all_choices(), ElementsAre(1));
  std::vector<uint8_t> mask(1);
  tuple.WriteMask(std::vector<int8_t>{1}, mask);
  EXPECT_THAT(mask, ElementsAre(1));
}

}  // namespace
}  // namespace schedulegym
