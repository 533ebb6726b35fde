#include "backends/runner/sandbox/bound_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace schedulegym {
namespace {

// Packs copy 12 bytes; the kernel calls the test's function.
struct FakeKernel : Kernel {
  Result<void> Run(std::span<void* const> arguments) const override { return run(arguments); }
  Result<void> Pack(int pack, const void* plain, void* packed) const override {
    if (pack == failing_pack) return Error{ErrorKind::kRun, "cannot pack"};
    std::memcpy(static_cast<char*>(packed) + 12 * pack, plain, 12);
    return {};
  }

  std::function<Result<void>(std::span<void* const>)> run;
  int failing_pack = -1;
};

class FakeBackend : public Backend {
 public:
  const Target& target() const override { return target_; }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram&,
                                          const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, ""};
  }
  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, ""};
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const override {
    if (object.empty()) return Error{ErrorKind::kCompile, "nothing to link"};
    EXPECT_EQ(packs, expected_packs);
    return std::unique_ptr<Kernel>(std::make_unique<FakeKernel>(kernel));
  }

  FakeKernel kernel;
  int expected_packs = 0;

 private:
  Target target_;
};

// An input, a weight of 24 bytes that two packs fill, and an output.
class BoundKernelTest : public testing::Test {
 protected:
  BoundKernelTest() {
    code_.object = "code";
    code_.contract.parameters = {{12, false, false}, {24, false, true}, {12, true, false}};
    code_.contract.packs = {1, 1};
    backend_.expected_packs = 2;
    backend_.kernel.run = [this](std::span<void* const> arguments) -> Result<void> {
      seen_.assign(arguments.begin(), arguments.end());
      return {};
    };
  }

  std::array<char, 12> input_{}, output_{};
  std::array<char, 13> weight_ = {"packed twice"};
  std::array<void*, 3> tensors_ = {input_.data(), weight_.data(), output_.data()};
  FakeBackend backend_;
  ObjectCode code_;
  std::vector<void*> seen_;
};

TEST_F(BoundKernelTest, WeightsArePackedIntoMemoryOfItsOwn) {
  Result<BoundKernel> kernel = BoundKernel::Make(backend_, code_);
  ASSERT_TRUE(kernel.ok());
  ASSERT_TRUE(kernel->Bind(tensors_).ok());
  ASSERT_TRUE(kernel->Call().ok());
  ASSERT_EQ(seen_.size(), 3u);
  EXPECT_EQ(seen_[0], input_.data());
  EXPECT_EQ(seen_[2], output_.data());
  EXPECT_NE(seen_[1], weight_.data());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seen_[1]) % 64, 0u);
  EXPECT_EQ(std::memcmp(seen_[1], "packed twicepacked twice", 24), 0);
  EXPECT_TRUE(kernel->BordersIntact());
}

TEST_F(BoundKernelTest, NewTensorsArePackedAnew) {
  BoundKernel kernel = BoundKernel::Make(backend_, code_).value();
  ASSERT_TRUE(kernel.Bind(tensors_).ok());
  std::memcpy(weight_.data(), "other packed", 12);
  ASSERT_TRUE(kernel.Bind(tensors_).ok());
  ASSERT_TRUE(kernel.Call().ok());
  EXPECT_EQ(std::memcmp(seen_[1], "other packed", 12), 0);
}

TEST_F(BoundKernelTest, WritesBesideThePackedWeightsAreNoticed) {
  for (int64_t offset : {-1, -64, 24, 60}) {
    BoundKernel kernel = BoundKernel::Make(backend_, code_).value();
    ASSERT_TRUE(kernel.Bind(tensors_).ok());
    ASSERT_TRUE(kernel.Call().ok());
    EXPECT_TRUE(kernel.BordersIntact());
    static_cast<char*>(seen_[1])[offset] = 1;
    EXPECT_FALSE(kernel.BordersIntact()) << offset;
  }
}

TEST_F(BoundKernelTest, FailuresAreAnswers) {
  backend_.kernel.failing_pack = 1;
  EXPECT_EQ(BoundKernel::Make(backend_, code_)->Bind(tensors_).error().message, "cannot pack");
  backend_.kernel.failing_pack = -1;
  backend_.kernel.run = [](std::span<void* const>) -> Result<void> {
    return Error{ErrorKind::kRun, "cannot run"};
  };
  BoundKernel kernel = BoundKernel::Make(backend_, code_).value();
  ASSERT_TRUE(kernel.Bind(tensors_).ok());
  EXPECT_EQ(kernel.Call().error().message, "cannot run");
  code_.object.clear();
  const Result<BoundKernel> unlinked = BoundKernel::Make(backend_, code_);
  ASSERT_FALSE(unlinked.ok());
  EXPECT_EQ(unlinked.error().kind, ErrorKind::kCompile);
}

TEST_F(BoundKernelTest, MoreWeightsThanMemoryAreAnAnswer) {
  code_.contract.parameters[1].bytes = int64_t{1} << 50;
  const Result<BoundKernel> kernel = BoundKernel::Make(backend_, code_);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.error().kind, ErrorKind::kRun);
}

}  // namespace
}  // namespace schedulegym
