#include "env/lower/builder.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] =
    "input A[6, 10]\nP[i:6, j:10] = A[i, j] + 1\nC[i:6, j:10] = P[i, j] * 2\n";

Buffer BufferOf(const ScheduleState& state, const std::string& stage,
                const std::vector<int64_t>& extent) {
  ProgramBuilder builder(state);
  const Stage& data = state.stage(state.Find(stage));
  return builder.program().buffers[builder.AddBuffer(data, extent, MemoryScope::kLocal)];
}

TEST(AddBufferTest, IsDense) {
  const Buffer buffer = BufferOf(StateAfter(kChain, ""), "P", {2, 10});
  EXPECT_EQ(buffer.name, "P");
  EXPECT_EQ(buffer.shape, (std::vector<int64_t>{2, 10}));
  EXPECT_EQ(buffer.strides, (std::vector<int64_t>{10, 1}));
  EXPECT_EQ(buffer.scope, MemoryScope::kLocal);
  EXPECT_EQ(buffer.parameter, -1);
}

// 6 rows of 10 in tiles of 4 columns: 3 tiles, the last half empty, each of all rows.
TEST(AddBufferTest, FollowsTheLayout) {
  const Buffer buffer =
      BufferOf(StateAfter(kChain, "pack(stage=P, readers=[C], tile=[1, 4], order=[1, 0, 2])"),
               "P.pack", {6, 10});
  EXPECT_EQ(buffer.shape, (std::vector<int64_t>{3, 6, 4}));
  EXPECT_EQ(buffer.strides, (std::vector<int64_t>{24, 4, 1}));
}

// The stride is the next number whose remainder by the factor is the offset.
TEST(AddBufferTest, AlignsStrides) {
  const auto stride = [](const std::string& factor, const std::string& offset) {
    return BufferOf(StateAfter(kChain, "storage_align(stage=P, axis=0, factor=" + factor +
                                           ", offset=" + offset + ")"),
                    "P", {6, 10})
        .strides[0];
  };
  EXPECT_EQ(stride("16", "0"), 16);
  EXPECT_EQ(stride("16", "1"), 17);
  EXPECT_EQ(stride("4", "2"), 10);
  EXPECT_EQ(stride("4", "3"), 11);
  EXPECT_EQ(stride("16", "12"), 12);
  EXPECT_EQ(stride("1", "0"), 10);
}

// An aligned inner dimension makes the outer one longer; that is aligned after.
TEST(AddBufferTest, AlignsFromTheInside) {
  constexpr char kCube[] =
      "input A[2, 3, 10]\nP[i:2, j:3, k:10] = A[i, j, k] + 1\nC[i:2, j:3, k:10] = P[i, j, k]\n";
  const ScheduleState state = StateAfter(kCube,
                                         "storage_align(stage=P, axis=0, factor=32, offset=0)\n"
                                         "storage_align(stage=P, axis=1, factor=12, offset=0)");
  EXPECT_EQ(BufferOf(state, "P", {2, 3, 10}).strides, (std::vector<int64_t>{64, 12, 1}));
}

TEST(ProgramBuilderTest, NamesWhatIsNotLinear) {
  const ScheduleState state = StateAfter(kChain, "");
  ProgramBuilder builder(state);
  const Expr i = Variable(builder.AddVariable("i", {0, 9}));
  std::vector<Binding> bindings;
  EXPECT_TRUE(Equal(builder.Named("q", i + IndexConstant(3), bindings), i + IndexConstant(3)));
  // In 0..9 a division by 10 leaves nothing.
  const Expr ten = IndexConstant(10);
  EXPECT_TRUE(IsInteger(builder.Named("q", Binary(Op::kFloorDivide, i, ten), bindings), 0));
  EXPECT_TRUE(bindings.empty());
  const Expr quotient = Binary(Op::kFloorDivide, i, IndexConstant(4));
  const Expr named = builder.Named("q", quotient, bindings);
  ASSERT_EQ(bindings.size(), 1u);
  EXPECT_EQ(named->op, Op::kVariable);
  EXPECT_EQ(named->id, bindings[0].variable);
  EXPECT_TRUE(Equal(bindings[0].value, quotient));
  EXPECT_EQ(builder.program().variables[named->id].name, "q");
  EXPECT_EQ(builder.program().variables[named->id].range, (Range{0, 2}));
  EXPECT_TRUE(Equal(builder.Named("again", quotient, bindings), named));
  EXPECT_EQ(bindings.size(), 1u);
}

TEST(ProgramBuilderTest, LocatesElementsInTheRegion) {
  const ScheduleState state = StateAfter(kChain, "");
  const int p = state.Find("P");
  ProgramBuilder builder(state);
  const Expr i = Variable(builder.AddVariable("i", {0, 5}));
  builder.residence(p) = {0, {{i, IndexConstant(4)}, {1, 3}}};
  const std::vector<Expr> cell = builder.LocateElement(p, {i, IndexConstant(6)});
  ASSERT_EQ(cell.size(), 2u);
  EXPECT_TRUE(IsInteger(cell[0], 0));
  EXPECT_TRUE(IsInteger(cell[1], 2));
}

// Every element of every tiling has a cell of its own within the buffer, in the order of the tiles.
TEST(ProgramBuilderTest, LocatesPackedElements) {
  for (const char* steps : {"pack(stage=P, readers=[C], tile=[1, 4], order=[1, 0, 2])",
                            "pack(stage=P, readers=[C], tile=[4, 4], order=[2, 0, 1, 3])",
                            "pack(stage=P, readers=[C], tile=[6, 1], order=[2, 1, 0])",
                            "pack(stage=P, readers=[C], tile=[1, 1], order=[1, 0])"}) {
    const ScheduleState state = StateAfter(kChain, steps);
    const Stage& pack = state.stage(state.Find("P.pack"));
    ProgramBuilder builder(state);
    const int id = builder.AddBuffer(pack, {6, 10}, MemoryScope::kGlobal);
    const Buffer& buffer = builder.program().buffers[id];
    std::set<int64_t> seen;
    for (int64_t i = 0; i < 6; ++i) {
      for (int64_t j = 0; j < 10; ++j) {
        const auto cell = builder.LocateOffset(pack, {IndexConstant(i), IndexConstant(j)});
        ASSERT_EQ(cell.size(), buffer.shape.size());
        int64_t address = 0;
        for (size_t d = 0; d < cell.size(); ++d) {
          const int64_t index = Evaluate(cell[d], {});
          EXPECT_GE(index, 0);
          EXPECT_LT(index, buffer.shape[d]);
          address += index * buffer.strides[d];
        }
        EXPECT_TRUE(seen.insert(address).second) << steps << ": " << i << ", " << j;
      }
    }
  }
}

// (5, 6) with tiles of 4 columns, tiles outermost: tile 1, row 5, column 2.
TEST(ProgramBuilderTest, LocatesByTileThenRow) {
  const ScheduleState state =
      StateAfter(kChain, "pack(stage=P, readers=[C], tile=[1, 4], order=[1, 0, 2])");
  const ProgramBuilder builder(state);
  const auto cell =
      builder.LocateOffset(state.stage(state.Find("P.pack")), {IndexConstant(5), IndexConstant(6)});
  EXPECT_EQ(Evaluate(cell[0], {}), 1);
  EXPECT_EQ(Evaluate(cell[1], {}), 5);
  EXPECT_EQ(Evaluate(cell[2], {}), 2);
}

TEST(ProgramBuilderTest, CountsStatements) {
  const ScheduleState state = StateAfter(kChain, "");
  ProgramBuilder builder(state);
  const StatementPtr nothing = MakeStatement(Block{});
  for (int i = 0; i < 1 << 15; ++i) EXPECT_EQ(builder.Count(nothing), nothing);
  EXPECT_FALSE(builder.too_large());
  builder.Count(nothing);
  EXPECT_TRUE(builder.too_large());
}

TEST(WrapTest, PutsTheFirstOutermost) {
  const StatementPtr body = MakeStatement(Block{});
  EXPECT_EQ(Wrap({}, body), body);
  EXPECT_EQ(Wrap({{3, IndexConstant(1)}}, nullptr), nullptr);
  const StatementPtr wrapped = Wrap({{3, IndexConstant(1)}, {4, IndexConstant(2)}}, body);
  const Let& outer = std::get<Let>(wrapped->node);
  EXPECT_EQ(outer.variable, 3);
  EXPECT_TRUE(IsInteger(outer.value, 1));
  const Let& inner = std::get<Let>(outer.body->node);
  EXPECT_EQ(inner.variable, 4);
  EXPECT_EQ(inner.body, body);
}

TEST(SequenceTest, LeavesOutWhatDoesNothing) {
  const StatementPtr one = MakeStatement(Store{1, {}, Constant(DType::kF32, 1)});
  const StatementPtr two = MakeStatement(Store{2, {}, Constant(DType::kF32, 2)});
  EXPECT_EQ(Sequence({}), nullptr);
  EXPECT_EQ(Sequence({nullptr, nullptr}), nullptr);
  EXPECT_EQ(Sequence({nullptr, one}), one);
  const StatementPtr flat = Sequence({Sequence({one, two}), nullptr, one});
  const std::vector<StatementPtr> expected = {one, two, one};
  EXPECT_EQ(std::get<Block>(flat->node).statements, expected);
}

}  // namespace
}  // namespace schedulegym
