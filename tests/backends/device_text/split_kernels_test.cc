// Kernels split from hand-made programs, and launches that no device accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_program.h"
#include "backends/device_text/device_text.h"
#include "backends/device_text/dialect.h"
#include "backends/device_text/launch_limits.h"
#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SplitKernelsTest : public testing::Test {
 protected:
  StatementPtr Copy(int to, int from, const Expr& cell) {
    return build_.Write(to, {cell}, build_.At(from, {cell}));
  }
  StatementPtr CopyOn(LoopKind kind, int64_t extent, int to, int from) {
    return build_.Loop(kind, extent, [&](const Expr& i) { return Copy(to, from, i); });
  }
  std::string RefusalOf(const StatementPtr& body) {
    const Result<KernelSplit> split = SplitKernels(build_.Finish(body));
    return split ? "none" : split.error().message;
  }

  LoopBuilder build_;
  int a_ = build_.Input("A", DType::kF32, {8});
  int c_ = build_.Output("C", DType::kF32, {8});
  int t_ = build_.Temporary("T", DType::kF32, {8}, MemoryScope::kGlobal);
  int s_ = build_.Temporary("S", DType::kF32, {8}, MemoryScope::kShared);
};

TEST_F(SplitKernelsTest, WhatStandsInOrderAtTheTopIsAKernelEach) {
  const StatementPtr first = CopyOn(LoopKind::kBlockX, 8, t_, a_);
  const StatementPtr second = CopyOn(LoopKind::kThreadY, 4, c_, t_);
  const KernelSplit split =
      SplitKernels(build_.Finish(build_.Alloc(t_, Sequence({first, second})))).value();
  ASSERT_EQ(split.kernels.size(), 2u);
  EXPECT_THAT(split.temporaries, ElementsAre(t_));
  EXPECT_THAT(split.kernels[0].blocks, ElementsAre(8, 1, 1));
  EXPECT_THAT(split.kernels[0].threads, ElementsAre(1, 1, 1));
  EXPECT_THAT(split.kernels[1].blocks, ElementsAre(1, 1, 1));
  EXPECT_THAT(split.kernels[1].threads, ElementsAre(1, 4, 1));
}

TEST_F(SplitKernelsTest, TheLongerBranchIsTheGrid) {
  const StatementPtr body = build_.Loop(LoopKind::kBlockX, 2, [&](const Expr& block) {
    const Expr is_first = Binary(Op::kEqual, block, IndexConstant(0));
    return MakeStatement(
        If{is_first, CopyOn(LoopKind::kThreadX, 3, c_, a_), CopyOn(LoopKind::kThreadX, 5, c_, a_)});
  });
  const KernelSplit split = SplitKernels(build_.Finish(body)).value();
  EXPECT_THAT(split.kernels.at(0).threads, ElementsAre(5, 1, 1));
}

// 8 floats, from byte 16 on.
TEST_F(SplitKernelsTest, SharedMemoryEndsWithItsLastBuffer) {
  build_.program().buffers[s_].byte_offset = 16;
  const StatementPtr body = build_.Alloc(s_, CopyOn(LoopKind::kThreadX, 8, s_, a_));
  EXPECT_EQ(SplitKernels(build_.Finish(body))->kernels.at(0).shared_bytes, 16 + 8 * 4);
}

TEST_F(SplitKernelsTest, RefusesAnAxisTwiceAndGlobalMemoryWithin) {
  EXPECT_THAT(
      RefusalOf(build_.Loop(LoopKind::kThreadX, 2,
                            [&](const Expr&) { return CopyOn(LoopKind::kThreadX, 4, c_, a_); })),
      HasSubstr("binds two loops to threadIdx.x"));
  EXPECT_THAT(
      RefusalOf(build_.Serial(2, [&](const Expr& i) { return build_.Alloc(t_, Copy(t_, a_, i)); })),
      HasSubstr("keeps T in global memory"));
}

class LaunchLimitsTest : public SplitKernelsTest {
 protected:
  LaunchLimitsTest() {
    facts_.threads = 64;
    facts_.shared_bytes = 1000;
  }
  std::string LimitOf(const StatementPtr& body) {
    const Result<void> fits = CheckLaunches(build_.Finish(body), facts_);
    if (fits) return "none";
    EXPECT_EQ(fits.error().kind, ErrorKind::kUnsupported);
    return fits.error().message;
  }
  StatementPtr Nested(LoopKind outer, LoopKind inner, int64_t extent) {
    return build_.Loop(outer, 8, [&](const Expr&) { return CopyOn(inner, extent, c_, a_); });
  }

  GpuFacts facts_;
};

// With facts, DeviceText refuses programs beyond the limits; it splits a program only once.
TEST_F(LaunchLimitsTest, TextOfWhatIsBeyondIsRefused) {
  const LoopProgram fits = build_.Finish(Nested(LoopKind::kThreadX, LoopKind::kThreadY, 8));
  EXPECT_EQ(DeviceText(fits, OpenClDialect(), facts_)->source,
            DeviceText(fits, OpenClDialect())->source);
  const LoopProgram wide = build_.Finish(Nested(LoopKind::kThreadX, LoopKind::kThreadY, 9));
  EXPECT_TRUE(DeviceText(wide, OpenClDialect()).ok());
  const Result<DeviceProgram> refused = DeviceText(wide, OpenClDialect(), facts_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "kernel_0 has 72 threads a block, expected at most 64");
}

TEST_F(LaunchLimitsTest, OfABlock) {
  EXPECT_EQ(LimitOf(Nested(LoopKind::kThreadX, LoopKind::kThreadY, 8)), "none");
  EXPECT_EQ(LimitOf(Nested(LoopKind::kThreadX, LoopKind::kThreadY, 9)),
            "kernel_0 has 72 threads a block, expected at most 64");
  const StatementPtr body = build_.Alloc(s_, CopyOn(LoopKind::kThreadX, 8, s_, a_));
  build_.program().buffers[s_].byte_offset = 968;
  EXPECT_EQ(LimitOf(body), "none");
  build_.program().buffers[s_].byte_offset = 972;
  EXPECT_EQ(LimitOf(body), "kernel_0 has 1004 shared bytes a block, expected at most 1000");
}

// Two loops in sequence are the same virtual threads. Each kernel is checked, not only the first.
TEST_F(LaunchLimitsTest, OfAThread) {
  const auto copies = [&] {
    return Sequence({CopyOn(LoopKind::kVthread, 8, c_, a_), CopyOn(LoopKind::kVthread, 8, c_, a_)});
  };
  EXPECT_EQ(LimitOf(build_.Loop(LoopKind::kBlockX, 2, [&](const Expr&) { return copies(); })),
            "none");
  EXPECT_EQ(LimitOf(Sequence({CopyOn(LoopKind::kThreadX, 8, c_, a_),
                              Nested(LoopKind::kVthread, LoopKind::kVthread, 2)})),
            "kernel_1 has 16 virtual threads a thread, expected at most 8");
}

TEST_F(LaunchLimitsTest, OfAVector) {
  EXPECT_EQ(LimitOf(CopyOn(LoopKind::kVector, 4, c_, a_)), "none");
  EXPECT_EQ(LimitOf(CopyOn(LoopKind::kVector, 8, c_, a_)),
            "kernel_0 has 32 bytes a vector, expected at most 16");
}

}  // namespace
}  // namespace schedulegym
