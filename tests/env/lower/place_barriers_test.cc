// Barriers between stores by a block's threads and reads by other threads, on hand-made loops.
#include "env/lower/place_barriers.h"

#include <gtest/gtest.h>

#include "tests/env/lower/lowered.h"
#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

// Eight threads; A and C of 4 x 8; S and R of 8 cells, shared by the block.
class PlaceBarriersTest : public testing::Test {
 protected:
  std::string Placed(const LoopBuilder::Body& of_thread) {
    const StatementPtr threads = build_.Loop(LoopKind::kThreadX, 8, of_thread);
    LoopProgram program = build_.Finish(build_.Alloc(s_, build_.Alloc(r_, threads)));
    program.body = PlaceBarriers(program, program.body);
    EXPECT_EQ(CountBarriers(*PlaceBarriers(program, program.body)), CountBarriers(*program.body))
        << "what stands there is enough";
    const std::string text = BodyOf(program);
    return text.substr(text.find("threadIdx.x"));
  }

  StatementPtr Fill(int shared, const Expr& row, const Expr& thread) {
    return build_.Write(shared, {thread}, build_.At(a_, {row, thread}));
  }
  // Reads the cell of the opposite thread.
  StatementPtr Use(int shared, const Expr& row, const Expr& thread) {
    return build_.Write(c_, {row, thread}, build_.At(shared, {IndexConstant(7) - thread}));
  }

  LoopBuilder build_;
  int a_ = build_.Input("A", DType::kF32, {4, 8});
  int c_ = build_.Output("C", DType::kF32, {4, 8});
  int s_ = build_.Temporary("S", DType::kF32, {8}, MemoryScope::kShared);
  int r_ = build_.Temporary("R", DType::kF32, {8}, MemoryScope::kShared);
  const Expr zero_ = IndexConstant(0), one_ = IndexConstant(1);
};

TEST_F(PlaceBarriersTest, OneBetweenStoringAndReading) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return Sequence({Fill(s_, zero_, t), Use(s_, zero_, t)});
            }),
            "threadIdx.x i0 in 0..8\n  S[i0] = A[0, i0]\n  barrier\n  C[0, i0] = S[7 - i0]\n");
}

TEST_F(PlaceBarriersTest, OneMoreWhereALoopComesBack) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return build_.Serial(4, [&](const Expr& k) {
                return Sequence({Fill(s_, k, t), Use(s_, k, t)});
              });
            }),
            "threadIdx.x i0 in 0..8\n  for i1 in 0..4\n    barrier\n    S[i0] = A[i1, i0]\n"
            "    barrier\n    C[i1, i0] = S[7 - i0]\n");
}

TEST_F(PlaceBarriersTest, NoneForALoopOfOneIteration) {
  const std::string text = Placed([&](const Expr& t) {
    return build_.Serial(1, [&](const Expr& k) {
      return Sequence({Fill(s_, k, t), Use(s_, k, t)});
    });
  });
  EXPECT_EQ(text.find("barrier"), text.rfind("barrier"));
  EXPECT_LT(text.find("S[i0] ="), text.find("barrier"));
}

// The fill is outside of the inner loop, so the barrier is outside of it, too.
TEST_F(PlaceBarriersTest, AsFarOutAsBothSidesAre) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return build_.Serial(4, [&](const Expr& k) {
                const StatementPtr inner =
                    build_.Serial(2, [&](const Expr&) { return Use(s_, k, t); });
                return Sequence({Fill(s_, k, t), inner});
              });
            }),
            "threadIdx.x i0 in 0..8\n  for i1 in 0..4\n    barrier\n    S[i0] = A[i1, i0]\n"
            "    barrier\n    for i2 in 0..2\n      C[i1, i0] = S[7 - i0]\n");
}

// The inner loop repeats, so it needs the barrier; the outer one needs none.
TEST_F(PlaceBarriersTest, OneMoreForTheInnermostLoopThatComesBack) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return build_.Serial(2, [&](const Expr&) {
                return build_.Serial(4, [&](const Expr& k) {
                  return Sequence({Fill(s_, k, t), Use(s_, k, t)});
                });
              });
            }),
            "threadIdx.x i0 in 0..8\n  for i1 in 0..2\n    for i2 in 0..4\n      barrier\n"
            "      S[i0] = A[i2, i0]\n      barrier\n      C[i2, i0] = S[7 - i0]\n");
}

// Some threads fill, all read: the barrier is outside of the guard.
TEST_F(PlaceBarriersTest, OneBehindAGuardThatFills) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              const Expr is_first = Binary(Op::kLess, t, IndexConstant(4));
              return Sequence(
                  {MakeStatement(If{is_first, Fill(s_, zero_, t), nullptr}), Use(s_, zero_, t)});
            }),
            "threadIdx.x i0 in 0..8\n  if i0 < 4\n    S[i0] = A[0, i0]\n  barrier\n"
            "  C[0, i0] = S[7 - i0]\n");
}

// Two copies that are read together need one barrier.
TEST_F(PlaceBarriersTest, OneForSeveralBuffers) {
  build_.program().buffers[r_].byte_offset = 32;
  EXPECT_EQ(Placed([&](const Expr& t) {
              return Sequence(
                  {Fill(s_, zero_, t), Fill(r_, one_, t), Use(s_, zero_, t), Use(r_, one_, t)});
            }),
            "threadIdx.x i0 in 0..8\n  S[i0] = A[0, i0]\n  R[i0] = A[1, i0]\n  barrier\n"
            "  C[0, i0] = S[7 - i0]\n  C[1, i0] = R[7 - i0]\n");
}

// R reuses the bytes of S while other threads may still read S.
TEST_F(PlaceBarriersTest, OneBeforeBytesAreUsedAgain) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return Sequence(
                  {Fill(s_, zero_, t), Use(s_, zero_, t), Fill(r_, one_, t), Use(r_, one_, t)});
            }),
            "threadIdx.x i0 in 0..8\n  S[i0] = A[0, i0]\n  barrier\n  C[0, i0] = S[7 - i0]\n"
            "  barrier\n  R[i0] = A[1, i0]\n  barrier\n  C[1, i0] = R[7 - i0]\n");
}

// Each thread sums in its own cell.
TEST_F(PlaceBarriersTest, NoneWithinWhatFillsABuffer) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              return build_.Serial(4, [&](const Expr& k) {
                return build_.Write(s_, {t}, build_.At(s_, {t}) + build_.At(a_, {k, t}));
              });
            }),
            "threadIdx.x i0 in 0..8\n  for i1 in 0..4\n    S[i0] = S[i0] + A[i1, i0]\n");
}

// Each thread reads only its own cell; if another axis has threads as well, they share it.
TEST_F(PlaceBarriersTest, NoneForCellsOfOnesOwn) {
  const auto own = [&](const Expr& t) {
    return build_.Serial(4, [&](const Expr& k) {
      return Sequence({Fill(s_, k, t), build_.Write(c_, {k, t}, build_.At(s_, {t}))});
    });
  };
  EXPECT_EQ(Placed(own),
            "threadIdx.x i0 in 0..8\n  for i1 in 0..4\n    S[i0] = A[i1, i0]\n"
            "    C[i1, i0] = S[i0]\n");
  const StatementPtr threads = build_.Loop(
      LoopKind::kThreadY, 2, [&](const Expr&) { return build_.Loop(LoopKind::kThreadX, 8, own); });
  const LoopProgram program = build_.Finish(build_.Alloc(s_, threads));
  EXPECT_EQ(CountBarriers(*PlaceBarriers(program, program.body)), 2);
}

TEST_F(PlaceBarriersTest, OneBeforeABranchThatReads) {
  EXPECT_EQ(Placed([&](const Expr& t) {
              const Expr is_first = Binary(Op::kLess, t, IndexConstant(4));
              return Sequence(
                  {Fill(s_, zero_, t), MakeStatement(If{is_first, Use(s_, zero_, t), nullptr})});
            }),
            "threadIdx.x i0 in 0..8\n  S[i0] = A[0, i0]\n  barrier\n  if i0 < 4\n"
            "    C[0, i0] = S[7 - i0]\n");
}

}  // namespace
}  // namespace schedulegym
