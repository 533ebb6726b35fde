#include "env/schedule/state.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "env/schedule/loop_structure.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[24, 30]\nweight B[30, 40]\ninput bias[40]\n"
    "P[i:24, k:30] = A[i, k] + 1\n"
    "C[i:24, j:40] = sum(k:30) P[i, k] * B[k, j]\n"
    "D[i:24, j:40] = max(C[i, j] + bias[j], 0)\n";
constexpr char kMatrix[] = "input A[8, 16, 4]\nC[i:8, j:16] = sum(k:4) A[i, j, k]\n";

Key KeyAfter(std::string_view dag, std::string_view steps) {
  return StateKey(StateAfter(dag, steps));
}

TEST(StateTest, BeginsWithTheNaiveProgram) {
  const ScheduleState state = StateAfter(kMatmul, "");
  EXPECT_EQ(state.Names(), (StageNames{"A", "B", "bias", "P", "C", "D"}));
  EXPECT_EQ(state.order().size(), 6u);
  EXPECT_EQ(state.Consumers(3), (std::vector<int>{4}));
  EXPECT_EQ(state.Find("C"), 4);
  EXPECT_EQ(state.Find("E"), -1);
  EXPECT_TRUE(state.is_output(5));
  EXPECT_FALSE(state.is_output(4));
  EXPECT_EQ(state.trace_size(), 0);
  EXPECT_EQ(LoopsOf(state),
            "P[24, 30] global:\n"
            "for i in 0..24\n"
            "  for k in 0..30\n"
            "    P[i, k] = A[i, k] + 1\n"
            "C[24, 40] global:\n"
            "for i in 0..24\n"
            "  for j in 0..40\n"
            "    for k in 0..30  # reduction\n"
            "      C[i, j] = sum P[i, k] * B[k, j]\n"
            "D[24, 40] global:\n"
            "for i in 0..24\n"
            "  for j in 0..40\n"
            "    D[i, j] = max(C[i, j] + bias[j], 0)\n");
}

TEST(StateTest, SeesConsumersThroughInlinedStages) {
  const ScheduleState state = StateAfter(kMatmul, "compute_inline(stage=P)");
  EXPECT_EQ(state.Consumers(0), (std::vector<int>{4}));
  EXPECT_TRUE(state.Consumers(3).empty());
}

TEST(StateKeyTest, ForgetsTheOrderOfSteps) {
  EXPECT_EQ(
      KeyAfter(kMatrix, "split(stage=C, loop=0, lengths=[4])\nsplit(stage=C, loop=2, lengths=[2])"),
      KeyAfter(kMatrix,
               "split(stage=C, loop=1, lengths=[2])\nsplit(stage=C, loop=0, lengths=[4])"));
  EXPECT_EQ(
      KeyAfter(kMatrix, "reorder(stage=C, order=[1, 2, 0])\nreorder(stage=C, order=[2, 0, 1])"),
      KeyAfter(kMatrix, ""));
  // Two splits equal one split in three parts.
  EXPECT_EQ(
      KeyAfter(kMatrix, "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=1, lengths=[2])"),
      KeyAfter(kMatrix, "split(stage=C, loop=1, lengths=[2, 4])"));
  // The same lengths, given from the inside or from the outside.
  EXPECT_EQ(KeyAfter(kMatrix, "split(stage=C, loop=1, lengths=[4])"),
            KeyAfter(kMatrix, "split(stage=C, loop=1, lengths=[4], inner_to_outer=false)"));
}

TEST(StateKeyTest, TellsDifferentNestsApart) {
  const std::vector<std::string> steps = {
      "",
      "split(stage=C, loop=1, lengths=[4])",
      "split(stage=C, loop=1, lengths=[2])",
      "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[0, 2, 1, 3])",
      "reorder(stage=C, order=[1, 0, 2])",
      "fuse(stage=C, loops=[0, 1])",
      "reorder(stage=C, order=[1, 0, 2])\nfuse(stage=C, loops=[0, 1])",
      "parallel(stage=C, loop=0)",
      "unroll(stage=C, loop=0)",
      "unroll(stage=C, loop=1)",
      "pragma(stage=C, name=auto_unroll_max_step, value=16)",
      "pragma(stage=C, name=auto_unroll_max_step, value=64)",
      "cache_write(stage=C, scope=local)",
      "cache_write(stage=C, scope=global)",
      "cache_write(stage=C, scope=local)\ncompute_at(stage=C.local, target=C, loop=0)",
      "cache_write(stage=C, scope=local)\ncompute_at(stage=C.local, target=C, loop=1)",
      "cache_read(stage=A, scope=global, readers=[C])",
      "pack(stage=A, readers=[C], tile=[1, 1, 1], order=[0, 1, 2])",
      "pack(stage=A, readers=[C], tile=[1, 1, 1], order=[0, 2, 1])",
      "pack(stage=A, readers=[C], tile=[1, 4, 1], order=[0, 1, 2, 3])",
      "rfactor(stage=C, loop=2, axis=0)",
      "rfactor(stage=C, loop=2, axis=2)",
  };
  std::map<Key, std::string> seen;
  for (const std::string& step : steps) {
    const auto [place, fresh] = seen.emplace(KeyAfter(kMatrix, step), step);
    EXPECT_TRUE(fresh) << step << " is taken for " << place->second;
  }
}

TEST(StateKeyTest, IsThatOfThePrintedNest) {
  Rng rng(3);
  const auto task = TaskOf(kMatmul);
  std::map<std::string, Key> keys;
  std::map<Key, std::string> texts;
  for (int trial = 0; trial < 500; ++trial) {
    const ScheduleState state = RandomSchedule(task, rng);
    const std::string loops = LoopsOf(state);
    const Key key = StateKey(state);
    EXPECT_EQ(keys.emplace(loops, key).first->second, key);
    EXPECT_EQ(texts.emplace(key, loops).first->second, loops);
  }
  EXPECT_GT(keys.size(), 300u);
}

TEST(StateTest, ReplaysToTheSameState) {
  Rng rng(4);
  const auto task = TaskOf(kMatmul);
  for (int trial = 0; trial < 300; ++trial) {
    const ScheduleState state = RandomSchedule(task, rng);
    const ScheduleState from_text = ReplayText(task, state.TraceText()).value();
    EXPECT_EQ(LoopsOf(from_text), LoopsOf(state));
    EXPECT_EQ(from_text.TraceText(), state.TraceText());
    const ScheduleState from_trace = Replay(task, state.trace()).value();
    EXPECT_EQ(StateKey(from_trace), StateKey(state));
    EXPECT_EQ(from_trace.trace(), state.trace());
  }
}

// Tries primitives of every kind, legal or not, along random walks. RefusalOf compares Check with
// Apply; a legal step must lead to a state whose structure can be computed.
TEST(StateTest, CheckAgreesWithApply) {
  Rng rng(5);
  const auto task = TaskOf(kMatmul);
  KindCounts legal{}, refused{};
  for (int trial = 0; trial < 400; ++trial) {
    ScheduleState state = RandomSchedule(task, rng);
    for (size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
      const auto primitive = ProposePrimitive(state, kind, rng);
      if (!primitive) continue;
      const std::string refusal = RefusalOf(state, *primitive);
      ++(refusal.empty() ? legal : refused)[kind];
      EXPECT_EQ(refusal.find('\n'), std::string::npos);
      if (!refusal.empty()) continue;
      const ScheduleState next = Apply(state, *primitive).value();
      EXPECT_EQ(next.trace_size(), state.trace_size() + 1);
      EXPECT_FALSE(LoopsOf(next).empty());
    }
  }
  for (size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
    const bool is_bind = KindName(kind) == "bind";
    EXPECT_GT((is_bind ? refused : legal)[kind], 20) << KindName(kind);
  }
}

TEST(StateTest, IsAValue) {
  const ScheduleState state = StateAfter(kMatmul, "split(stage=C, loop=0, lengths=[8])");
  const std::string loops = LoopsOf(state);
  const ScheduleState copy = state;
  const ScheduleState next = StateAfter(state, "compute_inline(stage=P)\nunroll(stage=C, loop=1)");
  EXPECT_EQ(LoopsOf(state), loops);
  EXPECT_NE(LoopsOf(next), loops);
  // A copy shares all stages. A later state shares those that no step in between has changed.
  EXPECT_EQ(&copy.stage(4), &state.stage(4));
  EXPECT_EQ(&next.stage(5), &state.stage(5));
  EXPECT_NE(&next.stage(4), &state.stage(4));
}

TEST(StateTest, IsSharedByThreads) {
  const ScheduleState shared = StateAfter(kMatmul, "split(stage=C, loop=0, lengths=[8])");
  const auto walk = [&shared](std::vector<Key>* keys) {
    Rng rng(6);
    for (int trial = 0; trial < 50; ++trial) keys->push_back(StateKey(RandomWalk(shared, rng)));
  };
  std::vector<std::vector<Key>> keys(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Key>& of_one : keys) threads.emplace_back(walk, &of_one);
  }
  for (const std::vector<Key>& of_one : keys) EXPECT_EQ(of_one, keys[0]);
}

}  // namespace
}  // namespace schedulegym
