#include "env/program/compute_dag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "env/program/language/parser.h"
#include "tests/env/program/random_dag.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

ComputeDag Parsed(const std::string& text) { return *ParseDag(text, "t.dag"); }

Tensor Input(const std::string& name, std::vector<int64_t> shape) {
  Tensor tensor;
  tensor.name = name;
  tensor.shape = std::move(shape);
  return tensor;
}

// name[i:extent] = body.
Tensor Definition(const std::string& name, int64_t extent, Expr body) {
  Tensor tensor = Input(name, {extent});
  tensor.kind = TensorKind::kDefinition;
  tensor.type = body->type;
  tensor.axes = {{"i", extent}};
  tensor.body = std::move(body);
  return tensor;
}

Expr ReadOf(int id) { return Read(DType::kF32, id, {Variable(0)}); }

std::string DagFault(std::vector<Tensor> tensors, std::vector<int> outputs = {}) {
  const auto dag = ComputeDag::Create(std::move(tensors), std::move(outputs));
  return dag.ok() ? "" : dag.error().message;
}

TEST(ComputeDagTest, RefusesMalformedTensors) {
  const Tensor a = Input("A", {4});
  EXPECT_EQ(DagFault({a, Definition("B", 4, ReadOf(0))}), "");
  EXPECT_THAT(DagFault({a, a}), HasSubstr("defined twice"));
  EXPECT_THAT(DagFault({a}), HasSubstr("nothing is computed"));
  EXPECT_THAT(DagFault({a, Definition("B", 4, ReadOf(2))}), HasSubstr("does not exist"));
  EXPECT_THAT(DagFault({a, Definition("B", 4, Read(DType::kF32, 0, {}))}), HasSubstr("rank"));
  EXPECT_THAT(DagFault({a, Definition("B", 4, Read(DType::kF64, 0, {Variable(0)}))}),
              HasSubstr("wrong type"));
  EXPECT_THAT(DagFault({a, Definition("B", 4, Read(DType::kF32, 0, {Variable(1)}))}),
              HasSubstr("no axis"));
  EXPECT_THAT(DagFault({Definition("B", 4, ReadOf(1)), Definition("C", 4, ReadOf(0))}),
              HasSubstr("cycle"));
  EXPECT_THAT(DagFault({Input("A", {0}), Definition("B", 4, Constant(DType::kF32, 1))}),
              HasSubstr("not positive"));
  Tensor torn = Definition("B", 4, ReadOf(0));
  torn.combiner = Combiner::kSum;
  EXPECT_THAT(DagFault({a, torn}), HasSubstr("combiner"));
  torn = Definition("B", 4, ReadOf(0));
  torn.shape = {5};
  EXPECT_THAT(DagFault({a, torn}), HasSubstr("differs"));
}

TEST(ComputeDagTest, RefusesMalformedOutputs) {
  const Tensor a = Input("A", {4});
  const Tensor b = Definition("B", 4, ReadOf(0));
  EXPECT_THAT(DagFault({a, b}, {0}), HasSubstr("no definition"));
  EXPECT_THAT(DagFault({a, b}, {7}), HasSubstr("no definition"));
  EXPECT_THAT(DagFault({a, b}, {1, 1}), HasSubstr("twice"));
}

TEST(ComputeDagTest, OrdersProducersFirst) {
  const ComputeDag dag =
      Parsed("D[i:2] = C[i] + B[i]\ninput A[2]\nC[i:2] = B[i]\nB[i:2] = A[i]\nE[i:2] = A[i]");
  EXPECT_EQ(dag.topological_order(), (std::vector<int>{1, 3, 2, 0, 4}));
}

TEST(ComputeDagTest, FindsByName) {
  const ComputeDag dag = Parsed("input A[2]\nB[i:2] = A[i]");
  EXPECT_EQ(dag.Find("B"), 1);
  EXPECT_EQ(dag.Find("b"), -1);
  EXPECT_TRUE(dag.is_output(1));
  EXPECT_FALSE(dag.is_output(0));
}

constexpr const char* kMatmul =
    "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j]\n";

// Changes that keep the key.
TEST(ComputeDagTest, KeyIgnoresCommentsSpacesAxesAndParameters) {
  const ComputeDag dag = Parsed(kMatmul);
  const ComputeDag renamed = Parsed(
      "param rows = 4 # why\n\ninput   A[rows,5]\ninput B[5, 6]\n"
      "C[x:rows, y : 6] = sum(z:5)(A[x, z]*B[z, y])\n");
  EXPECT_EQ(dag.key(), renamed.key());
  EXPECT_TRUE(dag == renamed);
  EXPECT_EQ(dag.tensor(2).axes[0].name, "i");
  EXPECT_EQ(renamed.tensor(2).axes[0].name, "x");
}

// Changes that alter the key, each by itself.
TEST(ComputeDagTest, KeyCoversTheRest) {
  const char* variants[] = {
      kMatmul,
      "input A[4, 5]\nweight B[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput D[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] * D[k, j]\n",
      "input B[5, 6]\ninput A[4, 5]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = max(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] + B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:5) B[k, j] * A[i, k]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:4) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:5] = sum(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5] : f64\ninput B[5, 6] : f64\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\ninput Z[1]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j]\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j] * 2\n",
      "input A[4, 5]\ninput B[5, 6]\nC[i:4, j:6] = sum(k:5) A[i, k] * B[k, j] * 3\n",
  };
  std::set<Key> keys;
  for (const char* text : variants) keys.insert(Parsed(text).key());
  EXPECT_EQ(keys.size(), std::size(variants));
  const std::string chain = "input A[2]\nB[i:2] = A[i]\nC[i:2] = B[i]\n";
  EXPECT_NE(Parsed(chain + "output C\noutput B").key(), Parsed(chain + "output B\noutput C").key());
  EXPECT_EQ(Parsed(chain + "output C").key(), Parsed(chain).key());
}

TEST(ComputeDagTest, KeysOfRandomDagsDiffer) {
  Rng rng(11);
  std::set<Key> keys;
  std::set<std::string> texts;
  for (int trial = 0; trial < 1000; ++trial) {
    const ComputeDag dag = RandomDag(rng);
    keys.insert(dag.key());
    texts.insert(dag.ToText());
  }
  EXPECT_EQ(keys.size(), texts.size());
}

TEST(ComputeDagTest, CombinersHaveIdentities) {
  for (const Combiner combiner :
       {Combiner::kSum, Combiner::kProduct, Combiner::kMax, Combiner::kMin}) {
    for (const DType type : {DType::kI32, DType::kI8}) {
      for (const double value : {-128.0, 0.0, 127.0}) {
        const Expr constant = Constant(type, value);
        EXPECT_TRUE(Equal(Combine(combiner, Identity(combiner, type), constant), constant));
      }
    }
  }
  EXPECT_EQ(Identity(Combiner::kMax, DType::kF32)->number, -HUGE_VAL);
  EXPECT_EQ(Identity(Combiner::kMin, DType::kF64)->number, HUGE_VAL);
  EXPECT_STREQ(CombinerName(Combiner::kProduct), "prod");
}

}  // namespace
}  // namespace schedulegym
