#include "tests/backends/llvm/differential.h"
#include "tests/backends/llvm/generated_code.h"
#include "tests/support/count_of.h"

namespace schedulegym {
namespace {

using testing::Combine;
using testing::Values;

Expr Index(int64_t value) { return IndexConstant(value); }

// to[j, i] = from[i, j], with either loop outside.
LoopProgram Turned(DType type, int64_t rows, int64_t columns, LoopKind inner, bool rows_first) {
  LoopBuilder b;
  const int from = b.Input("from", type, {rows, columns});
  const int to = b.Output("to", type, {columns, rows});
  const auto copy = [&](Expr i, Expr j) { return b.Write(to, {j, i}, b.At(from, {i, j})); };
  if (rows_first) {
    return b.Finish(b.Serial(
        rows, [&](Expr i) { return b.Loop(inner, columns, [&](Expr j) { return copy(i, j); }); }));
  }
  return b.Finish(b.Serial(
      columns, [&](Expr j) { return b.Loop(inner, rows, [&](Expr i) { return copy(i, j); }); }));
}

class OfShape : public testing::TestWithParam<std::tuple<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, OfShape,
                         Combine(Values(3, 4, 16, 24, 32), Values(1, 4, 8, 30, 48)));

TEST_P(OfShape, MatricesAreTurnedWhicheverLoopIsOutside) {
  const auto [rows, columns] = GetParam();
  for (const DType type : {DType::kF32, DType::kF64, DType::kI8}) {
    for (const LoopKind inner : {LoopKind::kSerial, LoopKind::kVector, LoopKind::kUnrolled}) {
      ExpectAgrees(Turned(type, rows, columns, inner, true));
      ExpectAgrees(Turned(type, rows, columns, inner, false));
    }
  }
}

// Panels like those of packing: [n.0, k, n.1] of a slice of [n, h, k], from several loops and an
// origin that is not the first element.
TEST_P(OfShape, PanelsOfASlice) {
  const auto [width, depth] = GetParam();
  LoopBuilder b;
  const int from = b.Input("from", DType::kF32, {3 * width, 2, depth + 5});
  const int to = b.Output("to", DType::kF32, {3, depth, width});
  ExpectAgrees(b.Finish(b.Parallel(3, [&, width = width, depth = depth](Expr panel) {
    return b.Loop(
        LoopKind::kSerial, depth,
        [&](Expr k) {
          return b.Unrolled(width, [&](Expr n) {
            return b.Write(to, {panel, k - Index(2), n},
                           b.At(from, {panel * Index(width) + n, Index(1), k + Index(3)}));
          });
        },
        /*begin=*/2);
  })));
}

// Cells stored twice keep the last value; backward reads are not contiguous.
TEST_P(OfShape, OtherCopiesStayAsTheyStand) {
  const auto [rows, columns] = GetParam();
  LoopBuilder b;
  const int from = b.Input("from", DType::kF32, {rows, columns});
  const int overlapping = b.Output("overlapping", DType::kF32, {2 * (columns - 1) + rows});
  const int backwards = b.Output("backwards", DType::kF32, {columns, rows});
  const int converted = b.Output("converted", DType::kI32, {columns, rows});
  const auto over_all = [&, rows = rows, columns = columns](const auto& cell) {
    return b.Serial(columns,
                    [&](Expr j) { return b.Serial(rows, [&](Expr i) { return cell(i, j); }); });
  };
  ExpectAgrees(b.Finish(
      Sequence({over_all([&](Expr i, Expr j) {
                  return b.Write(overlapping, {j * Index(2) + i}, b.At(from, {i, j}));
                }),
                over_all([&, columns = columns](Expr i, Expr j) {
                  return b.Write(backwards, {j, i}, b.At(from, {i, Index(columns - 1) - j}));
                }),
                over_all([&](Expr i, Expr j) {
                  return b.Write(converted, {j, i}, Cast(DType::kI32, b.At(from, {i, j})));
                })})));
}

// In tiles of eight by eight: eight loads, three exchanges of eight each, eight stores.
TEST(TransposeTest, TilesOfRegisters) {
  const std::string text =
      GeneratedIr("llvm(cores=1,vector_bits=256,vector_registers=16)",
                  "input A[64, 32]\nT[i:32, j:64] = A[j, i]\n", "vectorize(stage=T, loop=1)\n");
  EXPECT_EQ(CountOf("load <8 x float>", text), 8) << text;
  EXPECT_EQ(CountOf("shufflevector <8 x float>", text), 24);
  EXPECT_EQ(CountOf("store <8 x float>", text), 8);
  EXPECT_EQ(CountOf("gather", text), 0);
  EXPECT_EQ(CountOf("load float", text), 0);
}

TEST(TransposeTest, WhatIsSharedAmongCoresStaysShared) {
  const std::string text =
      GeneratedIr("llvm(cores=2,vector_bits=256,vector_registers=16)",
                  "input A[64, 32]\nT[i:32, j:64] = A[j, i]\n", "parallel(stage=T, loop=1)\n");
  EXPECT_EQ(CountOf("shufflevector", text), 0) << text;
}

}  // namespace
}  // namespace schedulegym
