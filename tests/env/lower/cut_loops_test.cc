// Loops split where their iterations wait, and the sequential form, on hand-made kernels.
#include "env/lower/cut_loops.h"

#include <gtest/gtest.h>

#include "env/lower/sequential_form.h"
#include "tests/env/lower/lowered.h"
#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

StatementPtr Wait() { return MakeStatement(Barrier{}); }

class CutLoopsTest : public testing::Test {
 protected:
  std::string Cut(const StatementPtr& body, CutLoopKind kind) {
    LoopProgram program = build_.Finish(body);
    program.body = CutLoops(program, program.body, kind);
    return BodyOf(program);
  }
  std::string CutThreads(const LoopBuilder::Body& body) {
    return Cut(build_.Loop(LoopKind::kThreadX, 8, body), CutLoopKind::kThread);
  }
  StatementPtr Copy(int to, const Expr& at, int from, const Expr& cell) {
    return build_.Write(to, {at}, build_.At(from, {cell}));
  }

  LoopBuilder build_;
  int a_ = build_.Input("A", DType::kF32, {8});
  int c_ = build_.Output("C", DType::kF32, {8});
  int s_ = build_.Temporary("S", DType::kF32, {8}, MemoryScope::kShared);
  int l_ = build_.Temporary("L", DType::kF32, {2}, MemoryScope::kLocal);
  const Expr zero_ = IndexConstant(0), seven_ = IndexConstant(7);
};

TEST_F(CutLoopsTest, APieceForEachSideOfABarrier) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              return Sequence({Copy(s_, t, a_, t), Wait(), Copy(c_, t, s_, seven_ - t)});
            }),
            "threadIdx.x i0 in 0..8\n  S[i0] = A[i0]\n"
            "threadIdx.x i0 in 0..8\n  C[i0] = S[7 - i0]\n");
}

TEST_F(CutLoopsTest, ASerialLoopThatWaitsGoesOutside) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              return build_.Serial(4, [&](const Expr& k) {
                return Sequence({Copy(s_, t, a_, k), Wait(), Copy(c_, t, s_, k)});
              });
            }),
            "for i1 in 0..4\n  threadIdx.x i0 in 0..8\n    S[i0] = A[i1]\n"
            "  threadIdx.x i0 in 0..8\n    C[i0] = S[i1]\n");
}

TEST_F(CutLoopsTest, AllSerialLoopsAroundABarrierGoOutside) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              return build_.Serial(2, [&](const Expr& j) {
                const StatementPtr inner = build_.Serial(4, [&](const Expr& k) {
                  return Sequence({Copy(s_, t, a_, k), Wait(), Copy(c_, t, s_, j)});
                });
                return Sequence({Copy(c_, t, a_, j), inner});
              });
            }),
            "for i1 in 0..2\n  threadIdx.x i0 in 0..8\n    C[i0] = A[i1]\n"
            "  for i2 in 0..4\n    threadIdx.x i0 in 0..8\n      S[i0] = A[i2]\n"
            "    threadIdx.x i0 in 0..8\n      C[i0] = S[i1]\n");
}

// Each piece within the loop gets its own guard.
TEST_F(CutLoopsTest, ALoopThatWaitsLeavesItsGuard) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              const Expr is_low = Binary(Op::kLess, t, IndexConstant(4));
              const StatementPtr loop = build_.Serial(3, [&](const Expr& k) {
                return Sequence({Copy(s_, t, a_, k), Wait(), Copy(c_, t, s_, zero_)});
              });
              return MakeStatement(If{is_low, loop, nullptr});
            }),
            "for i1 in 0..3\n  threadIdx.x i0 in 0..8\n    if i0 < 4\n      S[i0] = A[i1]\n"
            "  threadIdx.x i0 in 0..8\n    if i0 < 4\n      C[i0] = S[0]\n");
}

// A local that a thread keeps across a barrier needs a place for each thread.
TEST_F(CutLoopsTest, LocalsGetTheThreadsDimension) {
  EXPECT_EQ(
      CutThreads([&](const Expr& t) {
        return build_.Alloc(l_, Sequence({Copy(l_, zero_, a_, t), Wait(), Copy(c_, t, l_, zero_)}));
      }),
      "allocate L[8, 2] : f32 global\nthreadIdx.x i0 in 0..8\n  L[i0, 0] = A[i0]\n"
      "threadIdx.x i0 in 0..8\n  C[i0] = L[i0, 0]\n");
}

TEST_F(CutLoopsTest, LocalsWithinAPieceStayAsTheyAre) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              return Sequence(
                  {build_.Alloc(l_, Sequence({Copy(l_, zero_, a_, t), Copy(s_, t, l_, zero_)})),
                   Wait(), Copy(c_, t, s_, seven_ - t)});
            }),
            "threadIdx.x i0 in 0..8\n  allocate L[2] : f32 local\n  L[0] = A[i0]\n"
            "  S[i0] = L[0]\nthreadIdx.x i0 in 0..8\n  C[i0] = S[7 - i0]\n");
}

// Each piece gets its own guard.
TEST_F(CutLoopsTest, ABranchIsPutAroundEachPiece) {
  EXPECT_EQ(CutThreads([&](const Expr& t) {
              const Expr is_low = Binary(Op::kLess, t, IndexConstant(4));
              return MakeStatement(If{
                  is_low, Sequence({Copy(s_, t, a_, t), Wait(), Copy(c_, t, s_, zero_)}), nullptr});
            }),
            "threadIdx.x i0 in 0..8\n  if i0 < 4\n    S[i0] = A[i0]\n"
            "threadIdx.x i0 in 0..8\n  if i0 < 4\n    C[i0] = S[0]\n");
}

TEST_F(CutLoopsTest, NestedAxesAreCutTogether) {
  const StatementPtr body = build_.Loop(LoopKind::kThreadY, 2, [&](const Expr& y) {
    return build_.Loop(LoopKind::kThreadX, 4, [&](const Expr& x) {
      const Expr cell = y * IndexConstant(4) + x;
      return Sequence({Copy(s_, cell, a_, cell), Wait(), Copy(c_, cell, s_, seven_ - cell)});
    });
  });
  EXPECT_EQ(Cut(body, CutLoopKind::kThread),
            "threadIdx.y i0 in 0..2\n  threadIdx.x i1 in 0..4\n"
            "    S[i0 * 4 + i1] = A[i0 * 4 + i1]\n"
            "threadIdx.y i0 in 0..2\n  threadIdx.x i1 in 0..4\n"
            "    C[i0 * 4 + i1] = S[7 - (i0 * 4 + i1)]\n");
}

// Barriers of virtual threads stay; the store to shared memory runs once.
TEST_F(CutLoopsTest, VirtualThreadsRunBetweenBarriers) {
  const StatementPtr body = build_.Loop(LoopKind::kThreadX, 4, [&](const Expr& t) {
    return build_.Loop(LoopKind::kVthread, 2, [&](const Expr& v) {
      const Expr cell = v * IndexConstant(4) + t;
      return Sequence({Copy(s_, t, a_, t), Wait(), Copy(c_, cell, s_, IndexConstant(3) - t)});
    });
  });
  EXPECT_EQ(Cut(body, CutLoopKind::kVthread),
            "threadIdx.x i0 in 0..4\n  S[i0] = A[i0]\n  barrier\n  vthread i1 in 0..2\n"
            "    C[i1 * 4 + i0] = S[3 - i0]\n");
}

// Blocks and threads become parallel loops; each shared buffer gets its own memory.
TEST_F(CutLoopsTest, TheSequentialFormIsAProcessorsProgram) {
  build_.program().buffers[s_].byte_offset = 64;
  const StatementPtr body = build_.Loop(LoopKind::kBlockX, 2, [&](const Expr& b) {
    return build_.Alloc(s_, build_.Loop(LoopKind::kThreadX, 4, [&](const Expr& t) {
      const Expr cell = b * IndexConstant(4) + t;
      return Sequence({Copy(s_, t, a_, cell), Wait(), Copy(c_, cell, s_, IndexConstant(3) - t)});
    }));
  });
  const LoopProgram program = SequentialForm(build_.Finish(body));
  EXPECT_EQ(BodyOf(program),
            "parallel i0 in 0..2\n  allocate S[8] : f32 shared\n  parallel i1 in 0..4\n"
            "    S[i1] = A[i0 * 4 + i1]\n  parallel i1 in 0..4\n"
            "    C[i0 * 4 + i1] = S[3 - i1]\n");
  EXPECT_EQ(program.buffers[s_].byte_offset, 0);
}

}  // namespace
}  // namespace schedulegym
