// The first checks of every primitive: the stage exists, has loops, has this loop, a plain one.
#include "env/schedule/primitives/checks.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] =
    "input A[8, 4]\nP[i:8, k:4] = A[i, k] + 1\nQ[i:8] = sum(k:4) P[i, k]\nC[i:8] = Q[i] * 2\n";
constexpr int kA = 0, kP = 1, kQ = 2;

// The chain, after a split of Q to follow; on a GPU loops may be bound.
ScheduleState Start(BackendKind backend = BackendKind::kCuda) {
  return StateAfter(TaskOf(kChain, backend), "split(stage=Q, loop=1, lengths=[2])\n");
}

// Primitives on one loop, which must be plain.
std::vector<Primitive> OnLoop(int stage, int loop) {
  const StageRef ref{stage};
  return {Split{ref, loop, {2}},
          FollowSplit{ref, loop, 0, 1},
          FollowFusedSplit{ref, loop, {0}, 0},
          Fuse{ref, {loop, loop + 1}},
          Parallel{ref, loop},
          Vectorize{ref, loop},
          Unroll{ref, loop},
          Bind{ref, loop, Annotation::kBlockX},
          Rfactor{ref, loop, 0}};
}

// Primitives on a stage that must have loops.
std::vector<Primitive> OnLoops(int stage) {
  const StageRef ref{stage};
  std::vector<Primitive> primitives = OnLoop(stage, 0);
  const std::vector<Primitive> more = {Reorder{ref, {0}},
                                       Pragma{ref, "auto_unroll_max_step", 16},
                                       StorageAlign{ref, 0, 8, 0},
                                       ComputeAt{ref, {3}, 0},
                                       ComputeAt{{kP}, ref, 0},
                                       ComputeInline{ref},
                                       CacheWrite{ref, MemoryScope::kLocal}};
  primitives.insert(primitives.end(), more.begin(), more.end());
  return primitives;
}

// All primitives.
std::vector<Primitive> OnStage(int stage) {
  const StageRef ref{stage};
  std::vector<Primitive> primitives = OnLoops(stage);
  const std::vector<Primitive> more = {
      ComputeRoot{ref}, CacheRead{ref, MemoryScope::kLocal, {{kQ}}}, Pack{ref, {{kQ}}, {1}, {0}}};
  primitives.insert(primitives.end(), more.begin(), more.end());
  return primitives;
}

TEST(ChecksTest, CoversEveryPrimitive) {
  std::vector<bool> covered(std::variant_size_v<Primitive>);
  for (const Primitive& primitive : OnStage(kQ)) covered[primitive.index()] = true;
  EXPECT_EQ(covered, std::vector<bool>(covered.size(), true));
}

TEST(ChecksTest, NamesUnknownStages) {
  const ScheduleState state = Start();
  for (int stage : {-1, 4, 1000}) {
    for (const Primitive& primitive : OnStage(stage)) {
      EXPECT_EQ(RefusalOf(state, primitive),
                "found stage " + std::to_string(stage) + ", expected one of 0..3")
          << NameOf(primitive);
    }
  }
}

TEST(ChecksTest, KnowsInputs) {
  const ScheduleState state = Start();
  for (const Primitive& primitive : OnLoops(kA)) {
    EXPECT_EQ(RefusalOf(state, primitive), "A is an input without loops") << NameOf(primitive);
  }
}

TEST(ChecksTest, KnowsInlinedStages) {
  const ScheduleState state = StateAfter(Start(), "compute_inline(stage=P)");
  for (const Primitive& primitive : OnLoops(kP)) {
    // P is no target for itself here; the stage that moves is checked first.
    EXPECT_EQ(RefusalOf(state, primitive), "P is inlined, without loops") << NameOf(primitive);
  }
}

TEST(ChecksTest, CountsLoops) {
  const ScheduleState state = Start();
  for (int loop : {-2, 3, 100}) {
    for (const Primitive& primitive : OnLoop(kQ, loop)) {
      EXPECT_EQ(RefusalOf(state, primitive),
                "found loop " + std::to_string(loop) + ", but Q has 3 loops")
          << NameOf(primitive);
    }
  }
  EXPECT_EQ(RefusalOf(state, ComputeAt{{kP}, {kQ}, -1}), "found loop -1, but Q has 3 loops");
  EXPECT_EQ(RefusalOf(state, ComputeAt{{kP}, {kQ}, 3}), "found loop 3, but Q has 3 loops");
}

TEST(ChecksTest, KnowsMarkedLoops) {
  const std::vector<std::pair<std::string, std::string>> marks = {
      {"unroll(stage=Q, loop=0)", "unrolled"},
      {"parallel(stage=Q, loop=0)", "parallel"},
      {"bind(stage=Q, loop=0, thread=threadIdx.z)", "threadIdx.z"}};
  for (const auto& [step, name] : marks) {
    const bool is_parallel = name == "parallel";
    const ScheduleState state =
        StateAfter(Start(is_parallel ? BackendKind::kLlvm : BackendKind::kCuda), step);
    for (const Primitive& primitive : OnLoop(kQ, 0)) {
      if (is_parallel && std::holds_alternative<Bind>(primitive)) continue;
      EXPECT_EQ(RefusalOf(state, primitive), "loop 0 of Q is annotated already (" + name + ")")
          << NameOf(primitive);
    }
  }
}

TEST(ChecksTest, KnowsWhatGpusLack) {
  EXPECT_EQ(RefusalOf(Start(), Parallel{{kQ}, 0}),
            "target cuda has no parallel loops, expected bind");
  EXPECT_EQ(RefusalOf(Start(), Pack{{kP}, {{kQ}}, {1, 2}, {0, 1, 2}}),
            "target cuda has no packed copies, expected llvm or interpreter");
}

TEST(ChecksTest, CopiesWhatStandsAtTheRoot) {
  const ScheduleState start = Start(BackendKind::kLlvm);
  const ScheduleState inlined = StateAfter(start, "compute_inline(stage=P)");
  const ScheduleState at_loop = StateAfter(start, "compute_at(stage=P, target=Q, loop=0)");
  const std::vector<Primitive> copies = {CacheRead{{kP}, MemoryScope::kShared, {{kQ}}},
                                         Pack{{kP}, {{kQ}}, {1, 2}, {0, 1, 2}}};
  for (const Primitive& copy : copies) {
    EXPECT_EQ(RefusalOf(start, copy), "") << NameOf(copy);
    EXPECT_EQ(RefusalOf(inlined, copy), "P is inlined") << NameOf(copy);
    EXPECT_EQ(RefusalOf(at_loop, copy),
              "P is computed at a loop, its copy would stand outside of it")
        << NameOf(copy);
  }
}

TEST(ChecksTest, ChecksReadersOfCopies) {
  const ScheduleState state = Start();
  const auto refusals = [&](std::vector<StageRef> readers) {
    const std::string one = RefusalOf(state, CacheRead{{kP}, MemoryScope::kShared, readers});
    EXPECT_EQ(RefusalOf(state, Pack{{kP}, readers, {1, 2}, {0, 1, 2}}), one);
    return one;
  };
  EXPECT_EQ(refusals({}), "found no readers, expected at least one");
  EXPECT_EQ(refusals({{4}}), "found stage 4, expected one of 0..3");
  EXPECT_EQ(refusals({{-1}}), "found stage -1, expected one of 0..3");
  EXPECT_EQ(refusals({{kQ}, {kQ}}), "reader Q stands twice");
  EXPECT_EQ(refusals({{3}}), "C does not read P itself");
  EXPECT_EQ(refusals({{kQ}, {kA}}), "A does not read P itself");
}

TEST(ChecksTest, RedirectsReads) {
  const ScheduleState state =
      StateAfter("input A[8]\ninput B[8]\nC[i:8] = A[i] * B[7 - i] + A[0]\n", "");
  const StageOpPtr redirected = RedirectReads(*state.stage(2).op, 0, 5);
  std::vector<int> stages;
  for (const ReadAccess& read : redirected->reads) stages.push_back(read.stage);
  EXPECT_EQ(stages, (std::vector<int>{5, 1, 5}));
  EXPECT_EQ(redirected->name, "C");
}

TEST(ChecksTest, CopiesElementByElement) {
  const ScheduleState state = Start();
  const StageOp copy = CopyOp(*state.stage(kQ).op, kQ);
  EXPECT_EQ(copy.source, kQ);
  ASSERT_EQ(copy.axes.size(), 1u);  // without the reduction
  EXPECT_EQ(copy.axes[0].extent, 8);
  EXPECT_EQ(copy.spatial, 1);
  EXPECT_FALSE(copy.is_reduction());
  EXPECT_TRUE(Equal(copy.body, Read(DType::kF32, kQ, {Variable(0)})));
}

}  // namespace
}  // namespace schedulegym
