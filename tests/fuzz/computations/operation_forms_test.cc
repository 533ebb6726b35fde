#include "tests/fuzz/computations/operation_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(OperationFormsTest, TellsVectorsFromWhatTheyShare) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {8});
  const int y = b.Input("y", DType::kI8, {3});
  const int out = b.Output("out", DType::kF32, {3, 8});
  const LoopProgram program = b.Finish(b.Serial(3, [&](Expr i) {
    return b.Vector(8, [&](Expr j) {
      const Expr divisor = Unary(Op::kExp, Cast(DType::kF32, b.At(y, {i})));
      return b.Write(out, {i, j}, Binary(Op::kDivide, b.At(x, {j}), divisor));
    });
  }));
  EXPECT_THAT(OperationFormsOf(program),
              UnorderedElementsAre(OperationForm{"from i8", DType::kF32, false},
                                   OperationForm{"exp", DType::kF32, false},
                                   OperationForm{"/", DType::kF32, true}));
}

TEST(OperationFormsTest, IndicesDoNotCountConditionsOfDataDo) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kI32, {8});
  const int out = b.Output("out", DType::kI32, {4});
  const LoopProgram program = b.Finish(b.Serial(4, [&](Expr i) {
    const Expr read = b.At(x, {i * IndexConstant(2)});
    return b.Write(
        out, {i},
        Select(Binary(Op::kLess, read, Constant(DType::kI32, 3)), Unary(Op::kNegate, read), read));
  }));
  EXPECT_THAT(OperationFormsOf(program),
              UnorderedElementsAre(OperationForm{"<", DType::kI32, false},
                                   OperationForm{"negate", DType::kI32, false},
                                   OperationForm{"select", DType::kI32, false}));
}

TEST(OperationFormsTest, TheTableHasARowForEachOperation) {
  const std::string table = OperationTable({{OperationForm{"pow", DType::kF64, true}, 42}});
  EXPECT_THAT(table, HasSubstr("f64 vector"));
  EXPECT_THAT(table, HasSubstr(" 42"));
  EXPECT_THAT(table, HasSubstr("sigmoid"));
}

}  // namespace
}  // namespace schedulegym
