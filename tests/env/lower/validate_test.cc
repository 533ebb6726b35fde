#include "env/lower/validate.h"

#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[10, 14]\nweight B[14, 12]\ninput bias[12]\n"
    "C[i:10, j:12] = sum(k:14) A[i, k] * B[k, j]\n"
    "D[i:10, j:12] = max(C[i, j] + bias[j], 0)\n";
constexpr char kPadded[] =
    "input X[9, 3]\nweight W[3, 3, 4]\n"
    "P[x:11, c:3] = select(x >= 1 && x < 10, X[x - 1, c], 0)\n"
    "Y[x:5, o:4] = sum(r:3, c:3) P[x * 2 + r, c] * W[r, c, o]\n";

// A program over an input A[8, 8] (buffer 0) and an output C[8, 8] (buffer 1), variables as given.
LoopProgram ProgramOf(StatementPtr body, std::vector<Range> variables) {
  LoopProgram program;
  program.parameters = {{"A", DType::kF32, false, 256}, {"C", DType::kF32, true, 256}};
  program.buffers = {{"A", DType::kF32, {8, 8}, {8, 1}, MemoryScope::kGlobal, 0},
                     {"C", DType::kF32, {8, 8}, {8, 1}, MemoryScope::kGlobal, 1}};
  for (size_t i = 0; i < variables.size(); ++i) {
    program.variables.push_back({std::string(1, static_cast<char>('i' + i)), variables[i]});
  }
  program.body = std::move(body);
  return program;
}

Expr V(int id) { return Variable(id); }
Expr N(int64_t value) { return IndexConstant(value); }
StatementPtr Loop(int variable, int64_t begin, int64_t extent, LoopKind kind, StatementPtr body) {
  return MakeStatement(For{variable, begin, extent, kind, std::move(body)});
}
StatementPtr Serial(int variable, int64_t extent, StatementPtr body) {
  return Loop(variable, 0, extent, LoopKind::kSerial, std::move(body));
}
StatementPtr Parallel(int variable, int64_t extent, StatementPtr body) {
  return Loop(variable, 0, extent, LoopKind::kParallel, std::move(body));
}
Expr ReadA(Expr row, Expr column) { return Read(DType::kF32, 0, {row, column}); }
StatementPtr StoreC(Expr row, Expr column, Expr value) {
  return MakeStatement(Store{1, {row, column}, value});
}
// for i in 0..8: for j in 0..8: C[i, j] = A[row, column], over variables i = 0 and j = 1.
std::string CopyError(Expr row, Expr column, LoopKind outer = LoopKind::kSerial) {
  const StatementPtr body =
      Loop(0, 0, 8, outer, Serial(1, 8, StoreC(V(0), V(1), ReadA(row, column))));
  const auto valid = Validate(ProgramOf(body, {{0, 7}, {0, 7}}));
  return valid ? "" : valid.error().message;
}
std::string ErrorOf(StatementPtr body, std::vector<Range> variables) {
  const auto valid = Validate(ProgramOf(std::move(body), std::move(variables)));
  return valid ? "" : valid.error().message;
}

TEST(ValidateTest, ProvesBoundsByRanges) {
  EXPECT_EQ(CopyError(V(0), V(1)), "");
  EXPECT_EQ(CopyError(V(0), V(1) + N(1)), "cannot prove index j + 1 of A[i, j + 1] within 0..7");
  EXPECT_EQ(CopyError(V(0) - N(1), V(1)), "cannot prove index i - 1 of A[i - 1, j] within 0..7");
  EXPECT_EQ(CopyError(Binary(Op::kMin, V(0) + N(1), N(7)), V(1)), "");
  EXPECT_EQ(CopyError(Binary(Op::kModulo, V(0) + V(1), N(8)), V(1)), "");
  EXPECT_EQ(CopyError(Binary(Op::kFloorDivide, V(0) + V(1), N(2)), V(1)), "");
}

TEST(ValidateTest, ProvesBoundsByConditions) {
  const auto guarded = [](int64_t bound) {
    const Expr condition = Binary(Op::kLess, V(0) + V(1), N(bound));
    return Serial(0, 8,
                  Serial(1, 8,
                         MakeStatement(If{condition, StoreC(V(0) + V(1), V(1), ReadA(V(0), V(1))),
                                          nullptr})));
  };
  EXPECT_EQ(ErrorOf(guarded(8), {{0, 7}, {0, 7}}), "");
  EXPECT_EQ(ErrorOf(guarded(9), {{0, 7}, {0, 7}}),
            "cannot prove index i + j of C[i + j, j], which is stored, within 0..7");
  const Expr condition = Binary(Op::kGreaterEqual, V(0), N(1));
  const Expr shifted = ReadA(V(0) - N(1), V(1));
  const auto selected = [&](const Expr& value) {
    return ErrorOf(Serial(0, 8, Serial(1, 8, StoreC(V(0), V(1), value))), {{0, 7}, {0, 7}});
  };
  const Expr zero = Constant(DType::kF32, 0);
  EXPECT_EQ(selected(Select(condition, shifted, zero)), "");
  EXPECT_EQ(selected(Select(condition, zero, shifted)),
            "cannot prove index i - 1 of A[i - 1, j] within 0..7");
  const auto else_branch = MakeStatement(
      If{Binary(Op::kLess, V(0), N(1)), StoreC(N(0), N(0), zero), StoreC(V(0), N(0), shifted)});
  EXPECT_EQ(ErrorOf(Serial(0, 8, Serial(1, 8, else_branch)), {{0, 7}, {0, 7}}), "");
}

TEST(ValidateTest, ProvesBoundsByLets) {
  // j = min(i * 3, 5), so j + 2 <= 7; and j - i * 3 <= 0.
  const auto let = [](Range range, const Expr& row) {
    const Expr value = Binary(Op::kMin, V(0) * N(3), N(5));
    return ErrorOf(Serial(0, 8, MakeStatement(Let{1, value, StoreC(row, N(0), ReadA(V(1), N(0)))})),
                   {{0, 7}, range});
  };
  EXPECT_EQ(let({0, 5}, V(1) + N(2)), "");
  EXPECT_EQ(
      let({0, 5}, V(1) - V(0) * N(3) + N(7)),
      "cannot prove index j - i * 3 + 7 of C[j - i * 3 + 7, 0], which is stored, within 0..7");
  EXPECT_EQ(let({0, 4}, V(0)), "cannot prove j = min(i * 3, 5) within 0..4");
}

TEST(ValidateTest, FindsRaces) {
  const Expr value = Constant(DType::kF32, 1);
  EXPECT_EQ(CopyError(V(0), V(1), LoopKind::kParallel), "");
  EXPECT_EQ(ErrorOf(Parallel(0, 8, Serial(1, 8, StoreC(V(1), N(0), value))), {{0, 7}, {0, 7}}),
            "iterations of the parallel loop i may meet in C[j, 0]");
  EXPECT_EQ(ErrorOf(Parallel(0, 4, Serial(1, 3, StoreC(V(0) * N(2) + V(1), N(0), value))),
                    {{0, 3}, {0, 2}}),
            "cannot prove index i * 2 + j of C[i * 2 + j, 0], which is stored, within 0..7");
  EXPECT_EQ(ErrorOf(Parallel(0, 3, Serial(1, 3, StoreC(V(0) * N(2) + V(1), N(0), value))),
                    {{0, 2}, {0, 2}}),
            "iterations of the parallel loop i may meet in C[i * 2 + j, 0]");
  EXPECT_EQ(ErrorOf(Parallel(0, 3, Serial(1, 2, StoreC(V(0) * N(2) + V(1), N(0), value))),
                    {{0, 2}, {0, 1}}),
            "");
}

TEST(ValidateTest, FindsRacesOfReads) {
  const Expr own = Read(DType::kF32, 1, {V(0), N(0)});
  const Expr next = Read(DType::kF32, 1, {Binary(Op::kMin, V(0) + N(1), N(7)), N(0)});
  EXPECT_EQ(ErrorOf(Parallel(0, 8, StoreC(V(0), N(0), own)), {{0, 7}}), "");
  EXPECT_EQ(ErrorOf(Parallel(0, 8, StoreC(V(0), N(0), next)), {{0, 7}}),
            "iterations of the parallel loop i may meet in C[i, 0]");
  EXPECT_EQ(ErrorOf(Parallel(0, 8, StoreC(V(0), N(1), next)), {{0, 7}}), "");
  EXPECT_EQ(ErrorOf(Loop(0, 0, 8, LoopKind::kVector, StoreC(V(0), N(0), next)), {{0, 7}}),
            "iterations of the vector loop i may meet in C[i, 0]");
  EXPECT_EQ(ErrorOf(Serial(0, 8, StoreC(V(0), N(0), next)), {{0, 7}}), "");
}

// Division of a let is division of its value.
TEST(ValidateTest, DividesLets) {
  const auto div = [](const Expr& a, int64_t b) { return Binary(Op::kFloorDivide, a, N(b)); };
  // j = i // 2, k = i // 4; then j // 2 - k is 0.
  const auto difference = [&](int64_t divisor) {
    const Expr row = div(V(1), divisor) - V(2);
    const StatementPtr inner =
        MakeStatement(Let{2, div(V(0), 4), StoreC(row, N(0), Constant(DType::kF32, 1))});
    return ErrorOf(Serial(0, 32, MakeStatement(Let{1, div(V(0), 2), inner})),
                   {{0, 31}, {0, 15}, {0, 7}});
  };
  EXPECT_EQ(difference(2), "");
  EXPECT_NE(difference(3), "");
}

// f in 0..64 writes C[f // 8, f % 8]: no cell twice.
TEST(ValidateTest, FollowsFusedLoops) {
  const auto fused = [](int64_t columns) {
    const Expr row = Binary(Op::kFloorDivide, V(0), N(8));
    const Expr column = Binary(Op::kModulo, V(0), N(columns));
    const StatementPtr store = StoreC(V(1), column, Constant(DType::kF32, 1));
    return ErrorOf(Parallel(0, 64, MakeStatement(Let{1, row, store})), {{0, 63}, {0, 7}});
  };
  EXPECT_EQ(fused(8), "");
  EXPECT_EQ(fused(4), "iterations of the parallel loop i may meet in C[j, i % 4]");
}

// The digits of f in base 4, 3, 5: quotients of quotients.
TEST(ValidateTest, FollowsLoopsFusedOverManyDimensions) {
  LoopProgram program = ProgramOf(nullptr, {{0, 59}});
  program.buffers[1].shape = {5, 3, 4};
  program.buffers[1].strides = {12, 4, 1};
  const auto div = [](const Expr& a, int64_t b) { return Binary(Op::kFloorDivide, a, N(b)); };
  const auto mod = [](const Expr& a, int64_t b) { return Binary(Op::kModulo, a, N(b)); };
  const auto is_valid = [&](std::vector<Expr> digits) {
    const Expr value = Constant(DType::kF32, 1);
    program.body = Parallel(0, 60, MakeStatement(Store{1, std::move(digits), value}));
    return Validate(program).ok();
  };
  EXPECT_TRUE(is_valid({div(div(V(0), 4), 3), mod(div(V(0), 4), 3), mod(V(0), 4)}));
  EXPECT_TRUE(is_valid({div(V(0), 12), div(mod(V(0), 12), 4), mod(V(0), 4)}));
  EXPECT_TRUE(is_valid({div(V(0), 12), mod(div(V(0), 2), 3), mod(V(0), 4)}));  // by trying
  EXPECT_FALSE(is_valid({div(V(0), 12), mod(div(V(0), 2), 3), mod(V(0), 2)}));
}

// a * step + b * 4 + c: with step 2, a is the middle digit of three.
TEST(ValidateTest, TellsDigitsApart) {
  const auto middle = [](int64_t step) {
    const Expr row = V(0) * N(step) + V(1) * N(4) + V(2);
    const StatementPtr store = StoreC(row, N(0), Constant(DType::kF32, 1));
    return ErrorOf(Parallel(0, 2, Serial(1, 2, Serial(2, 2, store))), {{0, 1}, {0, 1}, {0, 1}});
  };
  EXPECT_EQ(middle(2), "");
  EXPECT_EQ(middle(1), "iterations of the parallel loop i may meet in C[i + j * 4 + k, 0]");
}

// f % 2 * 8 + f // 2: the parts of a loop fused in the other order.
TEST(ValidateTest, FollowsInterleavedLoops) {
  const auto interleaved = [](int64_t step) {
    const Expr row =
        Binary(Op::kModulo, V(0), N(2)) * N(step) + Binary(Op::kFloorDivide, V(0), N(2));
    return ErrorOf(Parallel(0, 8, StoreC(row, N(0), Constant(DType::kF32, 1))), {{0, 7}});
  };
  EXPECT_EQ(interleaved(4), "");
  EXPECT_NE(interleaved(3), "");
}

TEST(ValidateTest, TakesConditionsIntoAccountForRaces) {
  const auto tail = [](int64_t row) {
    const Expr value = Constant(DType::kF32, 1);
    return ErrorOf(Parallel(0, 4,
                            MakeStatement(If{Binary(Op::kLess, V(0), N(3)),
                                             Serial(1, 2, StoreC(V(0) * N(2) + V(1), N(0), value)),
                                             StoreC(N(row), N(0), value)})),
                   {{0, 3}, {0, 1}});
  };
  EXPECT_EQ(tail(6), "");
  EXPECT_EQ(tail(5), "iterations of the parallel loop i may meet in C[i * 2 + j, 0]");
}

TEST(ValidateTest, WatchesScopes) {
  const Expr one = Constant(DType::kF32, 1);
  const StatementPtr store = StoreC(V(0), N(0), one);
  EXPECT_EQ(ErrorOf(store, {{0, 7}}), "variable i is used outside of its loop");
  EXPECT_EQ(ErrorOf(MakeStatement(Block{{Serial(0, 8, store), Serial(0, 8, store)}}), {{0, 7}}),
            "variable i is bound twice");
  EXPECT_EQ(ErrorOf(Serial(0, 8, store), {{0, 6}}), "loop i leaves the range of its variable");
  EXPECT_EQ(ErrorOf(Serial(0, 0, store), {{0, 7}}), "loop i has no iterations");
  EXPECT_EQ(ErrorOf(Loop(0, 0, 8, LoopKind::kVector, Serial(1, 8, store)), {{0, 7}, {0, 7}}),
            "loop j stands in a vector loop");
  EXPECT_EQ(ErrorOf(Loop(0, 1, 7, LoopKind::kVector, store), {{0, 7}}),
            "vector loop i begins at 1");
  EXPECT_EQ(ErrorOf(MakeStatement(Store{0, {N(0), N(0)}, one}), {}), "input A is stored to");
  EXPECT_EQ(ErrorOf(MakeStatement(Store{1, {N(0)}, one}), {}),
            "C[0] has not one index for each dimension");
  EXPECT_EQ(ErrorOf(MakeStatement(Store{1, {N(0), N(0)}, Constant(DType::kI32, 1)}), {}),
            "a value of type i32 is stored to C");
}

TEST(ValidateTest, WatchesBuffers) {
  LoopProgram program = ProgramOf(nullptr, {{0, 7}});
  program.buffers.push_back({"T", DType::kF32, {8}, {1}, MemoryScope::kLocal});
  const auto error = [&](StatementPtr body) {
    program.body = std::move(body);
    const auto valid = Validate(program);
    return valid ? "" : valid.error().message;
  };
  const StatementPtr store = MakeStatement(Store{2, {V(0)}, Constant(DType::kF32, 1)});
  const auto allocate = [](StatementPtr body) {
    return MakeStatement(Allocate{2, std::move(body)});
  };
  EXPECT_EQ(error(allocate(Serial(0, 8, store))), "");
  EXPECT_EQ(error(Serial(0, 8, allocate(store))), "");
  EXPECT_EQ(error(Parallel(0, 8, allocate(store))), "");
  EXPECT_EQ(error(Serial(0, 8, store)), "buffer T is used outside of its allocation");
  EXPECT_EQ(error(allocate(allocate(Serial(0, 8, store)))), "buffer T is allocated twice");
  EXPECT_EQ(error(allocate(Parallel(0, 8, store))),
            "local buffer T is shared by the iterations of a parallel loop");
  program.buffers[2].scope = MemoryScope::kGlobal;
  EXPECT_EQ(error(allocate(Parallel(0, 8, store))), "");
  program.buffers[1].strides = {7, 1};
  EXPECT_EQ(error(allocate(Serial(0, 8, store))), "elements of buffer C share cells");
  program.buffers[1].strides = {9, 1};
  EXPECT_EQ(error(allocate(Serial(0, 8, store))), "buffer C does not lie within parameter C");
}

TEST(ValidateTest, ValidatesPackingToo) {
  const ScheduleState state =
      StateAfter(kMatmul, "pack(stage=B, readers=[C], tile=[1, 8], order=[1, 0, 2])");
  LoopProgram program = Lower(state).value();
  ASSERT_EQ(program.packs.size(), 1u);
  EXPECT_TRUE(Validate(program).ok());
  LoopProgram packer = *program.packs[0].program;
  packer.buffers[1].shape[0] = 1;
  program.packs[0].program = std::make_shared<const LoopProgram>(packer);
  EXPECT_EQ(Validate(program).error().message.substr(0, 40),
            "packing B: cannot prove index i1 // 8 of");
}

// The validator proves the lowered form of each legal schedule, and rejects a smaller buffer.
TEST(ValidateTest, ProvesWhatIsLowered) {
  Rng rng(7);
  int noticed = 0, shrunk = 0;
  for (const char* dag : {kMatmul, kPadded}) {
    const auto task = TaskOf(dag);
    for (int trial = 0; trial < 400; ++trial) {
      const ScheduleState state = RandomSchedule(task, rng);
      LoopProgram program = Lower(state).value();
      const auto valid = Validate(program);
      ASSERT_TRUE(valid.ok()) << valid.error().message << "\n" << state.TraceText();
      Buffer& buffer = program.buffers[rng.Below(static_cast<int64_t>(program.buffers.size()))];
      if (buffer.shape.empty()) continue;
      int64_t& extent = buffer.shape[rng.Below(static_cast<int64_t>(buffer.shape.size()))];
      if (extent == 1) continue;
      ++shrunk;
      --extent;
      noticed += !Validate(program).ok();
    }
  }
  // Only paddings that no loop reaches remain undetected.
  EXPECT_GT(shrunk, 500);
  EXPECT_GT(noticed, shrunk * 9 / 10);
}

// Programs beyond the validator's work limit, from random walks through the legal primitives:
// blocks that overlap except for a condition, a fused loop, quotients of quotients.
constexpr char kOverlapping[] =
    "split(stage=C, loop=1, lengths=[128])\n"
    "split(stage=C, loop=2, lengths=[16])\n"
    "split(stage=C, loop=0, lengths=[14])\n"
    "parallel(stage=C, loop=3)\n"
    "reorder(stage=C, order=[0, 1, 2, 3, 5, 4])\n"
    "split(stage=C, loop=0, lengths=[9])\n"
    "split(stage=C, loop=6, lengths=[6])\n"
    "split(stage=C, loop=5, lengths=[32])\n"
    "split(stage=C, loop=0, lengths=[1])\n"
    "reorder(stage=C, order=[1, 2, 3, 5, 4, 6, 7, 9, 8, 0])\n"
    "fuse(stage=C, loops=[1, 2])\n"
    "split(stage=C, loop=5, lengths=[5])\n"
    "split(stage=C, loop=4, lengths=[6])\n"
    "reorder(stage=C, order=[0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10])\n";
constexpr char kFused[] =
    "pack(stage=B, readers=[C], tile=[1, 48], order=[1, 0, 2])\n"
    "split(stage=B.pack, loop=0, lengths=[8])\n"
    "split(stage=B.pack, loop=1, lengths=[6])\n"
    "fuse(stage=B.pack, loops=[2, 3])\n"
    "split(stage=B.pack, loop=0, lengths=[10])\n"
    "parallel(stage=B.pack, loop=3)\n"
    "split(stage=B.pack, loop=0, lengths=[3])\n"
    "split(stage=B.pack, loop=2, lengths=[6])\n"
    "split(stage=B.pack, loop=1, lengths=[2, 1])\n"
    "reorder(stage=B.pack, order=[0, 1, 2, 3, 5, 7, 4, 6])\n"
    "split(stage=B.pack, loop=2, lengths=[2])\n"
    "reorder(stage=B.pack, order=[0, 1, 2, 4, 5, 6, 7, 8, 3])\n"
    "split(stage=B.pack, loop=4, lengths=[1])\n"
    "split(stage=B.pack, loop=4, lengths=[6])\n"
    "split(stage=B.pack, loop=5, lengths=[2])\n"
    "split(stage=B.pack, loop=1, lengths=[2])\n"
    "reorder(stage=B.pack, order=[0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2])\n"
    "reorder(stage=B.pack, order=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0])\n";
constexpr char kQuotients[] =
    "split(stage=C, loop=0, lengths=[9])\n"
    "split(stage=C, loop=3, lengths=[3, 128])\n"
    "split(stage=C, loop=2, lengths=[12])\n"
    "split(stage=C, loop=0, lengths=[16])\n"
    "split(stage=C, loop=2, lengths=[2])\n"
    "fuse(stage=C, loops=[6, 7])\n"
    "split(stage=C, loop=5, lengths=[1, 5])\n"
    "pack(stage=B, readers=[C], tile=[1, 8], order=[1, 0, 2])\n"
    "split(stage=C, loop=1, lengths=[3])\n"
    "split(stage=C, loop=5, lengths=[1])\n"
    "reorder(stage=C, order=[1, 2, 3, 5, 4, 6, 7, 8, 9, 10, 11, 0])\n"
    "split(stage=C, loop=2, lengths=[1])\n"
    "split(stage=C, loop=2, lengths=[3])\n"
    "split(stage=C, loop=5, lengths=[4])\n"
    "fuse(stage=C, loops=[4, 5])\n"
    "split(stage=B.pack, loop=1, lengths=[16])\n"
    "reorder(stage=B.pack, order=[0, 2, 1])\n"
    "split(stage=B.pack, loop=2, lengths=[5])\n"
    "split(stage=B.pack, loop=1, lengths=[10])\n"
    "fuse(stage=B.pack, loops=[3, 4])\n"
    "split(stage=B.pack, loop=3, lengths=[2])\n"
    "reorder(stage=B.pack, order=[0, 1, 2, 4, 3])\n"
    "vectorize(stage=B.pack, loop=4)\n"
    "compute_at(stage=B.pack, target=C, loop=4)\n";

TEST(ValidateTest, TriesWhatAProofDoesNotShow) {
  const std::string product =
      "input A[512, 512]\ninput B[512, 512]\n"
      "C[i:512, j:512] = sum(r:512) A[i, r] * B[r, j]\n";
  for (const char* steps : {kOverlapping, kFused, kQuotients}) {
    const auto program = Lower(StateAfter(product, steps));
    ASSERT_TRUE(program.ok());
    const auto valid = Validate(*program);
    EXPECT_TRUE(valid.ok()) << valid.error().message;
  }
}

}  // namespace
}  // namespace schedulegym
