#include <gtest/gtest.h>

#include "env/program/language/parser.h"
#include "tests/env/program/random_dag.h"

namespace schedulegym {
namespace {

// Printing is a fixed point of parsing, and both keep the value.
TEST(DagTextTest, ParsesToAnEqualValue) {
  Rng rng(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const ComputeDag dag = RandomDag(rng);
    const std::string text = dag.ToText();
    const auto parsed = ParseDag(text, "printed.dag");
    ASSERT_TRUE(parsed.ok()) << parsed.error().message << "\n" << text;
    ASSERT_EQ(parsed->ToText(), text);
    ASSERT_TRUE(*parsed == dag) << text;
    ASSERT_EQ(parsed->key(), dag.key());
  }
}

TEST(DagTextTest, SaysOutputsThatDoNotFollow) {
  const std::string text = "input A[3]\nB[i:3] = A[i] * 2\nC[i:3] = B[i] + 1\noutput C\noutput B\n";
  EXPECT_EQ(ParseDag(text, "t.dag")->ToText(), text);
  const std::string implied = "input A[3]\nB[i:3] = A[i] * 2\nC[i:3] = B[i] + 1\n";
  EXPECT_EQ(ParseDag(implied + "output C\n", "t.dag")->ToText(), implied);
}

TEST(DagTextTest, SaysTypesThatDoNotFollow) {
  const std::string text = "A[i:3] = i32(select(i < 2, 1, 0))\nB[i:3] = select(i < 2, 1.0, 0.0)\n";
  const auto dag = ParseDag(text, "t.dag");
  ASSERT_TRUE(dag.ok());
  EXPECT_EQ(dag->tensor(0).type, DType::kI32);
  EXPECT_EQ(dag->ToText(), text);
}

}  // namespace
}  // namespace schedulegym
