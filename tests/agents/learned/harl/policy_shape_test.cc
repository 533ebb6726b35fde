#include "agents/learned/harl/policy_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(PolicyShapeTest, ComesBack) {
  for (const PolicyShape& shape :
       {PolicyShape{}, PolicyShape{{2, 4, {KnobKind::kUnroll, KnobKind::kOther}}, 17}}) {
    Checkpoint checkpoint;
    PutShape(checkpoint, shape);
    EXPECT_EQ(ReadShape(checkpoint), shape);
  }
}

TEST(PolicyShapeTest, WhatNoSpaceHasIsRefused) {
  const auto refuses = [](const std::vector<uint64_t>& words, const std::vector<uint64_t>& kinds) {
    Checkpoint checkpoint;
    checkpoint.Put("shape", Checkpoint::Words{{std::ssize(words)}, words});
    checkpoint.Put("shape.kinds", Checkpoint::Words{{std::ssize(kinds)}, kinds});
    try {
      ReadShape(checkpoint);
      return false;
    } catch (const InputError& fault) {
      return std::string(fault.what()).find("'shape") != std::string::npos;
    }
  };
  EXPECT_FALSE(refuses({1, 2, 3}, {6}));
  EXPECT_TRUE(refuses({1, 2}, {}));
  EXPECT_TRUE(refuses({65, 2, 3}, {}));
  EXPECT_TRUE(refuses({1, 0, 3}, {}));
  EXPECT_TRUE(refuses({1, 17, 3}, {}));
  EXPECT_TRUE(refuses({1, 2, 0}, {}));
  EXPECT_TRUE(refuses({1, 2, 1025}, {}));
  EXPECT_TRUE(refuses({1, 2, 3}, std::vector<uint64_t>(1025)));
  EXPECT_TRUE(refuses({1, 2, 3}, {7}));
}

TEST(PolicyShapeTest, AKindTellsWhatIsSeenDoneAndSearched) {
  const PolicyFeatures sight(3);
  const ActionTuple actions({});
  const auto space = MakeAnsorSpace(ParseSpec("ansor(rfactor=false)").value());
  EXPECT_THAT(PolicyKind(sight, actions, *space, Avx2Target(2)),
              AllOf(HasSubstr("inputs " + std::to_string(sight.size()) + ", heads 1"),
                    HasSubstr(", space ansor, target llvm")));
}

}  // namespace
}  // namespace schedulegym
