// Loops on one axis become the same threads, and shared buffers get their places, on hand-made
// kernels.
#include "env/lower/merge_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/lower/lowered.h"
#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

class MergeThreadsTest : public testing::Test {
 protected:
  Result<LoopProgram> Merged(const StatementPtr& kernel) {
    LoopProgram program = build_.Finish(kernel);
    Result<StatementPtr> body = MergeThreads(program, kernel);
    if (!body) return body.error();
    program.body = *std::move(body);
    return program;
  }
  std::string TextOf(const StatementPtr& kernel) {
    const Result<LoopProgram> program = Merged(kernel);
    EXPECT_TRUE(program.ok()) << program.error().message;
    return program ? BodyOf(*program) : "";
  }

  StatementPtr Threads(int64_t extent, const LoopBuilder::Body& body) {
    return build_.Loop(LoopKind::kThreadX, extent, body);
  }

  LoopBuilder build_;
  int a_ = build_.Input("A", DType::kF32, {8});
  int c_ = build_.Output("C", DType::kF32, {8});
  int s_ = build_.Temporary("S", DType::kF32, {5}, MemoryScope::kShared);
  int r_ = build_.Temporary("R", DType::kF32, {8}, MemoryScope::kShared);
};

// Five threads fill and eight use: the five are the first of the eight.
TEST_F(MergeThreadsTest, AShorterLoopRunsUnderAGuard) {
  const StatementPtr fill =
      Threads(5, [&](const Expr& i) { return build_.Write(s_, {i}, build_.At(a_, {i})); });
  const StatementPtr use = Threads(8, [&](const Expr& i) {
    return build_.Write(c_, {i}, build_.At(s_, {Binary(Op::kFloorDivide, i, IndexConstant(2))}));
  });
  EXPECT_EQ(TextOf(build_.Alloc(s_, Sequence({fill, use}))),
            "allocate S[5] : f32 shared\nthreadIdx.x i1 in 0..8\n  if i1 < 5\n    let i0 = i1\n"
            "    S[i0] = A[i0]\n  C[i1] = S[i1 // 2]\n");
}

// A copy in two axes within a serial loop: each shorter axis has its guard there.
TEST_F(MergeThreadsTest, GuardsStandWithinTheLoopAroundThem) {
  const StatementPtr fill = build_.Serial(2, [&](const Expr& k) {
    return build_.Loop(LoopKind::kThreadY, 2, [&](const Expr& y) {
      return Threads(2, [&](const Expr& x) {
        return build_.Write(r_, {k * IndexConstant(4) + y * IndexConstant(2) + x},
                            build_.At(a_, {x}));
      });
    });
  });
  const StatementPtr use = build_.Loop(LoopKind::kThreadY, 2, [&](const Expr& y) {
    return Threads(4, [&](const Expr& x) {
      const Expr cell = y * IndexConstant(4) + x;
      return build_.Write(c_, {cell}, build_.At(r_, {cell}));
    });
  });
  EXPECT_EQ(TextOf(build_.Alloc(r_, Sequence({fill, use}))),
            "allocate R[8] : f32 shared\nthreadIdx.x i4 in 0..4\n  threadIdx.y i1 in 0..2\n"
            "    for i0 in 0..2\n      if i4 < 2\n        let i2 = i4\n"
            "        R[i0 * 4 + i1 * 2 + i2] = A[i2]\n    C[i1 * 4 + i4] = R[i1 * 4 + i4]\n");
}

TEST_F(MergeThreadsTest, LoopsAsLongAreTheSameThreads) {
  const auto copy = [&](int to, int from) {
    return Threads(
        8, [&, to, from](const Expr& i) { return build_.Write(to, {i}, build_.At(from, {i})); });
  };
  const StatementPtr fill = copy(r_, a_), use = copy(c_, r_);
  EXPECT_EQ(TextOf(build_.Alloc(r_, Sequence({fill, use}))),
            "allocate R[8] : f32 shared\nthreadIdx.x i0 in 0..8\n  R[i0] = A[i0]\n"
            "  C[i0] = R[i0]\n");
}

// The stores are outside of both axes, in a serial loop: each axis selects its own storing thread.
TEST_F(MergeThreadsTest, OneThreadStoresWhatStandsOutsideOfAnAxis) {
  const StatementPtr fill =
      build_.Serial(5, [&](const Expr& i) { return build_.Write(s_, {i}, build_.At(a_, {i})); });
  const StatementPtr use = Threads(2, [&](const Expr& x) {
    return build_.Loop(LoopKind::kThreadY, 4, [&](const Expr& y) {
      return build_.Write(c_, {x * IndexConstant(4) + y}, build_.At(s_, {y}));
    });
  });
  EXPECT_EQ(TextOf(build_.Alloc(s_, Sequence({fill, use}))),
            "allocate S[5] : f32 shared\nthreadIdx.x i1 in 0..2\n  threadIdx.y i2 in 0..4\n"
            "    for i0 in 0..5\n      if i1 == 0 && i2 == 0\n        S[i0] = A[i0]\n"
            "    C[i1 * 4 + i2] = S[i2]\n");
}

TEST_F(MergeThreadsTest, AGuardStandsAroundAVectorLoop) {
  const StatementPtr fill =
      build_.Vector(4, [&](const Expr& i) { return build_.Write(s_, {i}, build_.At(a_, {i})); });
  const StatementPtr use = Threads(
      8, [&](const Expr& i) { return build_.Write(c_, {i}, build_.At(s_, {IndexConstant(0)})); });
  EXPECT_THAT(TextOf(build_.Alloc(s_, Sequence({fill, use}))),
              HasSubstr("  if i1 == 0\n    vector i0 in 0..4\n      S[i0] = A[i0]\n"));
}

TEST_F(MergeThreadsTest, AllocationsMoveBetweenBlocksAndThreads) {
  const StatementPtr kernel = build_.Loop(LoopKind::kBlockX, 2, [&](const Expr& b) {
    return Threads(4, [&](const Expr& t) {
      const Expr cell = b * IndexConstant(4) + t;
      return build_.Alloc(r_, build_.Write(c_, {cell}, build_.At(a_, {cell})));
    });
  });
  EXPECT_EQ(TextOf(kernel),
            "blockIdx.x i0 in 0..2\n  allocate R[8] : f32 shared\n  threadIdx.x i1 in 0..4\n"
            "    C[i0 * 4 + i1] = A[i0 * 4 + i1]\n");
}

// S takes bytes 0 to 20; the next multiple of 16 is 32.
TEST_F(MergeThreadsTest, NestedBuffersLieBehindEachOther) {
  const StatementPtr use =
      Threads(8, [&](const Expr& i) { return build_.Write(c_, {i}, build_.At(a_, {i})); });
  const LoopProgram program = Merged(build_.Alloc(s_, build_.Alloc(r_, use))).value();
  EXPECT_EQ(program.buffers[s_].byte_offset, 0);
  EXPECT_EQ(program.buffers[r_].byte_offset, 32);
}

TEST_F(MergeThreadsTest, BuffersInTurnShareBytes) {
  const auto use = [&](int buffer) {
    return build_.Alloc(buffer, Threads(8, [&](const Expr& i) {
                          return build_.Write(c_, {i}, build_.At(a_, {i}));
                        }));
  };
  const StatementPtr first = use(s_), second = use(r_);
  const LoopProgram program = Merged(Sequence({first, second})).value();
  EXPECT_EQ(program.buffers[s_].byte_offset, 0);
  EXPECT_EQ(program.buffers[r_].byte_offset, 0);
}

TEST_F(MergeThreadsTest, SaysWhatNoBlockCanRun) {
  const StatementPtr twice = Threads(2, [&](const Expr& i) {
    return Threads(4, [&](const Expr& j) {
      return build_.Write(c_, {i * IndexConstant(4) + j}, build_.At(a_, {j}));
    });
  });
  EXPECT_THAT(Merged(twice).error().message,
              HasSubstr("C is stored in a loop on threadIdx.x within another, expected one"));
  const StatementPtr blocks = build_.Loop(LoopKind::kBlockX, 2, [&](const Expr& i) {
    return build_.Loop(LoopKind::kBlockX, 4, [&](const Expr& j) {
      return build_.Write(c_, {i * IndexConstant(4) + j}, build_.At(a_, {j}));
    });
  });
  EXPECT_THAT(Merged(blocks).error().message,
              HasSubstr("a kernel has a loop on blockIdx.x within another, expected one"));
  const int local = build_.Temporary("L", DType::kF32, {8}, MemoryScope::kLocal);
  const StatementPtr shared = build_.Alloc(local, Threads(8, [&](const Expr& i) {
                                             return build_.Write(local, {i}, build_.At(a_, {i}));
                                           }));
  EXPECT_THAT(Merged(shared).error().message, HasSubstr("threads share L, which is local"));
}

}  // namespace
}  // namespace schedulegym
