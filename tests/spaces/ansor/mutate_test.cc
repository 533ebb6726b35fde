#include "spaces/ansor/mutate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "env/base/text.h"
#include "env/schedule/loop_structure.h"
#include "spaces/ansor/annotate.h"
#include "spaces/ansor/sketch_space.h"
#include "spaces/bind_threads.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// All results of a mutation of a state, over many draws.
std::set<std::string> Outcomes(const std::function<Result<ScheduleState>(Rng&)>& mutate,
                               int draws = 300) {
  std::set<std::string> outcomes;
  Rng rng(11);
  for (int i = 0; i < draws; ++i) {
    const auto state = mutate(rng);
    if (state) outcomes.insert(state->TraceText());
  }
  return outcomes;
}

constexpr const char* kVector = "input X[12]\nA[i:12] = X[i] + 1\n";
constexpr const char* kChain =
    "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n";

TEST(MutateTileTest, MovesOneFactorBetweenTwoLengths) {
  // 3 times 4: the results of moving one factor above one.
  const ScheduleState state =
      ScheduledDag(kVector, "trace 1\nsplit(stage=A, loop=0, lengths=[4])\n");
  const auto with = [](int length) {
    return "trace 1\nsplit(stage=A, loop=0, lengths=[" + std::to_string(length) + "])\n";
  };
  EXPECT_EQ(Outcomes([&](Rng& rng) { return MutateTile(state, rng); }),
            (std::set<std::string>{with(12), with(2), with(1)}));
}

// S and C are untiled stages of 900 and of 20 iterations; B has 100 in blocks of one warp.
constexpr const char* kBlocks =
    "input X[900, 8]\nS[i:900] = sum(k:8) X[i, k]\noutput S\n"
    "B[i:100] = X[i, 0] * 2\noutput B\nC[i:20] = X[i, 1] * 2\noutput C\n";
std::string BlocksAnd(const std::string& pragma, int of_s, int of_b) {
  const auto bound = [](const std::string& stage, int threads) {
    const std::string begin = "(stage=" + stage + ", loop=";
    return "split" + begin + "0, lengths=[" + std::to_string(threads) + "])\nbind" + begin +
           "0, thread=blockIdx.x)\nbind" + begin + "1, thread=threadIdx.x)\n";
  };
  return "trace 1\n" + pragma + bound("S", of_s) + bound("B", of_b) +
         "bind(stage=C, loop=0, thread=threadIdx.x)\n";
}
constexpr const char* kUnrolled = "pragma(stage=S, name=auto_unroll_max_step, value=16)\n";

std::shared_ptr<const Task> BlocksTask() {
  return DagTask(kBlocks, MakeTarget(ParseSpec("opencl(threads=256)").value()));
}

// Each with the steps of BindThreads: a warp for B unless another size is chosen.
std::set<std::string> BoundOutcomes(const std::function<Result<ScheduleState>(Rng&)>& mutate) {
  return Outcomes([&](Rng& rng) -> Result<ScheduleState> {
    Result<ScheduleState> state = mutate(rng);
    return state ? BindThreads(*std::move(state)) : state;
  });
}

std::string SortedLines(const std::string& text) {
  std::vector<std::string> lines = SplitLines(text);
  std::ranges::sort(lines);
  return Join(lines, "\n");
}

std::set<std::string> Sorted(const std::set<std::string>& texts) {
  std::set<std::string> sorted;
  for (const std::string& text : texts) sorted.insert(SortedLines(text));
  return sorted;
}

TEST(MutateBlocksTest, DrawsOtherWarpsOfOneStage) {
  const ScheduleState state = ReplayText(BlocksTask(), BlocksAnd("", 64, 32)).value();
  const auto outcomes = [&](int64_t most_warps) {
    return Sorted(BoundOutcomes([&](Rng& rng) { return MutateBlocks(state, most_warps, rng); }));
  };
  EXPECT_EQ(outcomes(kMostWarps), Sorted({BlocksAnd("", 32, 32), BlocksAnd("", 128, 32),
                                          BlocksAnd("", 256, 32), BlocksAnd("", 64, 64)}));
  EXPECT_THAT(outcomes(1), testing::IsEmpty());
}

TEST(MutateBlocksTest, OtherMutationsKeepThem) {
  const ScheduleState state = ReplayText(BlocksTask(), BlocksAnd(kUnrolled, 128, 64)).value();
  const auto outcomes = BoundOutcomes([&](Rng& rng) { return MutateUnroll(state, rng); });
  EXPECT_EQ(outcomes.size(), std::size(kGpuUnrollSteps));
  for (const std::string& text : outcomes) {
    EXPECT_THAT(text, testing::HasSubstr("split(stage=S, loop=0, lengths=[128])"));
    EXPECT_THAT(text, testing::HasSubstr("split(stage=B, loop=0, lengths=[64])"));
  }
}

// A task without tiles and pragmas has only these.
TEST(MutateBlocksTest, AreAmongTheMutations) {
  const ScheduleState state = ReplayText(BlocksTask(), BlocksAnd("", 64, 32)).value();
  const SketchFacts facts(state.task());
  const auto outcomes = [&](int64_t most_warps) {
    return BoundOutcomes([&](Rng& rng) { return Mutate(facts, state, rng, most_warps); }).size();
  };
  EXPECT_EQ(outcomes(kMostWarps), 4u);
  EXPECT_EQ(outcomes(1), 0u);
}

TEST(MutateTileTest, KeepsTheProductAndTheInnermostBound) {
  const ScheduleState state = ScheduledDag("input X[4096]\nA[i:4096] = X[i] + 1\n",
                                           "trace 1\nsplit(stage=A, loop=0, lengths=[4, 8, 32])\n");
  Rng rng(2);
  ScheduleState now = state;
  for (int i = 0; i < 200; ++i) {
    const auto next = MutateTile(now, rng);
    if (!next) continue;
    const std::vector<int64_t> lengths = std::get<Split>(next->step(0)).lengths;
    EXPECT_EQ(
        4096 % std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>()), 0);
    EXPECT_LE(lengths.back(), 64);
    now = *next;
  }
}

TEST(MutateTileTest, LeavesLoopsOfOneIterationAndTails) {
  Rng rng(1);
  const ScheduleState one = ScheduledDag("input X[1]\nA[i:1] = X[i] + 1\n",
                                         "trace 1\nsplit(stage=A, loop=0, lengths=[1])\n");
  EXPECT_FALSE(MutateTile(one, rng).ok());
  const ScheduleState tail =
      ScheduledDag(kVector, "trace 1\nsplit(stage=A, loop=0, lengths=[5])\n");
  EXPECT_FALSE(MutateTile(tail, rng).ok());
}

TEST(MutateTileTest, WhatFollowsFollows) {
  const ScheduleState state = ScheduledDag(kChain,
                                           "trace 1\nsplit(stage=A, loop=0, lengths=[4])\n"
                                           "follow_split(stage=B, loop=0, source=0, count=1)\n");
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const auto next = MutateTile(state, rng);
    ASSERT_TRUE(next.ok());
    const Stage& a = next->stage(next->Find("A"));
    const Stage& b = next->stage(next->Find("B"));
    EXPECT_EQ(a.nodes[a.loops[1].node].extent, b.nodes[b.loops[1].node].extent);
  }
}

TEST(MutateUnrollTest, TakesAnyOfThePublishedValues) {
  const ScheduleState state =
      ScheduledDag("input X[8, 32]\nS[i:8] = sum(j:32) X[i, j]\n",
                   "trace 1\npragma(stage=S, name=auto_unroll_max_step, value=16)\n");
  EXPECT_EQ(Outcomes([&](Rng& rng) { return MutateUnroll(state, rng); }).size(), 4u);
  Rng rng(1);
  EXPECT_FALSE(MutateUnroll(ScheduledDag(kVector, "trace 1\n"), rng).ok());
}

TEST(MutateLocationTest, MovesAmongThePlaces) {
  const ScheduleState state =
      ScheduledDag(kChain, "trace 1\ncompute_at(stage=A, target=B, loop=0)\n");
  const SketchFacts facts(state.task());
  EXPECT_THAT(Outcomes([&](Rng& rng) { return MutateLocation(facts, state, rng); }),
              ElementsAre("trace 1\ncompute_at(stage=A, target=B, loop=0)\n",
                          "trace 1\ncompute_at(stage=A, target=B, loop=1)\n"));
}

TEST(MutateLocationTest, TilesStay) {
  const ScheduleState state = ScheduledDag(kChain,
                                           "trace 1\nsplit(stage=A, loop=1, lengths=[4])\n"
                                           "compute_at(stage=A, target=B, loop=0)\n");
  const SketchFacts facts(state.task());
  Rng rng(1);
  EXPECT_FALSE(MutateLocation(facts, state, rng).ok());
}

TEST(MutateParallelTest, FusesAnotherNumberOfLoops) {
  const ScheduleState state =
      ScheduledDag("input X[4, 4, 4, 8]\nA[i:4, j:4, k:4, l:8] = X[i, j, k, l] + 1\n",
                   "trace 1\nfuse(stage=A, loops=[0, 1])\nparallel(stage=A, loop=0)\n"
                   "vectorize(stage=A, loop=2)\n");
  const auto outcomes = Outcomes([&](Rng& rng) { return MutateParallel(state, rng); });
  // The vectorised loop moves with the loops before it; fusing all four leaves none.
  EXPECT_THAT(outcomes,
              ElementsAre("trace 1\nfuse(stage=A, loops=[0, 1, 2])\nparallel(stage=A, loop=0)\n"
                          "vectorize(stage=A, loop=1)\n",
                          "trace 1\nparallel(stage=A, loop=0)\nvectorize(stage=A, loop=3)\n"));
}

TEST(MutateTest, DrawsEachKindNowAndThen) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask("conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)", Avx2Target(2));
  Rng rng(7);
  ScheduleState state = space->Sample(task, rng).value();
  int changed = 0;
  std::set<Key> seen;
  for (int i = 0; i < 300; ++i) {
    const auto next = space->Mutate(state, rng);
    if (!next) continue;
    changed += StateKey(*next) != StateKey(state);
    seen.insert(StateKey(*next));
    // A mutation's trace replays to the same state.
    EXPECT_EQ(StateKey(*ReplayText(task, next->TraceText())), StateKey(*next));
    state = *next;
  }
  EXPECT_GT(changed, 100);
  EXPECT_GT(seen.size(), 100u);
}

TEST(MutateTest, SameSeedSameMutations) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
  Rng draw(7);
  const ScheduleState state = space->Sample(task, draw).value();
  Rng one(3), two(3);
  for (int i = 0; i < 50; ++i) {
    const auto a = space->Mutate(state, one);
    const auto b = space->Mutate(state, two);
    ASSERT_EQ(a.ok(), b.ok());
    if (a.ok()) {
      EXPECT_EQ(a->TraceText(), b->TraceText());
    }
  }
}

}  // namespace
}  // namespace schedulegym
