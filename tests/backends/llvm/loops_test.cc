#include <thread>

#include "tests/backends/llvm/differential.h"

namespace schedulegym {
namespace {

Expr Index(int64_t value) { return IndexConstant(value); }
Expr Plus(Expr a, Expr b) { return Binary(Op::kAdd, a, b); }
Expr Times(Expr a, Expr b) { return Binary(Op::kMultiply, a, b); }

class OfLength : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Lengths, OfLength, testing::Range(1, 41));

TEST_P(OfLength, VectorsHaveExactlyTheirLanes) {
  for (const DType type : {DType::kF32, DType::kF64, DType::kI32, DType::kI8}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {3, GetParam()});
    const int out = b.Output("out", type, {3, GetParam()});
    ExpectAgrees(b.Finish(b.Serial(3, [&](Expr i) {
      return b.Vector(GetParam(), [&](Expr j) {
        return b.Write(
            out, {i, j},
            Plus(Times(b.At(x, {i, j}), b.At(x, {i, Index(0)})), b.At(x, {Index(2) - i, j})));
      });
    })));
  }
}

TEST_P(OfLength, LanesAtEveryStride) {
  const int64_t n = GetParam();
  LoopBuilder b;
  std::vector<StatementPtr> parts;
  for (const int64_t stride : {-5, -3, -2, -1, 2, 3, 4, 7}) {
    const int64_t span = (n - 1) * std::abs(stride) + 1;
    const int64_t base = stride < 0 ? span - 1 : 0;
    const int x = b.Input("x", DType::kF32, {span});
    const int small = b.Input("small", DType::kI8, {span});
    const int out = b.Output("out", DType::kF32, {n});
    const int spread = b.Output("spread", DType::kI32, {n, 2});
    parts.push_back(b.Vector(n, [&](Expr j) {
      const Expr at = Index(base) + j * Index(stride);
      return Sequence(
          {b.Write(out, {j}, b.At(x, {at})),
           b.Write(spread, {Index(n - 1) - j, Index(0)}, Cast(DType::kI32, b.At(small, {at}))),
           b.Write(spread, {j, Index(1)}, Cast(DType::kI32, j))});
    }));
  }
  ExpectAgrees(b.Finish(Sequence(parts)));
}

TEST_P(OfLength, LanesAtIndicesThatAreNotLinear) {
  const int64_t n = GetParam();
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {n, n});
  const int out = b.Output("out", DType::kF32, {5, n});
  const int turned = b.Output("turned", DType::kF32, {n});
  ExpectAgrees(b.Finish(Sequence(
      {b.Serial(5,
                [&](Expr i) {
                  return b.Vector(n, [&](Expr j) {
                    const Expr mixed = j * Index(3) + i;
                    return b.Write(out, {i, j},
                                   b.At(x, {Binary(Op::kModulo, mixed, Index(n)),
                                            Binary(Op::kFloorDivide, mixed, Index(8)) -
                                                Binary(Op::kFloorDivide, mixed, Index(8))}));
                  });
                }),
       b.Vector(n, [&](Expr j) {
         const Expr half = Binary(Op::kFloorDivide, Index(n) + Index(1), Index(2));
         const Expr even = j * Index(2);
         const Expr place =
             Select(Binary(Op::kLess, even, Index(n)), even, even - half * Index(2) + Index(1));
         return b.Write(turned, {place}, b.At(x, {Index(0), j}));
       })})));
}

// A lane may read a cell that another lane stores: all reads come first.
TEST_P(OfLength, LanesOfAStoreHappenAtOnce) {
  const int64_t n = GetParam();
  LoopBuilder b;
  const int x = b.Input("x", DType::kI32, {n + 1});
  const int out = b.Output("out", DType::kI32, {n + 1});
  ExpectAgrees(b.Finish(Sequence({
      b.Vector(n + 1, [&](Expr j) { return b.Write(out, {j}, b.At(x, {j})); }),
      b.Vector(n,
               [&](Expr j) {
                 return b.Write(out, {j + Index(1)},
                                Plus(b.At(out, {j}), b.At(out, {Index(n) - j})));
               }),
  })));
}

// Statements of a vector loop run one after the other, each over all lanes.
TEST_P(OfLength, StatementsOfAVectorLoopFollowEachOther) {
  const int64_t n = GetParam();
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {n});
  const int first = b.Output("first", DType::kF32, {n});
  const int second = b.Output("second", DType::kF32, {n});
  ExpectAgrees(b.Finish(b.Vector(n, [&](Expr j) {
    return Sequence({b.Write(first, {j}, Times(b.At(x, {j}), Constant(DType::kF32, 2))),
                     b.Write(second, {j}, b.At(first, {Index(n - 1) - j}))});
  })));
}

// Accumulators over a reduction; the tile's row is `n` wide, of registers for every n.
TEST_P(OfLength, LocalBuffersAccumulate) {
  const int64_t n = GetParam(), rows = 3, depth = 11;
  for (const DType type : {DType::kF32, DType::kI32, DType::kI8, DType::kF64}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {rows, depth});
    const int y = b.Input("y", type, {depth, n});
    const int out = b.Output("out", type, {rows, n});
    const int sums = b.Temporary("sums", type, {rows, n}, MemoryScope::kLocal);
    const auto tile = [&](const std::function<StatementPtr(Expr, Expr)>& cell) {
      return b.Unrolled(rows,
                        [&](Expr i) { return b.Vector(n, [&](Expr j) { return cell(i, j); }); });
    };
    ExpectAgrees(b.Finish(b.Alloc(
        sums, Sequence({tile([&](Expr i, Expr j) {
                          return b.Write(sums, {i, j}, Constant(type, 0));
                        }),
                        b.Serial(depth,
                                 [&](Expr k) {
                                   return tile([&](Expr i, Expr j) {
                                     return b.Write(sums, {i, j},
                                                    Plus(b.At(sums, {i, j}),
                                                         Times(b.At(x, {i, k}), b.At(y, {k, j}))));
                                   });
                                 }),
                        tile([&](Expr i, Expr j) {
                          return b.Write(out, {i, j}, b.At(sums, {i, j}));
                        })}))));
  }
}

// A row of a wider buffer is written in part; the rest keeps its values.
TEST_P(OfLength, PartsOfLocalRowsKeepTheRest) {
  const int64_t n = GetParam(), wide = 48;
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {wide});
  const int out = b.Output("out", DType::kF32, {wide});
  const int row = b.Temporary("row", DType::kF32, {wide}, MemoryScope::kLocal);
  ExpectAgrees(b.Finish(b.Alloc(
      row, Sequence({b.Vector(wide, [&](Expr j) { return b.Write(row, {j}, b.At(x, {j})); }),
                     b.Vector(n,
                              [&](Expr j) {
                                return b.Write(row, {j + Index(3)},
                                               Plus(b.At(row, {j + Index(3)}), b.At(x, {j})));
                              }),
                     b.Vector(wide, [&](Expr j) { return b.Write(out, {j}, b.At(row, {j})); })}))));
}

// The elements of a register are combined into one cell.
TEST_P(OfLength, RegistersReduceToOneCell) {
  const int64_t n = GetParam();
  for (const LoopKind kind : {LoopKind::kUnrolled, LoopKind::kSerial}) {
    LoopBuilder b;
    std::vector<StatementPtr> parts;
    for (const DType type : {DType::kF32, DType::kI32, DType::kI8, DType::kF64}) {
      const int x = b.Input("x", type, {2, n + 1});
      const int out = b.Output("out", type, {4});
      const int row = b.Temporary("row", type, {2, n + 1}, MemoryScope::kLocal);
      int64_t cell = 0;
      std::vector<StatementPtr> steps{b.Unrolled(2, [&](Expr i) {
        return b.Vector(n + 1, [&](Expr j) { return b.Write(row, {i, j}, b.At(x, {i, j})); });
      })};
      for (const Op op : {Op::kAdd, Op::kMax, Op::kMin, Op::kMultiply}) {
        if (op == Op::kMultiply && IsFloating(type)) continue;
        const Expr at = Index(cell++);
        steps.push_back(b.Write(out, {at}, Constant(type, 1)));
        steps.push_back(b.Loop(
            kind, n,
            [&](Expr j) {
              return b.Write(out, {at}, Binary(op, b.At(out, {at}), b.At(row, {Index(1), j})));
            },
            n % 2));
      }
      if (cell < 4) steps.push_back(b.Write(out, {Index(3)}, Constant(type, 0)));
      parts.push_back(b.Alloc(row, Sequence(steps)));
    }
    ExpectAgrees(b.Finish(Sequence(parts)));
  }
}

// Stores of the next rows' beginnings come first; idle lanes at the ends of rows must not hit them.
TEST_P(OfLength, EndsOfRowsLeaveTheNextRowAlone) {
  const int64_t n = GetParam(), end = 5, rows = 3;
  for (const DType type : {DType::kF32, DType::kF64, DType::kI32, DType::kI8}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {rows, n + end});
    const int out = b.Output("out", type, {rows, n + end});
    const int kept = b.Temporary("kept", type, {rows, n + end}, MemoryScope::kLocal);
    const auto copy = [&](int from, int to, int64_t begin, int64_t width) {
      return b.Unrolled(rows, [&](Expr i) {
        return b.Vector(width, [&](Expr j) {
          return b.Write(to, {i, Index(begin) + j}, b.At(from, {i, Index(begin) + j}));
        });
      });
    };
    ExpectAgrees(b.Finish(b.Alloc(kept, Sequence({copy(x, kept, 0, n), copy(x, kept, n, end),
                                                  copy(kept, out, 0, n + end)}))));
  }
}

// A read on the other side of the select would be out of bounds.
TEST_P(OfLength, SelectsByLaneReadOnlyTheChosenSide) {
  const int64_t n = GetParam(), pad = 3;
  for (const DType type : {DType::kF32, DType::kI8, DType::kF64}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {4, n});
    const int out = b.Output("out", type, {4, n + 2 * pad});
    const int other = b.Output("other", type, {4, n + 2 * pad});
    ExpectAgrees(b.Finish(b.Serial(4, [&](Expr i) {
      return b.Vector(n + 2 * pad, [&](Expr j) {
        const Expr inside = Binary(Op::kAnd, Binary(Op::kGreaterEqual, j, Index(pad)),
                                   Binary(Op::kLess, j, Index(n + pad)));
        const Expr read = b.At(x, {i, j - Index(pad)});
        const Expr mirrored = b.At(x, {i, Index(n + pad - 1) - j});
        return Sequence({b.Write(out, {i, j}, Select(inside, read, Constant(type, 0))),
                         b.Write(other, {i, j},
                                 Select(Unary(Op::kNot, inside), Constant(type, 5),
                                        Plus(mirrored, b.At(x, {i, Index(0)}))))});
      });
    })));
  }
}

TEST_P(OfLength, IfsByLaneStoreOnlyWhereTheyHold) {
  const int64_t n = GetParam();
  for (const DType type : {DType::kF32, DType::kI8}) {
    LoopBuilder b;
    const int x = b.Input("x", type, {n});
    const int out = b.Output("out", type, {n});
    const int spread = b.Output("spread", type, {n, 2});
    ExpectAgrees(b.Finish(b.Vector(n, [&](Expr j) {
      const Expr third = Binary(Op::kEqual, Binary(Op::kModulo, j, Index(3)), Index(0));
      const Expr early = Binary(Op::kLess, j, Index(n / 2));
      const auto both = [&](Expr value) {
        return Sequence({b.Write(out, {j}, value), b.Write(spread, {j, Index(0)}, value),
                         b.Write(spread, {Index(n - 1) - j, Index(1)}, value)});
      };
      return MakeStatement(
          If{third, both(b.At(x, {j})),
             MakeStatement(If{early, both(Unary(Op::kNegate, b.At(x, {Index(n - 1) - j}))),
                              both(Constant(type, 1))})});
    })));
  }
}

TEST(Loops, SelectsByLoopReadOnlyTheChosenSide) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {6, 20});
  const int out = b.Output("out", DType::kF32, {8, 20});
  const int sums = b.Output("sums", DType::kF32, {8, 20});
  ExpectAgrees(b.Finish(b.Serial(8, [&](Expr i) {
    return b.Vector(20, [&](Expr j) {
      const Expr inside =
          Binary(Op::kAnd, Binary(Op::kGreaterEqual, i, Index(1)), Binary(Op::kLess, i, Index(7)));
      const auto row = [&](Expr column) { return b.At(x, {i - Index(1), column}); };
      Expr many = row(Index(19) - j);
      for (int64_t k = 0; k < 6; ++k) many = Plus(many, row(Index(k)));
      return Sequence({b.Write(out, {i, j}, Select(inside, row(j), Constant(DType::kF32, 0))),
                       b.Write(sums, {i, j}, Select(inside, many, Constant(DType::kF32, 9)))});
    });
  })));
}

// Both the value and the condition of a lane read memory.
TEST(Loops, ConditionsMayRead) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {40});
  const int out = b.Output("out", DType::kF32, {40});
  ExpectAgrees(b.Finish(b.Vector(40, [&](Expr j) {
    const Expr has_left = Binary(Op::kGreater, j, Index(0));
    const Expr left = b.At(x, {j - Index(1)});
    const Expr rises = Binary(Op::kAnd, has_left, Binary(Op::kLess, left, b.At(x, {j})));
    return b.Write(out, {j}, Select(rises, left, b.At(x, {j})));
  })));
}

TEST(Loops, EveryKindAndBegin) {
  for (const LoopKind kind : {LoopKind::kSerial, LoopKind::kUnrolled, LoopKind::kParallel}) {
    for (const int64_t extent : {1, 2, 7}) {
      LoopBuilder b;
      const int x = b.Input("x", DType::kI32, {12, 5});
      const int out = b.Output("out", DType::kI32, {extent, 5});
      ExpectAgrees(b.Finish(b.Loop(
          kind, extent,
          [&](Expr i) {
            return b.Serial(5, [&](Expr j) {
              return b.Write(out, {i - Index(4), j}, Plus(b.At(x, {i, j}), Cast(DType::kI32, i)));
            });
          },
          4)));
    }
  }
}

// A fused loop, taken apart by // and %: in lets and in place.
TEST(Loops, LetsAndQuotients) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {6, 5, 32});
  const int out = b.Output("out", DType::kF32, {5, 6, 32});
  ExpectAgrees(b.Finish(b.Parallel(30, [&](Expr f) {
    return b.Bind(Binary(Op::kFloorDivide, f, Index(5)), {0, 5}, [&](Expr row) {
      return b.Serial(2, [&](Expr half) {
        return b.Vector(16, [&](Expr j) {
          return b.Bind(half * Index(16) + j, {0, 31}, [&](Expr column) {
            const Expr middle = Binary(Op::kModulo, f, Index(5));
            const Expr negative = Binary(Op::kFloorDivide, middle - Index(9), Index(4));
            return b.Write(out, {middle, row, column},
                           Plus(b.At(x, {row, middle, column}), Cast(DType::kF32, negative)));
          });
        });
      });
    });
  })));
}

TEST(Loops, UniformIfsInAndAroundVectors) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kF32, {9, 33});
  const int out = b.Output("out", DType::kF32, {9, 33});
  ExpectAgrees(b.Finish(b.Serial(9, [&](Expr i) {
    const Expr even = Binary(Op::kEqual, Binary(Op::kModulo, i, Index(2)), Index(0));
    const auto row = [&](double factor) {
      return b.Vector(33, [&](Expr j) {
        const Expr scaled = Times(b.At(x, {i, j}), Constant(DType::kF32, factor));
        return MakeStatement(If{Binary(Op::kLess, i, Index(4)), b.Write(out, {i, j}, scaled),
                                b.Write(out, {i, j}, b.At(x, {i, Index(32) - j}))});
      });
    };
    return MakeStatement(If{even, row(2), row(-1)});
  })));
}

// Temporaries of every scope, inside and outside of a parallel loop.
TEST(Loops, TemporariesInParallelLoops) {
  for (const MemoryScope scope :
       {MemoryScope::kGlobal, MemoryScope::kShared, MemoryScope::kLocal}) {
    for (const int64_t width : {8, 30000}) {
      LoopBuilder b;
      const int x = b.Input("x", DType::kF32, {6, width});
      const int out = b.Output("out", DType::kF32, {6, width});
      const int all = b.Temporary("all", DType::kF32, {6, width}, MemoryScope::kGlobal);
      const int mine = b.Temporary("mine", DType::kF32, {width}, scope);
      const auto copy = [&](int to, std::vector<Expr> row, Expr value_row, int from) {
        return b.Serial(width, [&, row](Expr j) mutable {
          std::vector<Expr> to_index = row;
          to_index.push_back(j);
          return b.Write(to, to_index, Plus(b.At(from, {value_row, j}), Constant(DType::kF32, 1)));
        });
      };
      ExpectAgrees(b.Finish(b.Alloc(
          all,
          Sequence(
              {b.Parallel(
                   6,
                   [&](Expr i) {
                     return b.Alloc(
                         mine,
                         Sequence(
                             {copy(mine, {}, i, x), b.Serial(width, [&](Expr j) {
                                return b.Write(all, {i, j}, b.At(mine, {Index(width - 1) - j}));
                              })}));
                   }),
               b.Parallel(6, [&](Expr i) { return copy(out, {i}, Index(5) - i, all); })}))));
    }
  }
}

TEST(Loops, ParallelLoopsNestAndRepeat) {
  LoopBuilder b;
  const int x = b.Input("x", DType::kI32, {4, 5, 6});
  const int out = b.Output("out", DType::kI32, {4, 5, 6});
  ExpectAgrees(b.Finish(b.Serial(4, [&](Expr i) {
    return b.Parallel(5, [&](Expr j) {
      return b.Parallel(6, [&](Expr k) {
        return b.Write(out, {i, j, k}, Plus(b.At(x, {i, j, k}), Cast(DType::kI32, i + j)));
      });
    });
  })));
}

TEST(Loops, CallsFromSeveralThreadsKeepApart) {
  LoopBuilder b;
  const int64_t n = 3000;
  const int x = b.Input("x", DType::kF32, {n});
  const int out = b.Output("out", DType::kF32, {n});
  const int copy = b.Temporary("copy", DType::kF32, {n}, MemoryScope::kGlobal);
  const LoopProgram program = b.Finish(b.Alloc(
      copy, Sequence({b.Parallel(n, [&](Expr i) { return b.Write(copy, {i}, b.At(x, {i})); }),
                      b.Parallel(n, [&](Expr i) {
                        return b.Write(out, {i}, b.At(copy, {Index(n - 1) - i}));
                      })})));
  const auto kernel = LlvmBackends()[0]->Compile(program, {}).value();
  const auto work = [&](uint64_t seed, bool* right) {
    for (int round = 0; round < 50; ++round) {
      std::vector<GuardedMemory> arguments = MakeArguments(program, seed + round, 1000);
      *right &= RunKernel(*kernel, arguments).ok();
      for (int64_t i = 0; i < n; ++i) {
        *right &= arguments[1].as<float>()[i] == arguments[0].as<float>()[n - 1 - i];
      }
    }
  };
  bool right[2] = {true, true};
  std::thread other(work, 1000, &right[0]);
  work(2000, &right[1]);
  other.join();
  EXPECT_TRUE(right[0]);
  EXPECT_TRUE(right[1]);
}

TEST(Loops, UnrolledProgramsHaveALimit) {
  LoopBuilder b;
  const int out = b.Output("out", DType::kF32, {1000, 1000});
  const auto kernel = LlvmBackends()[0]->Compile(
      b.Finish(b.Unrolled(1000,
                          [&](Expr i) {
                            return b.Unrolled(1000, [&](Expr j) {
                              return b.Write(out, {i, j}, Constant(DType::kF32, 1));
                            });
                          })),
      {});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, ErrorKind::kCompile);
  EXPECT_EQ(kernel.error().message, "the unrolled program has more than 100000 operations");
}

}  // namespace
}  // namespace schedulegym
