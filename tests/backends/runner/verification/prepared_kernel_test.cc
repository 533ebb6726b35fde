#include "backends/runner/verification/prepared_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/schedule/state.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

// C = A * B for a weight B of 4 x 6, under a schedule.
class PreparedKernelTest : public testing::Test {
 protected:
  Result<PreparedKernel> Make(const std::string& trace) {
    const auto task = std::make_shared<const Task>(
        Task{DagOf("input A[2, 4]\nweight B[4, 6]\nC[i:2, j:6] = sum(k:4) A[i, k] * B[k, j]\n"),
             MakeTarget(ParseSpec("interpreter").value()), "product"});
    backend_ = MakeInterpreter(task->target);
    program_ = Lower(ReplayText(task, trace).value()).value();
    return PreparedKernel::Make(*backend_, program_, arguments_);
  }

  void ExpectProduct(const AlignedBuffer& weight) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 6; ++j) {
        float sum = 0;
        for (int k = 0; k < 4; ++k)
          sum += a_.As<float>()[i * 4 + k] * weight.As<float>()[k * 6 + j];
        EXPECT_EQ(c_.As<float>()[i * 6 + j], sum) << i << ", " << j;
      }
    }
  }

  void SetUp() override {
    std::iota(a_.As<float>().begin(), a_.As<float>().end(), 1.0f);
    std::iota(b_.As<float>().begin(), b_.As<float>().end(), -5.0f);
    std::iota(other_.As<float>().begin(), other_.As<float>().end(), 3.0f);
  }

  AlignedBuffer a_{2 * 4 * 4}, b_{4 * 6 * 4}, other_{4 * 6 * 4}, c_{2 * 6 * 4};
  std::vector<void*> arguments_ = {a_.data(), b_.data(), c_.data()};
  std::unique_ptr<Backend> backend_;
  LoopProgram program_;
};

constexpr const char* kPacked =
    "trace 1\npack(stage=B, readers=[C], tile=[1, 3], order=[1, 0, 2])\n";

TEST_F(PreparedKernelTest, CallsWithPlainTensors) {
  const auto kernel = Make("trace 1\n");
  ASSERT_TRUE(kernel.ok()) << kernel.error().message;
  ASSERT_TRUE(kernel->Call().ok());
  ExpectProduct(b_);
  EXPECT_FALSE(kernel->is_parallel());
}

TEST_F(PreparedKernelTest, PacksWeightsWhenTheyAreBound) {
  auto kernel = Make(kPacked);
  ASSERT_TRUE(kernel.ok()) << kernel.error().message;
  ASSERT_EQ(program_.packs.size(), 1u);
  ASSERT_TRUE(kernel->Call().ok());
  ExpectProduct(b_);
  EXPECT_TRUE(kernel->BordersIntact());
  // The kernel reads the packed copy until other arguments are bound.
  const std::vector<void*> others = {a_.data(), other_.data(), c_.data()};
  ASSERT_TRUE(kernel->Bind(others).ok());
  ASSERT_TRUE(kernel->Call().ok());
  ExpectProduct(other_);
}

TEST_F(PreparedKernelTest, KnowsParallelLoops) {
  EXPECT_TRUE(Make("trace 1\nparallel(stage=C, loop=0)\n")->is_parallel());
}

TEST_F(PreparedKernelTest, NeedsAllArguments) {
  arguments_.pop_back();
  EXPECT_THROW(Make("trace 1\n"), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
