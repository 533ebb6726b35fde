// Schedules that once caused faults, each with its cause.
#include <gtest/gtest.h>

#include <fstream>

#include "env/program/workloads/workload.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/machine_parts.h"

namespace schedulegym {
namespace {

// The fault of a schedule on a target; "" if there is none, or if this build lacks the target.
std::string FaultOn(const std::string& target, const std::string& workload,
                    const std::string& steps) {
  const ComputeDag dag = MakeWorkload(ParseSpec(workload).value());
  const auto task =
      std::make_shared<const Task>(Task{dag, MakeTarget(ParseSpec(target).value()), workload});
  if (!LackOf(task->target).empty()) return "";
  const std::unique_ptr<Backend> backend = MakeBackend(task->target);
  const ScheduleState state = ReplayText(task, "trace 1\n" + steps).value();
  return Differential(task, 1).Run(state, *backend).message;
}

std::string FaultOf(const std::string& workload, const std::string& steps) {
  const std::string fault = FaultOn("interpreter", workload, steps);
  return fault.empty() ? FaultOn("llvm(cores=2)", workload, steps) : fault;
}

// The same for `.dag` text.
std::string FaultOfDag(const std::string& text, const std::string& steps) {
  const std::string path = testing::TempDir() + "/regression.dag";
  std::ofstream(path) << text;
  return FaultOf(path, steps);
}

// Lanes beyond the loop's extent had poison in a mask of a branch.
TEST(RegressionTest, MasksOfShortVectors) {
  EXPECT_EQ(FaultOf("conv2d_transpose(h=1,w=2,ci=1,co=1,k=3,s=2,p=1,dtype=i32)",
                    "reorder(stage=Y, order=[0, 1, 3, 4, 5, 6, 2])\nvectorize(stage=Y, loop=6)\n"),
            "");
}

// Rows of padding are sums without terms.
TEST(RegressionTest, PartialSumsOfPadding) {
  EXPECT_EQ(FaultOf("conv2d(h=7,w=6,ci=4,co=6,k=3,p=1)",
                    "rfactor(stage=Y, loop=4, axis=1)\ncompute_inline(stage=P)\n"),
            "");
}

// A weight that is copied before it is packed cannot be packed outside of the call.
TEST(RegressionTest, PacksOfCopiedWeights) {
  EXPECT_EQ(FaultOf("conv1d(l=13,ci=3,co=5,k=3,s=2,p=1)",
                    "pack(stage=W, readers=[Y], tile=[1, 1, 4], order=[2, 0, 1, 3])\n"
                    "cache_read(stage=W, scope=global, readers=[W.pack])\n"),
            "");
}

// A tile whose guard never holds needs no allocation.
TEST(RegressionTest, TilesBeyondTheExtent) {
  EXPECT_EQ(FaultOf("softmax(n=7,m=19)",
                    "fuse(stage=Y, loops=[0, 1])\n"
                    "split(stage=Y, loop=0, lengths=[4, 8], inner_to_outer=false)\n"
                    "reorder(stage=Y, order=[1, 0, 2])\nparallel(stage=Y, loop=0)\n"),
            "");
}

// Lanes beyond the loop's extent divided by poison, which invalidated all others.
TEST(RegressionTest, DivisorsOfShortVectors) {
  for (const char* divides : {"//", "/", "%"}) {
    EXPECT_EQ(FaultOfDag(std::string("input A[11]: i8\nY[i:11] = A[i] ") + divides +
                             " i8(i % 4 * 3 - 1)\n",
                         "vectorize(stage=Y, loop=0)\n"),
              "");
  }
}

// With many conditions the prover missed an index that its ranges alone prove to be in bounds.
TEST(RegressionTest, IndicesThatRangesProve) {
  EXPECT_EQ(
      FaultOfDag(
          "input A0[2, 4, 7]\n"
          "T1[i:12, j:4] = select(i + j - 2 >= 0 && i + j - 2 < 7, A0[i // 3 % 2, j, i + j - 2], "
          "0)\n"
          "T2[i:2, j:6, l:5] = select(j == 1 && select(l + i >= 0 && l + i < 12, T1[l + i, i], 0) "
          "<= select(l * 2 - 1 >= 0 && l * 2 - 1 < 12, T1[l * 2 - 1, i], 0), select(i * 3 + l - 1 "
          ">= 0 && i * 3 + l - 1 < 4, T1[i // 3 % 12, i * 3 + l - 1], 0) / (abs(T1[j, i]) + 1), "
          "-select(j * 3 + i - 1 >= 0 && j * 3 + i - 1 < 12 && i * 3 + l - 2 >= 0 && i * 3 + l - 2 "
          "< 4, T1[j * 3 + i - 1, i * 3 + l - 2], 0)) * select(!(T1[l, (l * 2 + i + 2) % 4] >= "
          "select(i * 3 + j >= 0 && i * 3 + j < 2, A0[i * 3 + j, l // 4 % 4, j], 0)), select(j + l "
          ">= 0 && j + l < 4, T1[l, j + l], 0), sqrt(abs(select(l * 2 + j - 1 >= 0 && l * 2 + j - "
          "1 < 4, T1[(j * 2 + i + 2) % 12, l * 2 + j - 1], 0)) + 0.5))\n",
          "compute_at(stage=T1, target=T2, loop=2)\n"
          "fuse(stage=T2, loops=[0, 1, 2])\n"),
      "");
}

// The ranges proved only the lower bound of an index, and the prover only the upper one.
TEST(RegressionTest, IndicesWhoseEndsAreShownApart) {
  EXPECT_EQ(
      FaultOfDag("input A[8, 1]\n"
                 "B[i:2, j:2] = select(j * 2 + i >= 0 && j * 2 + i < 1, A[i // 4 % 8, j * 2 + "
                 "i], 0)\n"
                 "C[i:7] = B[i % 2, i // 3 % 2]\n",
                 "compute_inline(stage=B)\n"),
      "");
}

}  // namespace
}  // namespace schedulegym
