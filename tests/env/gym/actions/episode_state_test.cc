#include "env/gym/actions/action_space.h"

#include <gtest/gtest.h>

#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

// The same point of another sketch is another place; the path to it does not matter.
TEST(PlaceKeyTest, IsOfTheSketchAndThePoint) {
  const auto task = Loop24Task();
  const FixedSketches sketches({SplitSketch(task, 2), SplitSketch(task, 2)});
  const auto space = MakeModifySpace("modify", sketches, {task});
  const auto key = [&](int sketch, int value) {
    return PlaceKey(**space->From(task, sketch, {value}));
  };
  EXPECT_NE(key(0, 1), key(1, 1));
  EXPECT_NE(key(0, 1), key(0, 2));
  const auto episode = *space->From(task, 0, {1});  // lengths of 2
  const auto there =
      FindAction(*space, *episode, "A: tile of loop 0: factor 3 from level 0 to level 1");
  ASSERT_TRUE(there && episode->Act(*there).ok());
  EXPECT_NE(PlaceKey(*episode), key(0, 1));
  const auto back =
      FindAction(*space, *episode, "A: tile of loop 0: factor 3 from level 1 to level 0");
  ASSERT_TRUE(back && episode->Act(*back).ok());
  EXPECT_EQ(PlaceKey(*episode), key(0, 1));
}

// The place also depends on the stage that the next actions change.
TEST(PlaceKeyTest, IsOfTheTextWhereThereAreNoKnobs) {
  const auto task = TaskOf("input X[24]\nA[i:24] = X[i] + 1\nB[i:24] = A[i] * 2\n");
  const auto space = MakeConstructSpace(ParseSpec("construct").value());
  Rng rng(1);
  const auto episode = space->Start(task, rng);
  const Key first = PlaceKey(*episode);
  EXPECT_EQ(PlaceKey(*space->Start(task, rng)), first);
  ASSERT_TRUE(episode->Act(1).ok());  // the next stage
  EXPECT_EQ(episode->state()->trace_size(), 0);
  EXPECT_NE(PlaceKey(*episode), first);
}

}  // namespace
}  // namespace schedulegym
