// The stores of a stage's innermost statements: sums in memory or in tiles, their begin and end.
#include <gtest/gtest.h>

#include "tests/env/lower/lowered.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[8, 6]\ninput B[6, 4]\nC[i:8, j:4] = sum(k:6) A[i, k] * B[k, j]\n";

// Spatial loops within the reduction are unrolled or vectors: their 2 * 4 cells form a tile.
TEST(WalkCellsTest, KeepsATileAcrossTheReduction) {
  EXPECT_EQ(BodyOf(kMatmul,
                   "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[0, 3, 1, 2])\n"
                   "unroll(stage=C, loop=2)\nvectorize(stage=C, loop=3)"),
            "for i.0 in 0..4\n"
            "  allocate C.tile[2, 4] : f32 local\n"
            "  unrolled i.1 in 0..2\n"
            "    vector j in 0..4\n"
            "      C.tile[i.1, j] = 0.0\n"
            "  for k in 0..6\n"
            "    unrolled i.1 in 0..2\n"
            "      vector j in 0..4\n"
            "        C.tile[i.1, j] = C.tile[i.1, j] + A[i.0 * 2 + i.1, k] * B[k, j]\n"
            "  unrolled i.1 in 0..2\n"
            "    vector j in 0..4\n"
            "      C[i.0 * 2 + i.1, j] = C.tile[i.1, j]\n");
}

// With a reduction loop around, the first tile is stored and the others are added to it.
TEST(WalkCellsTest, CombinesTilesOfSeveralParts) {
  EXPECT_EQ(BodyOf(kMatmul,
                   "split(stage=C, loop=2, lengths=[3])\nreorder(stage=C, order=[2, 0, 3, 1])\n"
                   "vectorize(stage=C, loop=3)"),
            "for k.0 in 0..2\n"
            "  for i in 0..8\n"
            "    allocate C.tile[4] : f32 local\n"
            "    vector j in 0..4\n"
            "      C.tile[j] = 0.0\n"
            "    for k.1 in 0..3\n"
            "      vector j in 0..4\n"
            "        C.tile[j] = C.tile[j] + A[i, k.0 * 3 + k.1] * B[k.0 * 3 + k.1, j]\n"
            "    if k.0 == 0\n"
            "      vector j in 0..4\n"
            "        C[i, j] = C.tile[j]\n"
            "    else\n"
            "      vector j in 0..4\n"
            "        C[i, j] = C[i, j] + C.tile[j]\n");
}

// A known part is first or not at compile time: 0 and 1, then the tail of 5 = 2 * 2 + 1.
TEST(WalkCellsTest, KnowsTheFirstTile) {
  const std::string body = BodyOf("input A[3, 5]\nC[i:3] = sum(k:5) A[i, k]\n",
                                  "split(stage=C, loop=1, lengths=[2])\n"
                                  "reorder(stage=C, order=[1, 0, 2])\nunroll(stage=C, loop=0)");
  EXPECT_EQ(CountOf("if ", body), 1);  // of the unrolled loop over whole parts
  EXPECT_EQ(CountOf("C[i] = C[i] + C.tile[]\n", body), 2);
  EXPECT_EQ(CountOf("C[i] = C.tile[]\n", body), 1);
}

// The first part of a sum with missing terms may be empty: the cells begin with 0 in memory.
TEST(WalkCellsTest, AddsTilesToZeroWhereTermsMayLack) {
  constexpr char kDag[] = "input X[11] : i32\nC[x:8] = sum(r:4) select(x + r >= 3, X[x + r], 0)\n";
  constexpr char kSteps[] =
      "split(stage=C, loop=1, lengths=[2])\nreorder(stage=C, order=[1, 0, 2])";
  const std::string body = BodyOf(kDag, kSteps);
  EXPECT_EQ(body.find("for x in 0..8\n  C[x] = 0\n"), 0u) << body;
  EXPECT_EQ(CountOf("r.0 == 0", body), 0);
  EXPECT_EQ(CountOf("C[x] = C.tile[]\n", body), 0);
  std::vector<int32_t> input, expected;
  for (int i = 0; i < 11; ++i) input.push_back(i * i + 1);
  for (int x = 0; x < 8; ++x) {
    int32_t sum = 0;
    for (int r = 0; r < 4; ++r) sum += x + r >= 3 ? input[x + r] : 0;
    expected.push_back(sum);
  }
  EXPECT_EQ(Outcome(kDag, kSteps, {input}), expected);
}

// A plain loop over cells within the reduction: the cells stay in memory.
TEST(WalkCellsTest, AddsInMemoryWithoutATile) {
  EXPECT_EQ(BodyOf(kMatmul, "reorder(stage=C, order=[0, 2, 1])"),
            "for i in 0..8\n"
            "  for j in 0..4\n"
            "    C[i, j] = 0.0\n"
            "  for k in 0..6\n"
            "    for j in 0..4\n"
            "      C[i, j] = C[i, j] + A[i, k] * B[k, j]\n");
}

TEST(WalkCellsTest, KeepsOneCellWhereTheReductionIsInnermost) {
  EXPECT_EQ(BodyOf("input A[8, 6]\nC[i:8] = sum(k:6) A[i, k]\n", ""),
            "for i in 0..8\n"
            "  allocate C.tile[] : f32 local\n"
            "  C.tile[] = 0.0\n"
            "  for k in 0..6\n"
            "    C.tile[] = C.tile[] + A[i, k]\n"
            "  C[i] = C.tile[]\n");
}

// A tile of 64 * 64 = 4096 cells is kept; with one more column it is not.
TEST(WalkCellsTest, BoundsTiles) {
  const auto body = [](const std::string& columns) {
    return BodyOf("input A[64, 2]\ninput B[2, " + columns + "]\nC[i:64, j:" + columns +
                      "] = sum(k:2) A[i, k] * B[k, j]\n",
                  "reorder(stage=C, order=[2, 0, 1])\nunroll(stage=C, loop=1)\n"
                  "vectorize(stage=C, loop=2)");
  };
  EXPECT_EQ(CountOf("allocate C.tile[64, 64] : f32 local\n", body("64")), 1);
  EXPECT_EQ(CountOf("tile", body("65")), 0);
}

TEST(WalkCellsTest, BeginsWithWhatChangesNothing) {
  const auto first = [](const std::string& reduction, const std::string& type) {
    const std::string body =
        BodyOf("input A[3] : " + type + "\nC[] = " + reduction + "(k:3) A[k]\n", "");
    const size_t begin = body.find("C.tile[] = ") + 11;
    return body.substr(begin, body.find('\n', begin) - begin);
  };
  EXPECT_EQ(first("sum", "f32"), "0.0");
  EXPECT_EQ(first("prod", "f32"), "1.0");
  EXPECT_EQ(first("sum", "i32"), "0");
  EXPECT_EQ(first("prod", "i32"), "1");
  EXPECT_EQ(first("max", "i32"), "-2147483648");
  EXPECT_EQ(first("min", "i32"), "2147483647");
  EXPECT_EQ(first("max", "i8"), "-128");
}

// All four combiners; tiles are stored, combined and left out.
TEST(WalkCellsTest, CombinesByEveryReduction) {
  std::vector<int32_t> input;
  for (int i = 0; i < 3 * 10; ++i) input.push_back((i * 7 + 3) % 5 - 2 + (i % 3 == 0));
  for (const std::string reduction : {"sum", "prod", "max", "min"}) {
    std::vector<int32_t> expected;
    for (int i = 0; i < 3; ++i) {
      int32_t value = input[i * 10];
      for (int k = 1; k < 10; ++k) {
        const int32_t term = input[i * 10 + k];
        if (reduction == "sum") value += term;
        if (reduction == "prod") value *= term;
        if (reduction == "max") value = std::max(value, term);
        if (reduction == "min") value = std::min(value, term);
      }
      expected.push_back(value);
    }
    const std::string dag = "input A[3, 10] : i32\nC[i:3] = " + reduction + "(k:10) A[i, k]\n";
    for (const char* steps :
         {"", "reorder(stage=C, order=[1, 0])",
          "reorder(stage=C, order=[1, 0])\n"
          "unroll(stage=C, loop=1)",
          "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[1, 0, 2])",
          "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[1, 2, 0])\n"
          "vectorize(stage=C, loop=2)",
          "rfactor(stage=C, loop=1, axis=1)"}) {
      EXPECT_EQ(Outcome(dag, steps, {input}), expected) << reduction << "\n" << steps;
    }
  }
}

}  // namespace
}  // namespace schedulegym
