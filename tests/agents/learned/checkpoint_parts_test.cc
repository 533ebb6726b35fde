#include "agents/learned/checkpoint_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

template <typename Read>
std::string Refusal(const Read& read) {
  try {
    read();
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(CheckpointPartsTest, ChanceGoesOn) {
  Rng rng(5);
  rng.Next();
  Checkpoint checkpoint;
  PutRng(checkpoint, "rng", rng);
  Rng read = ReadRng(checkpoint, "rng");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(read.Next(), rng.Next());
}

TEST(CheckpointPartsTest, WhatIsNoRandomStateIsRefused) {
  Checkpoint checkpoint;
  checkpoint.Put("zeros", Checkpoint::Words{{4}, {0, 0, 0, 0}});
  checkpoint.Put("few", Checkpoint::Words{{3}, {1, 2, 3}});
  EXPECT_THAT(Refusal([&] { ReadRng(checkpoint, "zeros"); }), HasSubstr("is all zeros"));
  EXPECT_THAT(Refusal([&] { ReadRng(checkpoint, "few"); }), HasSubstr("is 3 words, expected 4"));
}

TEST(CheckpointPartsTest, NormalisersGoOn) {
  RunningNormaliser normaliser(2, 3);
  for (const std::vector<float>& row : {std::vector<float>{1, 5}, {2, 7}, {4, 6}}) {
    normaliser.Learn(row);
  }
  Checkpoint checkpoint;
  PutNormaliser(checkpoint, "inputs", normaliser);
  const RunningNormaliser read = ReadNormaliser(checkpoint, "inputs", 2, 4);
  EXPECT_EQ(read.state(), normaliser.state());
  EXPECT_EQ(read.limit(), 4);
  EXPECT_THAT(Refusal([&] { ReadNormaliser(checkpoint, "inputs", 3, 4); }),
              HasSubstr("is 2, expected 3"));
}

TEST(CheckpointPartsTest, WhatIsNoNormaliserIsRefused) {
  const auto refusal = [](uint64_t rows, double square) {
    Checkpoint checkpoint;
    checkpoint.Put("a.rows", Checkpoint::Words{{1}, {rows}});
    checkpoint.Put("a.means", Checkpoint::Doubles{{1}, {0}});
    checkpoint.Put("a.squares", Checkpoint::Doubles{{1}, {square}});
    return Refusal([&] { ReadNormaliser(checkpoint, "a", 1, 10); });
  };
  EXPECT_EQ(refusal(3, 1), "");
  EXPECT_THAT(refusal(UINT64_MAX, 1), HasSubstr("is no count"));
  EXPECT_THAT(refusal(3, -1), HasSubstr("below 0"));
}

TEST(CheckpointPartsTest, BanditsGoOn) {
  const SlidingWindowOptions options = {.window = 3, .constant = 1};
  SlidingWindowBandit bandit(2, options);
  for (int i = 0; i < 7; ++i) bandit.Learn(i % 2, 0.3 * i);
  Checkpoint checkpoint;
  PutBandit(checkpoint, "sketches", bandit);
  EXPECT_EQ(ReadBandit(checkpoint, "sketches", 2, options).pulls(), bandit.pulls());
  const auto shorter = ReadBandit(checkpoint, "sketches", 2, {.window = 1}).pulls();
  EXPECT_EQ(shorter, (std::deque<ArmPull>{bandit.pulls().back()}));
  EXPECT_THAT(Refusal([&] { ReadBandit(checkpoint, "sketches", 1, options); }),
              HasSubstr("has arm 1, expected below 1"));
}

TEST(CheckpointPartsTest, ABanditHasARewardForEachPull) {
  Checkpoint checkpoint;
  checkpoint.Put("a.arms", Checkpoint::Words{{2}, {0, 1}});
  checkpoint.Put("a.rewards", Checkpoint::Doubles{{1}, {0}});
  EXPECT_THAT(Refusal([&] { ReadBandit(checkpoint, "a", 2, {}); }), HasSubstr("is 1, expected 2"));
}

}  // namespace
}  // namespace schedulegym
