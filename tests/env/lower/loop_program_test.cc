#include "env/lower/loop_program.h"

#include <gtest/gtest.h>

#include "tests/support/loop_builder.h"

namespace schedulegym {
namespace {

TEST(LoopKindTest, HasAName) {
  const std::vector<std::pair<LoopKind, std::string>> names = {
      {LoopKind::kSerial, "serial"},       {LoopKind::kUnrolled, "unrolled"},
      {LoopKind::kVector, "vector"},       {LoopKind::kParallel, "parallel"},
      {LoopKind::kVthread, "vthread"},     {LoopKind::kBlockX, "blockIdx.x"},
      {LoopKind::kBlockY, "blockIdx.y"},   {LoopKind::kBlockZ, "blockIdx.z"},
      {LoopKind::kThreadX, "threadIdx.x"}, {LoopKind::kThreadY, "threadIdx.y"},
      {LoopKind::kThreadZ, "threadIdx.z"}};
  for (const auto& [kind, name] : names) EXPECT_EQ(LoopKindName(kind), name);
}

// The last element of 3 rows that lie 8 apart: 2 * 8 + 3 = 19, after 19 others.
TEST(BufferTest, SpansItsLastElement) {
  Buffer buffer{"B", DType::kF32, {3, 4}, {8, 1}};
  EXPECT_EQ(buffer.ElementSpan(), 20);
  EXPECT_EQ(buffer.SizeInBytes(), 80);
  buffer.type = DType::kI8;
  EXPECT_EQ(buffer.SizeInBytes(), 20);
  buffer.strides = {1, 8};  // 2 * 1 + 3 * 8
  EXPECT_EQ(buffer.ElementSpan(), 27);
}

TEST(BufferTest, HoldsOneElementWithoutDimensions) {
  EXPECT_EQ((Buffer{"S", DType::kF64, {}, {}}).ElementSpan(), 1);
  EXPECT_EQ((Buffer{"S", DType::kF64, {}, {}}).SizeInBytes(), 8);
  EXPECT_EQ((Buffer{"E", DType::kF64, {4, 0}, {0, 1}}).ElementSpan(), 0);
}

TEST(LoopProgramTest, PrintsLoopsOfEveryKind) {
  for (const auto& [kind, word] :
       std::vector<std::pair<LoopKind, std::string>>{{LoopKind::kSerial, "for"},
                                                     {LoopKind::kUnrolled, "unrolled"},
                                                     {LoopKind::kVector, "vector"},
                                                     {LoopKind::kParallel, "parallel"},
                                                     {LoopKind::kBlockX, "blockIdx.x"}}) {
    LoopBuilder build;
    const int a = build.Input("A", DType::kF32, {6});
    const int c = build.Output("C", DType::kF32, {6});
    const auto body = [&](const Expr& i) { return build.Write(c, {i}, build.At(a, {i})); };
    EXPECT_EQ(build.Finish(build.Loop(kind, 4, body, 2)).ToText(),
              "input A : f32\n"
              "output C : f32\n"
              "view A[6] : f32 global of A\n"
              "view C[6] : f32 global of C\n" +
                  word +
                  " i0 in 2..6\n"
                  "  C[i0] = A[i0]\n");
  }
}

TEST(LoopProgramTest, PrintsEveryStatement) {
  LoopBuilder build;
  const int a = build.Input("A", DType::kI32, {8});
  const int c = build.Output("C", DType::kI32, {8});
  const int t = build.Temporary("T", DType::kI32, {2, 3}, MemoryScope::kLocal);
  const Expr two = Constant(DType::kI32, 2), zero = IndexConstant(0);
  const StatementPtr loop = build.Serial(8, [&](const Expr& i) {
    const Expr half = Binary(Op::kFloorDivide, i, IndexConstant(2));
    return build.Bind(half, {0, 3}, [&](const Expr& h) {
      const Expr condition = Binary(Op::kLess, h, IndexConstant(3));
      return MakeStatement(If{condition, build.Write(t, {zero, zero}, build.At(a, {h})),
                              MakeStatement(If{Binary(Op::kEqual, h, IndexConstant(3)),
                                               build.Write(c, {i}, two), nullptr})});
    });
  });
  const std::string text =
      build.Finish(build.Alloc(t, Sequence({loop, build.Write(c, {zero}, two)}))).ToText();
  EXPECT_EQ(text.substr(text.find("allocate")),
            "allocate T[2, 3] : i32 local\n"
            "for i0 in 0..8\n"
            "  let v1 = i0 // 2\n"
            "  if v1 < 3\n"
            "    T[0, 0] = A[v1]\n"
            "  else\n"
            "    if v1 == 3\n"
            "      C[i0] = 2\n"
            "C[0] = 2\n");
}

// A name in use by an outer loop gets a number; a name of a closed loop is free again.
TEST(LoopProgramTest, TellsNamesApart) {
  LoopBuilder build;
  const int c = build.Output("C", DType::kF32, {4, 4});
  const Expr one = Constant(DType::kF32, 1);
  const StatementPtr nested = build.Serial(4, [&](const Expr& i) {
    return build.Serial(2, [&](const Expr& j) {
      return build.Bind(i + j, {0, 4}, [&](const Expr& sum) {
        return build.Write(c, {i, sum}, one);
      });
    });
  });
  const StatementPtr after = build.Serial(4, [&](const Expr& i) {
    return build.Write(c, {i, i}, one);
  });
  for (LoopVariable& variable : build.program().variables) variable.name = "i";
  const std::string text = build.Finish(Sequence({nested, after})).ToText();
  EXPECT_EQ(text.substr(text.find("for")),
            "for i in 0..4\n"
            "  for i_1 in 0..2\n"
            "    let i_2 = i + i_1\n"
            "    C[i, i_2] = 1.0\n"
            "for i in 0..4\n"
            "  C[i, i] = 1.0\n");
}

TEST(LoopProgramTest, PrintsStridesThatAreNotDense) {
  LoopBuilder build;
  build.Output("C", DType::kF32, {4, 6});
  const auto head = [&] { return build.Finish(MakeStatement(Block{})).ToText(); };
  EXPECT_EQ(head(), "output C : f32\nview C[4, 6] : f32 global of C\n");
  build.program().buffers[0].strides = {8, 1};
  EXPECT_EQ(head(), "output C : f32\nview C[4, 6] : f32 strides [8, 1] global of C\n");
  build.program().buffers[0].strides = {1, 4};
  EXPECT_EQ(head(), "output C : f32\nview C[4, 6] : f32 strides [1, 4] global of C\n");
}

TEST(LoopProgramTest, PrintsPacks) {
  LoopBuilder packer;
  const int plain = packer.Input("W", DType::kF32, {4});
  const int packed = packer.Output("W.packed", DType::kF32, {4});
  const StatementPtr copy = packer.Serial(
      4, [&](const Expr& i) { return packer.Write(packed, {i}, packer.At(plain, {i})); });
  LoopBuilder build;
  const int view = build.Input("W", DType::kF32, {4});
  const int c = build.Output("C", DType::kF32, {});
  build.program().parameters[0].is_packed = true;
  build.program().parameters[0].bytes = 128;
  build.program().buffers[0].byte_offset = 64;
  LoopProgram program = build.Finish(build.Write(c, {}, build.At(view, {IndexConstant(3)})));
  program.packs.push_back({0, std::make_shared<const LoopProgram>(packer.Finish(copy))});
  EXPECT_EQ(program.ToText(),
            "input W : f32, packed in 128 bytes\n"
            "output C : f32\n"
            "view W[4] : f32 global of W at byte 64\n"
            "view C[] : f32 global of C\n"
            "C[] = W[3]\n"
            "\n"
            "pack W:\n"
            "input W : f32\n"
            "output W.packed : f32\n"
            "view W[4] : f32 global of W\n"
            "view W.packed[4] : f32 global of W.packed\n"
            "for i0 in 0..4\n"
            "  W.packed[i0] = W[i0]\n");
}

// Equal but separate programs print alike; one that differs in a single extent does not.
TEST(LoopProgramTest, PrintsEqualProgramsAlike) {
  const auto text = [](int64_t extent) {
    LoopBuilder build;
    const int c = build.Output("C", DType::kF32, {8});
    return build
        .Finish(build.Serial(
            extent, [&](const Expr& i) { return build.Write(c, {i}, Constant(DType::kF32, 1)); }))
        .ToText();
  };
  EXPECT_EQ(text(8), text(8));
  EXPECT_NE(text(8), text(7));
}

}  // namespace
}  // namespace schedulegym
