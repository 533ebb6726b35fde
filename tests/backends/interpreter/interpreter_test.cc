#include "backends/interpreter/interpreter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/loop_builder.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

Expr Index(int64_t value) { return IndexConstant(value); }
Expr Number(double value) { return Constant(DType::kF32, value); }

// The message of the run's error; empty if there is none.
std::string RunMessage(const LoopProgram& program) {
  const auto backend = MakeInterpreter(TargetOf("interpreter"));
  const auto run = RunOn(*backend, program, {}, MakeArguments(program, 1));
  if (run) return "";
  EXPECT_EQ(run.error().kind, ErrorKind::kRun);
  return run.error().message;
}

std::vector<GuardedMemory> Outcome(const LoopProgram& program, uint64_t seed = 1) {
  const auto backend = MakeInterpreter(TargetOf("interpreter"));
  return RunOn(*backend, program, {}, MakeArguments(program, seed)).value();
}

TEST(Interpreter, MultipliesMatrices) {
  constexpr int64_t kSize = 4;
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {kSize, kSize});
  const int y = b.Input("y", DType::kF32, {kSize, kSize});
  const int out = b.Output("out", DType::kF32, {kSize, kSize});
  auto result = Outcome(b.Finish(b.Serial(kSize, [&](Expr i) {
    return b.Serial(kSize, [&](Expr j) {
      return Sequence(
          {b.Write(out, {i, j}, Number(0)), b.Serial(kSize, [&](Expr k) {
             const Expr product = Binary(Op::kMultiply, b.At(x, {i, k}), b.At(y, {k, j}));
             return b.Write(out, {i, j}, Binary(Op::kAdd, b.At(out, {i, j}), product));
           })});
    });
  })));
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < kSize; ++k) {
        sum += result[0].as<float>()[i * kSize + k] * result[1].as<float>()[k * kSize + j];
      }
      EXPECT_EQ(result[2].as<float>()[i * kSize + j], sum);
    }
  }
}

TEST(Interpreter, LanesOfAStoreHappenAtOnce) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kI32, {5});
  const auto shifted =
      b.Vector(4, [&](Expr j) { return b.Write(out, {j + Index(1)}, b.At(out, {j})); });
  auto result = Outcome(b.Finish(Sequence(
      {b.Vector(5, [&](Expr j) { return b.Write(out, {j}, Cast(DType::kI32, j)); }), shifted})));
  const std::vector<int32_t> want{0, 0, 1, 2, 3};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(result[0].as<int32_t>()[i], want[i]);
}

TEST(Interpreter, LetsAndIfsInVectorLoops) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kI32, {6});
  auto result = Outcome(b.Finish(b.Vector(6, [&](Expr j) {
    return b.Bind(j * Index(10), {0, 50}, [&](Expr ten) {
      return MakeStatement(If{Binary(Op::kLess, ten, Index(30)),
                              b.Write(out, {j}, Cast(DType::kI32, ten)),
                              b.Write(out, {j}, Constant(DType::kI32, -1))});
    });
  })));
  const std::vector<int32_t> want{0, 10, 20, -1, -1, -1};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(result[0].as<int32_t>()[i], want[i]);
}

TEST(Interpreter, StridedBuffersLieWhereTheyShould) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kI8, {2, 3});
  const int out = b.Output("out", DType::kI8, {3, 2});
  b.program().buffers[out].strides = {1, 3};  // the transpose, column after column
  auto result = Outcome(b.Finish(b.Serial(2, [&](Expr i) {
    return b.Serial(3, [&](Expr j) { return b.Write(out, {j, i}, b.At(x, {i, j})); });
  })));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(result[1].as<int8_t>()[i], result[0].as<int8_t>()[i]);
}

TEST(Interpreter, HalvesRoundToNearestEven) {
  for (const DType type : {DType::kF16, DType::kBF16}) {
    LoopBuilder b;
    const int x = b.Input("x", DType::kF32, {4});
    const int out = b.Output("out", type, {4});
    const int back = b.Output("back", DType::kF32, {4});
    const auto backend = MakeInterpreter(TargetOf("interpreter"));
    const LoopProgram program = b.Finish(b.Serial(4, [&](Expr i) {
      return Sequence({b.Write(out, {i}, Cast(type, b.At(x, {i}))),
                       b.Write(back, {i}, Cast(DType::kF32, b.At(out, {i})))});
    }));
    std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
    // 1 + 3 * 2^-12 lies between two halves of f16, 1 + 3 * 2^-9 between two of bf16.
    const float between = type == DType::kF16 ? 1.000732421875f : 1.005859375f;
    const float values[4] = {-2.5f, between, 0x1p-24f, 1e30f};
    std::copy(values, values + 4, arguments[0].as<float>());
    const auto result = RunOn(*backend, program, {}, arguments).value();
    const bool is_half = type == DType::kF16;
    const float want[4] = {-2.5f, is_half ? 1.0009765625f : 1.0078125f, 0x1p-24f,
                           is_half ? HUGE_VALF : 0x1.94p+99f};
    const uint16_t first = is_half ? 0xc100 : 0xc020;
    EXPECT_EQ(std::memcmp(result[1].data(), &first, 2), 0);
    EXPECT_EQ(std::memcmp(result[2].data(), want, sizeof want), 0) << DTypeName(type);
  }
}

TEST(Interpreter, ReportsAccessesOutOfBounds) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {4, 3});
  const int out = b.Output("out", DType::kF32, {4});
  EXPECT_EQ(
      RunMessage(b.Finish(b.Serial(4,
                                   [&](Expr i) {
                                     return b.Write(out, {i}, b.At(x, {i - Index(1), Index(0)}));
                                   }))),
      "access out of bounds: x[-1, 0], expected indices within [4, 3]");
  EXPECT_EQ(RunMessage(b.Finish(b.Serial(5, [&](Expr i) { return b.Write(out, {i}, Number(1)); }))),
            "access out of bounds: out[4], expected indices within [4]");
}

// The index is inside the memory, but in the next row.
TEST(Interpreter, ReportsIndicesBeyondARow) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {4, 3});
  const int out = b.Output("out", DType::kF32, {4});
  EXPECT_EQ(RunMessage(b.Finish(b.Serial(4,
                                         [&](Expr i) {
                                           return b.Write(out, {i}, b.At(x, {Index(0), i}));
                                         }))),
            "access out of bounds: x[0, 3], expected indices within [4, 3]");
}

TEST(Interpreter, TheSideNotChosenIsNotRead) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {4});
  const int out = b.Output("out", DType::kF32, {6});
  EXPECT_EQ(RunMessage(b.Finish(b.Serial(6,
                                         [&](Expr i) {
                                           const Expr inside = Binary(Op::kLess, i, Index(4));
                                           const Expr both =
                                               Binary(Op::kAnd, inside,
                                                      Binary(Op::kLess, b.At(x, {i}), Number(0)));
                                           return b.Write(out, {i},
                                                          Select(both, b.At(x, {i}), Number(0)));
                                         }))),
            "");
}

TEST(Interpreter, ReportsReadsOfUnwrittenCells) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  const int row = b.Temporary("row", DType::kF32, {4}, MemoryScope::kLocal);
  const auto fill = [&](int64_t count) {
    return b.Serial(count, [&](Expr i) { return b.Write(row, {i}, Number(1)); });
  };
  const auto copy = [&] {
    return b.Serial(4, [&](Expr i) { return b.Write(out, {i}, b.At(row, {i})); });
  };
  EXPECT_EQ(RunMessage(b.Finish(b.Alloc(row, Sequence({fill(4), copy()})))), "");
  EXPECT_EQ(RunMessage(b.Finish(b.Alloc(row, Sequence({fill(3), copy()})))),
            "read of row[3], which nothing wrote");
  // Each execution of the allocation starts with unwritten cells.
  EXPECT_EQ(
      RunMessage(b.Finish(b.Serial(
          2,
          [&](Expr i) {
            const Expr first = Binary(Op::kEqual, i, Index(0));
            return b.Alloc(row, Sequence({MakeStatement(If{first, fill(4), nullptr}), copy()}));
          }))),
      "read of row[0], which nothing wrote");
  EXPECT_EQ(
      RunMessage(b.Finish(b.Serial(
          4,
          [&](Expr i) { return b.Write(out, {i}, Binary(Op::kAdd, b.At(out, {i}), Number(1))); }))),
      "read of out[0], which nothing wrote");
}

TEST(Interpreter, ReportsOutputsLeftUnwritten) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {3, 4});
  EXPECT_EQ(RunMessage(b.Finish(b.Serial(3,
                                         [&](Expr i) {
                                           return b.Serial(4, [&](Expr j) {
                                             const Expr last =
                                                 Binary(Op::kEqual, i * Index(4) + j, Index(10));
                                             return MakeStatement(
                                                 If{Unary(Op::kNot, last),
                                                    b.Write(out, {i, j}, Number(1)), nullptr});
                                           });
                                         }))),
            "output out[2, 2] is never written");
}

TEST(Interpreter, ReportsStoresToInputs) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {3});
  EXPECT_EQ(RunMessage(b.Finish(b.Write(x, {Index(2)}, Number(1)))),
            "store to x[2], which is an input");
}

TEST(Interpreter, ReportsRacesOfWrites) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  EXPECT_EQ(
      RunMessage(b.Finish(b.Parallel(
          5, [&](Expr i) { return b.Write(out, {Binary(Op::kModulo, i, Index(4))}, Number(1)); }))),
      "race on out[0]: iteration 4 of a parallel loop writes what iteration 0 wrote");
}

TEST(Interpreter, ReportsRacesBetweenReadsAndWrites) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  const auto fill = b.Serial(4, [&](Expr i) { return b.Write(out, {i}, Number(1)); });
  EXPECT_EQ(
      RunMessage(b.Finish(Sequence(
          {fill,
           b.Parallel(3, [&](Expr i) { return b.Write(out, {i + Index(1)}, b.At(out, {i})); })}))),
      "race on out[1]: iteration 1 of a parallel loop reads what iteration 0 wrote");
  EXPECT_EQ(
      RunMessage(b.Finish(Sequence(
          {fill,
           b.Parallel(3, [&](Expr i) { return b.Write(out, {i}, b.At(out, {i + Index(1)})); })}))),
      "race on out[1]: iteration 1 of a parallel loop writes what iteration 0 read");
  EXPECT_EQ(RunMessage(b.Finish(
                Sequence({fill, b.Parallel(3,
                                           [&](Expr i) {
                                             const Expr is_last = Binary(Op::kEqual, i, Index(2));
                                             return b.Write(out, {Select(is_last, Index(3), i)},
                                                            b.At(out, {Index(3)}));
                                           })}))),
            "race on out[3]: iteration 2 of a parallel loop writes what others read");
}

// No race: a temporary of each iteration, reads alone, the same cells in two loops. A race: cells
// that two iterations of the inner of two nested loops share.
TEST(Interpreter, KnowsWhatIsNoRace) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {1});
  const int out = b.Output("out", DType::kF32, {4});
  const int mine = b.Temporary("mine", DType::kF32, {1}, MemoryScope::kGlobal);
  const auto loop = [&] {
    return b.Parallel(4, [&](Expr i) {
      return b.Alloc(mine, Sequence({b.Write(mine, {Index(0)}, b.At(x, {Index(0)})),
                                     b.Write(out, {i}, b.At(mine, {Index(0)}))}));
    });
  };
  EXPECT_EQ(RunMessage(b.Finish(Sequence({loop(), loop()}))), "");
  EXPECT_EQ(RunMessage(b.Finish(b.Parallel(4,
                                           [&](Expr i) {
                                             return b.Parallel(2, [&](Expr) {
                                               return b.Write(out, {i}, Number(1));
                                             });
                                           }))),
            "race on out[0]: iteration 1 of a parallel loop writes what iteration 0 wrote");
  EXPECT_EQ(RunMessage(b.Finish(b.Parallel(2,
                                           [&](Expr) {
                                             return b.Alloc(mine, b.Parallel(2, [&](Expr) {
                                               return b.Write(mine, {Index(0)}, Number(1));
                                             }));
                                           }))),
            "race on mine[0]: iteration 1 of a parallel loop writes what iteration 0 wrote");
}

TEST(Interpreter, PacksWeights) {
  LoopBuilder pack;
  const int plain = pack.Input("w", DType::kI32, {3});
  const int packed = pack.Output("packed", DType::kI32, {3});
  auto packing = std::make_shared<LoopProgram>(pack.Finish(pack.Serial(
      3, [&](Expr i) { return pack.Write(packed, {Index(2) - i}, pack.At(plain, {i})); })));
  LoopBuilder b;
  const int w = b.Input("w", DType::kI32, {3});
  const int out = b.Output("out", DType::kI32, {3});
  b.program().packs.push_back({0, packing});
  const auto kernel =
      MakeInterpreter(TargetOf("interpreter"))
          ->Compile(b.Finish(b.Serial(3, [&](Expr i) { return b.Write(out, {i}, b.At(w, {i})); })),
                    {})
          .value();
  const int32_t weight[3] = {1, 2, 3};
  int32_t memory[3] = {}, result[3] = {};
  ASSERT_TRUE(kernel->Pack(0, weight, memory));
  void* arguments[] = {memory, result};
  ASSERT_TRUE(kernel->Run(arguments));
  EXPECT_EQ(result[0], 3);
  EXPECT_EQ(result[2], 1);
}

TEST(Interpreter, MakesNoCode) {
  const auto backend = MakeInterpreter(TargetOf("interpreter"));
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  const LoopProgram program =
      b.Finish(b.Loop(LoopKind::kSerial, 4, [&](Expr i) { return b.Write(out, {i}, Number(1)); }));
  const auto code = backend->Translate(program, CodeForm::kIr, {});
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().kind, ErrorKind::kUnsupported);
  EXPECT_FALSE(backend->Load("", 0).ok());
}

TEST(Interpreter, RefusesWhatItCannotRun) {
  const auto backend = MakeInterpreter(TargetOf("interpreter"));
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {4});
  const auto store = [&](Expr i) { return b.Write(out, {i}, Number(1)); };
  const auto grid = backend->Compile(b.Finish(b.Loop(LoopKind::kThreadX, 4, store)), {});
  ASSERT_FALSE(grid);
  EXPECT_EQ(grid.error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(
      grid.error().message,
      "loop kind threadIdx.x on the interpreter: expected serial, unrolled, vector or parallel");
  b.program().parameters[0].bytes = 12;
  const auto small = backend->Compile(b.Finish(b.Serial(4, store)), {});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().kind, ErrorKind::kCompile);
  EXPECT_EQ(small.error().message, "buffer out ends at byte 16 of parameter out, which has 12");
}

}  // namespace
}  // namespace schedulegym
