#include "spaces/roles.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

ScheduleState StateOf(const std::string& workload) {
  return ScheduleState::Initial(WorkloadTask(workload, Avx2Target()));
}
Role RoleIn(const ScheduleState& state, const std::string& stage) {
  return RoleOf(state, state.Find(stage));
}

TEST(RolesTest, TellsReductionsApart) {
  const ScheduleState conv = StateOf("conv_layer(h=8,w=8,ci=16,co=16,k=3,p=1)");
  EXPECT_EQ(RoleIn(conv, "X"), Role::kInput);
  EXPECT_EQ(RoleIn(conv, "P"), Role::kMap);
  EXPECT_EQ(RoleIn(conv, "Y"), Role::kHeavy);
  EXPECT_EQ(RoleIn(conv, "Z"), Role::kMap);
  const ScheduleState softmax = StateOf("softmax(n=32,m=64)");
  EXPECT_EQ(RoleIn(softmax, "M"), Role::kRow);
  EXPECT_EQ(RoleIn(softmax, "S"), Role::kRow);
}

// Sums of columns vectorise directly; sums of rows do not.
TEST(RolesTest, ColumnsAreHeavyRowsAreRows) {
  const ScheduleState state = ScheduleState::Initial(DagTask(
      "input A[32, 64]\nC[j:64] = sum(i:32) A[i, j]\nR[i:32] = sum(j:64) A[i, j]\n", Avx2Target()));
  EXPECT_EQ(RoleIn(state, "C"), Role::kHeavy);
  EXPECT_EQ(RoleIn(state, "R"), Role::kRow);
}

// A transposed operand is packed if each element is read often.
TEST(RolesTest, TransposedProductsAreHeavyIfLarge) {
  const auto role = [](int rows) {
    const std::string dag = "input A[" + std::to_string(rows) +
                            ", 64]\ninput B[32, 64]\nC[i:" + std::to_string(rows) +
                            ", j:32] = sum(k:64) A[i, k] * B[j, k]\n";
    return RoleIn(ScheduleState::Initial(DagTask(dag, Avx2Target())), "C");
  };
  EXPECT_EQ(role(32), Role::kHeavy);
  EXPECT_EQ(role(1), Role::kRow);
}

// Along channels; for a product along either axis, because copying an operand pays off.
TEST(RolesTest, KnowsWhereVectorsMayLie) {
  const auto dimensions = [](const std::string& workload, const std::string& stage) {
    const ScheduleState state = StateOf(workload);
    return VectorDimensions(state, AnalyzeNest(state, state.Find(stage)));
  };
  EXPECT_EQ(dimensions("conv2d(h=8,w=8,ci=16,co=3,k=3,p=1)", "Y"), (std::vector<int>{3}));
  EXPECT_EQ(dimensions("matmul(m=32,n=32,k=32)", "C"), (std::vector<int>{0, 1}));
  EXPECT_EQ(dimensions("norm(n=16,m=16)", "S"), (std::vector<int>{}));
}

// Partial sums of a product are heavy, those of a row are not.
TEST(RolesTest, TellsHeavyPartialsFromRows) {
  constexpr char kLanes[] =
      "trace 1\nsplit(stage=Y, loop=2, lengths=[8])\nrfactor(stage=Y, loop=3, axis=2)\n";
  const ScheduleState product = ScheduledDag(
      "input X[20, 16]\nweight W[16, 8]\nY[x:20, o:8] = sum(c:16) X[x, c] * W[c, o]\n", kLanes);
  EXPECT_EQ(HeavyPartials(product, product.Find("Y")), product.Find("Y.rf"));
  EXPECT_EQ(HeavyPartials(product, product.Find("Y.rf")), -1);
  const ScheduleState rows =
      ScheduledDag("input X[20, 3, 16]\nY[x:20, o:3] = sum(c:16) X[x, o, c]\n", kLanes);
  EXPECT_EQ(HeavyPartials(rows, rows.Find("Y")), -1);
}

TEST(RolesTest, KnowsCopies) {
  const ScheduleState state = ScheduleState::Initial(
      DagTask("input A[8, 9]\nT[j:9, i:8] = A[i, j]\nP[i:10, j:9] = select(i >= 1 && i < 9, A[i - "
              "1, j], 0)\n"
              "D[i:8, j:9] = A[i, j] * 2\nB[i:8, j:9] = select(i >= 1, A[i, j], A[i, 0])\n"
              "S[i:8] = sum(j:9) A[i, j]\n",
              Avx2Target()));
  const auto is_copy = [&](const char* name) { return IsCopy(*state.stage(state.Find(name)).op); };
  EXPECT_TRUE(is_copy("T"));
  EXPECT_TRUE(is_copy("P"));
  EXPECT_FALSE(is_copy("D"));
  EXPECT_FALSE(is_copy("B"));
  EXPECT_FALSE(is_copy("S"));
  EXPECT_FALSE(is_copy("A"));
}

TEST(RolesTest, KnowsDearFunctions) {
  const ScheduleState state = ScheduleState::Initial(
      DagTask("input A[8]\nB[i:8] = exp(A[i])\nC[i:8] = A[i] * 2 + 1\nD[i:8] = A[i] / 3\n"
              "E[i:8] = pow(A[i], 2)\n",
              Avx2Target()));
  const auto calls = [&](const char* name) {
    return CallsFunctions(*state.stage(state.Find(name)).op);
  };
  EXPECT_TRUE(calls("B"));
  EXPECT_FALSE(calls("C"));
  EXPECT_TRUE(calls("D"));
  EXPECT_TRUE(calls("E"));
}

TEST(RolesTest, MatchesElementwiseReaders) {
  const ScheduleState state = ScheduleState::Initial(DagTask(
      "input A[8, 9]\ninput B[9, 8]\nC[i:8, j:8] = sum(k:9) A[i, k] * B[k, j]\n"
      "D[i:8, j:8] = C[i, j] + 1\nE[i:8, j:8] = sum(k:9) A[i, k] * B[k, j]\nF[i:8, j:8] = E[j, i]\n"
      "G[i:8, j:8] = sum(k:9) A[i, k] * B[k, j]\nH[i:8, j:8] = G[i, j] + 1\nI[i:8, j:8] = G[i, j] "
      "+ 2\n",
      Avx2Target()));
  EXPECT_EQ(MatchedConsumer(state, state.Find("C")), state.Find("D"));
  EXPECT_EQ(MatchedConsumer(state, state.Find("E")), -1);  // transposed
  EXPECT_EQ(MatchedConsumer(state, state.Find("G")), -1);  // two readers
  EXPECT_EQ(MatchedConsumer(state, state.Find("D")), -1);  // an output
}

// tbs: the softmax rows share batch, head and row with the product, batch and head with U.
TEST(RolesTest, CountsCommonRows) {
  const ScheduleState state = StateOf("tbs(n=2,l=16,heads=3,size=8)");
  const std::vector<int> rows = CommonRows(state, state.Find("Y"));
  EXPECT_EQ(rows[state.Find("M")], 3);
  // Y reads E element by element, but a whole row of D.
  EXPECT_EQ(rows[state.Find("E")], 3);
  EXPECT_EQ(rows[state.Find("U")], 2);
  EXPECT_EQ(rows[state.Find("Q")], -1);
  EXPECT_EQ(rows[state.Find("Y")], 4);
}

}  // namespace
}  // namespace schedulegym
