#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "env/program/expressions/half.h"
#include "tests/backends/llvm/differential.h"

namespace schedulegym {
namespace {

constexpr int64_t kCells = 37;

Expr Index(int64_t value) { return IndexConstant(value); }

// out[i] = operation(a[i], b[i]) over a vector loop.
template <typename Operation>
LoopProgram Elementwise(DType type, DType result, Operation operation) {
  LoopBuilder b;
  const int x = b.Input("x", type, {kCells});
  const int y = b.Input("y", type, {kCells});
  const int out = b.Output("out", result, {kCells});
  return b.Finish(b.Vector(
      kCells, [&](Expr i) { return b.Write(out, {i}, operation(b.At(x, {i}), b.At(y, {i}))); }));
}

class OfType : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, OfType,
                         testing::Values(DType::kF32, DType::kF64, DType::kI32, DType::kI8,
                                         DType::kF16, DType::kBF16),
                         [](const auto& info) { return std::string(DTypeName(info.param)); });

TEST_P(OfType, BinaryOperators) {
  for (const Op op : {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kFloorDivide, Op::kModulo,
                      Op::kMin, Op::kMax}) {
    if (IsFloating(GetParam()) && (op == Op::kFloorDivide || op == Op::kModulo)) continue;
    SCOPED_TRACE(OpName(op));
    ExpectAgrees(
        Elementwise(GetParam(), GetParam(), [&](Expr a, Expr b) { return Binary(op, a, b); }));
  }
}

// max or min of each pair of special values: as operands, with constants, in loops of vectors and
// in the result of a reduction.
TEST(Operators, ExtremesOfOneNumberAreTheNumber) {
  const std::vector<float> specials = {NAN, 1.5f, -2.0f, INFINITY, -INFINITY};
  const auto rows = static_cast<int64_t>(specials.size());
  for (const Op op : {Op::kMax, Op::kMin}) {
    const auto want = [op](float a, float b) {
      return op == Op::kMax ? std::fmax(a, b) : std::fmin(a, b);
    };
    LoopBuilder b;
    const int x = b.Input("x", DType::kF32, {rows});
    const int y = b.Input("y", DType::kF32, {kCells});
    const int out = b.Output("out", DType::kF32, {rows, kCells});
    const int first = b.Output("first", DType::kF32, {kCells});
    const int last = b.Output("last", DType::kF32, {kCells});
    const LoopProgram program = b.Finish(Sequence({
        b.Serial(rows,
                 [&](Expr i) {
                   return b.Vector(kCells, [&](Expr j) {
                     return b.Write(out, {i, j}, Binary(op, b.At(x, {i}), b.At(y, {j})));
                   });
                 }),
        b.Vector(kCells,
                 [&](Expr j) {
                   return b.Write(first, {j}, Binary(op, Constant(DType::kF32, 0), b.At(y, {j})));
                 }),
        b.Vector(kCells,
                 [&](Expr j) {
                   return b.Write(last, {j}, Binary(op, b.At(y, {j}), Constant(DType::kF32, 0)));
                 }),
    }));
    for (const auto& backend : LlvmBackends()) {
      for (const bool optimize : {true, false}) {
        std::vector<GuardedMemory> arguments = MakeArguments(program, 5, 100);
        float* y_values = arguments[1].as<float>();
        std::copy(specials.begin(), specials.end(), arguments[0].as<float>());
        for (int64_t j = 0; j < kCells; ++j) y_values[j] = specials[j % rows];
        ASSERT_TRUE(RunKernel(*backend->Compile(program, {optimize}).value(), arguments));
        for (int64_t j = 0; j < kCells; ++j) {
          SCOPED_TRACE(NameOf(*backend, optimize) + " " + OpName(op) + " " +
                       std::to_string(y_values[j]));
          for (int64_t i = 0; i < rows; ++i) {
            EXPECT_THAT(arguments[2].as<float>()[i * kCells + j],
                        testing::NanSensitiveFloatEq(want(specials[i], y_values[j])));
          }
          EXPECT_EQ(arguments[3].as<float>()[j], want(0, y_values[j]));
          EXPECT_EQ(arguments[4].as<float>()[j], want(y_values[j], 0));
        }
      }
    }
  }
}

// cell = op(cell, x[i]); some of the values are NaN, at every place.
TEST(Operators, ReductionsToAnExtremeLeaveNanOut) {
  for (const Op op : {Op::kMax, Op::kMin}) {
    const double identity = op == Op::kMax ? -INFINITY : INFINITY;
    LoopBuilder b;
    const int x = b.Input("x", DType::kF32, {kCells, kCells});
    const int out = b.Output("out", DType::kF32, {kCells});
    const LoopProgram program = b.Finish(Sequence({
        b.Vector(kCells,
                 [&](Expr j) { return b.Write(out, {j}, Constant(DType::kF32, identity)); }),
        b.Serial(kCells,
                 [&](Expr i) {
                   return b.Vector(kCells, [&](Expr j) {
                     return b.Write(out, {j}, Binary(op, b.At(out, {j}), b.At(x, {i, j})));
                   });
                 }),
    }));
    for (const auto& backend : LlvmBackends()) {
      std::vector<GuardedMemory> arguments = MakeArguments(program, 5, 100);
      float* values = arguments[0].as<float>();
      // Column j has NaN in row j and in the last row; the last column is all NaN.
      for (int64_t j = 0; j < kCells; ++j) {
        values[j * kCells + j] = values[(kCells - 1) * kCells + j] = NAN;
        values[j * kCells + kCells - 1] = NAN;
      }
      ASSERT_TRUE(RunKernel(*backend->Compile(program, {}).value(), arguments));
      for (int64_t j = 0; j < kCells; ++j) {
        double want = identity;
        for (int64_t i = 0; i < kCells; ++i) {
          const double value = values[i * kCells + j];
          want = op == Op::kMax ? std::fmax(want, value) : std::fmin(want, value);
        }
        EXPECT_EQ(arguments[1].as<float>()[j], want) << NameOf(*backend, true) << " column " << j;
      }
    }
  }
}

// Divisors of floats are powers of two, so that the quotient is exact.
TEST_P(OfType, DivisionByConstants) {
  for (const double divisor : {1.0, 2.0, 4.0, -8.0}) {
    for (const Op op : {Op::kDivide, Op::kFloorDivide, Op::kModulo}) {
      SCOPED_TRACE(std::string(OpName(op)) + " " + std::to_string(divisor));
      ExpectAgrees(Elementwise(GetParam(), GetParam(), [&](Expr a, Expr) {
        return Binary(op, a, Constant(GetParam(), divisor));
      }));
    }
  }
}

const std::vector<float> kDivisors{3.0f, -7.0f,    0.1f,   1e-30f, 1e30f, 1e-40f,
                                   0.0f, INFINITY, -1e38f, 1e38f,  49.0f, -1.0f};

// Rows of quotients by each divisor, which a row's lanes share, on all backends. They are rounded
// like division, subnormals included.
void ExpectQuotients(const LoopProgram& program) {
  for (const auto& backend : LlvmBackends()) {
    std::vector<GuardedMemory> arguments = MakeArguments(program, 5, 100);
    float* values = arguments[0].as<float>();
    values[0] = INFINITY;
    values[1] = -1e38f;
    values[2] = 1e-6f;
    for (int64_t j = 3; j < 20; ++j) values[j] *= 1.37f;
    std::copy(kDivisors.begin(), kDivisors.end(), arguments[1].as<float>());
    ASSERT_TRUE(RunKernel(*backend->Compile(program, {}).value(), arguments));
    for (size_t i = 0; i < kDivisors.size(); ++i) {
      for (int64_t j = 0; j < kCells; ++j) {
        const float want = values[j] / kDivisors[i];
        const float got = arguments[2].as<float>()[i * kCells + j];
        SCOPED_TRACE(std::to_string(values[j]) + " / " + std::to_string(kDivisors[i]));
        if (std::isnan(want)) {
          EXPECT_TRUE(std::isnan(got));
        } else {
          EXPECT_EQ(got, want);
        }
      }
    }
  }
}

TEST(Operators, SharedDivisors) {
  const int64_t rows = static_cast<int64_t>(kDivisors.size());
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {kCells});
  const int by = b.Input("by", DType::kF32, {rows});
  const int out = b.Output("out", DType::kF32, {rows, kCells});
  ExpectQuotients(b.Finish(b.Serial(rows, [&](Expr i) {
    return b.Vector(kCells, [&](Expr j) {
      return b.Write(out, {i, j}, Binary(Op::kDivide, b.At(x, {j}), b.At(by, {i})));
    });
  })));
}

TEST(Operators, ConstantDivisorsDivideExactly) {
  const int64_t rows = static_cast<int64_t>(kDivisors.size());
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {kCells});
  b.Input("by", DType::kF32, {rows});
  const int out = b.Output("out", DType::kF32, {rows, kCells});
  std::vector<StatementPtr> parts;
  for (int64_t i = 0; i < rows; ++i) {
    const Expr divisor = Constant(DType::kF32, kDivisors[i]);
    parts.push_back(b.Vector(kCells, [&](Expr j) {
      return b.Write(out, {Index(i), j}, Binary(Op::kDivide, b.At(x, {j}), divisor));
    }));
  }
  ExpectQuotients(b.Finish(Sequence(parts)));
}

TEST_P(OfType, UnaryOperators) {
  for (const Op op : {Op::kNegate, Op::kAbs, Op::kFloor}) {
    SCOPED_TRACE(OpName(op));
    ExpectAgrees(Elementwise(GetParam(), GetParam(), [&](Expr a, Expr) { return Unary(op, a); }));
  }
}

TEST_P(OfType, ComparisonsAndLogicChoose) {
  const DType type = GetParam();
  for (const Op op :
       {Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual, Op::kEqual, Op::kNotEqual}) {
    SCOPED_TRACE(OpName(op));
    ExpectAgrees(Elementwise(type, type, [&](Expr a, Expr b) {
      const Expr compared = Binary(op, a, b);
      const Expr positive = Binary(Op::kGreater, a, Constant(type, 0));
      const Expr both = Binary(Op::kAnd, compared, Unary(Op::kNot, positive));
      const Expr either = Binary(Op::kOr, both, Binary(Op::kEqual, b, Constant(type, 3)));
      return Select(either, Binary(Op::kAdd, a, b), Binary(Op::kSubtract, a, b));
    }));
  }
}

TEST_P(OfType, CastsToEveryType) {
  for (const DType to :
       {DType::kF32, DType::kF64, DType::kI32, DType::kI8, DType::kF16, DType::kBF16}) {
    SCOPED_TRACE(DTypeName(to));
    ExpectAgrees(Elementwise(GetParam(), to, [&](Expr a, Expr) { return Cast(to, a); }), 1, 100);
  }
}

// 1000 * 7 and the like overflow i8, and 2^31 overflows i32.
TEST(Operators, IntegersWrap) {
  ExpectAgrees(Elementwise(DType::kI8, DType::kI8,
                           [](Expr a, Expr b) {
                             return Binary(Op::kAdd,
                                           Binary(Op::kMultiply, Binary(Op::kMultiply, a, b), a),
                                           b);
                           }),
               3, 127);
  ExpectAgrees(Elementwise(DType::kI32, DType::kI32,
                           [](Expr a, Expr b) {
                             return Binary(Op::kMultiply, Binary(Op::kMultiply, a, b),
                                           Constant(DType::kI32, 123456789));
                           }),
               3, 1000);
}

// The least value over -1 and division by zero do not trap.
TEST(Operators, DivisionNeverTraps) {
  for (const Op op : {Op::kDivide, Op::kFloorDivide, Op::kModulo}) {
    SCOPED_TRACE(OpName(op));
    ExpectAgrees(Elementwise(DType::kI32, DType::kI32, [&](Expr a, Expr b) {
      const Expr least = Binary(Op::kSubtract, Constant(DType::kI32, -2147483648.0),
                                Binary(Op::kMultiply, a, Constant(DType::kI32, 0)));
      return Binary(op, least, Binary(Op::kMin, b, Constant(DType::kI32, 0)));
    }));
    ExpectAgrees(
        Elementwise(DType::kI8, DType::kI8, [&](Expr a, Expr b) { return Binary(op, a, b); }), 9,
        127);
  }
}

TEST(Operators, FloatsBeyondAnIntegersRangeSaturate) {
  for (const DType to : {DType::kI8, DType::kI32}) {
    ExpectAgrees(Elementwise(DType::kF32, to, [&](Expr a, Expr b) {
      const Expr huge = Binary(Op::kMultiply, a, Constant(DType::kF32, 1e9));
      return Cast(to, Binary(Op::kDivide, huge, b));
    }));
  }
}

TEST(Operators, SquareRootsAreExactOnSquares) {
  for (const DType type : {DType::kF32, DType::kF64}) {
    for (const Op op : {Op::kSqrt, Op::kRsqrt}) {
      ExpectAgrees(Elementwise(type, type, [&](Expr a, Expr) {
        const Expr power = Select(Binary(Op::kGreater, a, Constant(type, 0)), Constant(type, 0.25),
                                  Constant(type, 64));
        return Unary(op, power);
      }));
    }
  }
}

// Runs on all backends, with these bytes in the first argument.
template <typename T>
void ExpectAgreesOn(const LoopProgram& program, const std::vector<T>& values) {
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  std::copy(values.begin(), values.end(), arguments[0].as<T>());
  const auto want = RunOn(*MakeInterpreter(TargetOf("interpreter")), program, {}, arguments);
  ASSERT_TRUE(want) << want.error().message;
  for (const auto& backend : LlvmBackends()) {
    for (const bool optimize : {true, false}) {
      auto got = RunOn(*backend, program, {optimize}, arguments);
      ASSERT_TRUE(got) << got.error().message;
      ExpectEqualMemories(program, *got, *want, NameOf(*backend, optimize));
    }
  }
}

// Including subnormal numbers, infinities and NaN.
TEST(Operators, HalvesOfEveryPattern) {
  std::vector<uint16_t> patterns(65536);
  for (size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<uint16_t>(i);
  for (const DType type : {DType::kF16, DType::kBF16}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {256, 256});
    const int wide = b.Output("wide", DType::kF64, {256, 256});
    const int sum = b.Output("sum", type, {256, 256});
    const auto body = [&](Expr i, Expr j) {
      const Expr value = b.At(x, {i, j});
      return Sequence({b.Write(wide, {i, j}, Cast(DType::kF64, value)),
                       b.Write(sum, {i, j}, Binary(Op::kAdd, value, Constant(type, 0.1)))});
    };
    ExpectAgreesOn(
        b.Finish(b.Serial(
            256, [&](Expr i) { return b.Vector(256, [&](Expr j) { return body(i, j); }); })),
        patterns);
  }
}

// Middles between two halves and their neighbours in double precision.
TEST(Operators, DoublesRoundToHalvesOnce) {
  std::vector<double> values = {1e300, -1e300, 1e-320, HUGE_VAL, std::nan(""), -0.0, 65520, 0};
  for (uint32_t bits = 0; bits < 0x7c00; bits += 31) {
    for (const DType type : {DType::kF16, DType::kBF16}) {
      const double low = HalfToFloat(type, static_cast<uint16_t>(bits));
      const double middle = (low + HalfToFloat(type, static_cast<uint16_t>(bits + 1))) / 2;
      values.insert(values.end(),
                    {std::nextafter(middle, 0), -middle, std::nextafter(middle, HUGE_VAL)});
    }
  }
  LoopBuilder b;
  const auto count = static_cast<int64_t>(values.size());
  const int x = b.Input("x", DType::kF64, {count});
  const int half = b.Output("half", DType::kF16, {count});
  const int brain = b.Output("brain", DType::kBF16, {count});
  ExpectAgreesOn(
      b.Finish(b.Vector(count,
                        [&](Expr i) {
                          const Expr value = b.At(x, {i});
                          return Sequence({b.Write(half, {i}, Cast(DType::kF16, value)),
                                           b.Write(brain, {i}, Cast(DType::kBF16, value))});
                        })),
      values);
}

// The loop's variable as a value, scaled and shifted.
TEST(Operators, IndicesAsValues) {
  for (const DType type : {DType::kF32, DType::kF64, DType::kI32, DType::kI8}) {
    LoopBuilder b;
    const int out = b.Output("out", type, {3, kCells});
    ExpectAgrees(b.Finish(b.Serial(3, [&](Expr i) {
      return b.Vector(kCells, [&](Expr j) {
        const Expr odd = Binary(Op::kModulo, j * Index(3), Index(7));
        return b.Write(out, {i, j}, Cast(type, i * Index(5) - j + odd));
      });
    })));
  }
}

TEST(Operators, WhatCpusLackIsUnsupported) {
  const Backend& backend = *LlvmBackends()[0];
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  const auto grid = backend.Compile(
      b.Finish(b.Loop(LoopKind::kBlockX, 4,
                      [&](Expr i) { return b.Write(out, {i}, Constant(DType::kF32, 1)); })),
      {});
  ASSERT_FALSE(grid);
  EXPECT_EQ(
      grid.error().message,
      "loop kind blockIdx.x on the llvm target: expected serial, unrolled, vector or parallel");
}

}  // namespace
}  // namespace schedulegym
