#include "backends/llvm/program_facts.h"

#include <gtest/gtest.h>

#include <bit>

namespace schedulegym {
namespace {

std::vector<int> Widths(const VectorPlan& plan) {
  std::vector<int> widths;
  for (const VectorPiece& piece : plan.pieces) widths.push_back(piece.width);
  return widths;
}

TEST(VectorPlan, RemaindersTakeOneMaskedPiece) {
  EXPECT_EQ(Widths(PlanVector(40, 16, true, 16)), (std::vector<int>{16, 16, 8}));
  const VectorPlan plan = PlanVector(35, 16, true, 16);
  EXPECT_EQ(Widths(plan), (std::vector<int>{16, 16, 4}));
  EXPECT_EQ(plan.pieces[2].active, 3);
  EXPECT_EQ(plan.pieces[2].offset, 32);
  EXPECT_EQ(Widths(PlanVector(1, 16, true, 16)), (std::vector<int>{1}));
}

TEST(VectorPlan, WithoutMasksRemaindersAreCut) {
  EXPECT_EQ(Widths(PlanVector(23, 8, false, 16)), (std::vector<int>{8, 8, 4, 2, 1}));
}

TEST(VectorPlan, ManyPiecesRepeat) {
  const VectorPlan plan = PlanVector(16 * 20 + 3, 16, true, 16);
  EXPECT_EQ(plan.repeats, 20);
  EXPECT_EQ(Widths(plan), (std::vector<int>{4}));
  EXPECT_EQ(plan.pieces[0].offset, 320);
}

// Every lane is in exactly one piece, and widths are powers of two within the hardware's.
TEST(VectorPlan, CoversEveryLaneOnce) {
  for (const bool masks : {false, true}) {
    for (int lanes = 1; lanes <= 64; lanes *= 2) {
      for (int64_t extent = 1; extent <= 300; ++extent) {
        const VectorPlan plan = PlanVector(extent, lanes, masks, 3);
        int64_t next = plan.repeats * lanes;
        for (const VectorPiece& piece : plan.pieces) {
          ASSERT_EQ(piece.offset, next);
          ASSERT_TRUE(std::has_single_bit(static_cast<unsigned>(piece.width)));
          ASSERT_LE(piece.width, lanes);
          ASSERT_LE(piece.active, piece.width);
          ASSERT_TRUE(masks || piece.active == piece.width);
          next += piece.active;
        }
        ASSERT_EQ(next, extent);
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
