#include "experiments/bench/expert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

class ExpertTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "experts";
    std::filesystem::remove_all(folder_);
    Write("avx2/small.trace", "trace 1\n");
    Write("avx512/small.trace", "trace 1\n# wide\n");
    Write("avx512/only_wide.trace", "trace 1\n");
  }
  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_ + "/" + path).parent_path());
    std::ofstream(folder_ + "/" + path) << text;
  }
  std::vector<ExpertSchedule> Read(int vector_bits) {
    Target target;
    target.vector_bits = vector_bits;
    return ReadExperts(folder_, target);
  }
  std::string Complaint() {
    return InputFaultOf([&] { Read(256); });
  }

  std::string folder_;
};

TEST_F(ExpertTest, TakesTheTracesOfTheVectorWidth) {
  Write("index.txt", "# all\nsmall  matmul(m=1, n=2, k=3)  # tiny\n\nonly_wide softmax(n=4,m=4)\n");
  const auto wide = Read(512);
  ASSERT_EQ(wide.size(), 2);
  EXPECT_EQ(wide[0].name, "small");
  EXPECT_EQ(wide[0].workload, "matmul(m=1, n=2, k=3)");
  EXPECT_EQ(wide[0].trace, "trace 1\n# wide\n");
  const auto narrow = Read(256);
  EXPECT_EQ(narrow[0].trace, "trace 1\n");
  EXPECT_EQ(narrow[1].name, "only_wide");
  EXPECT_EQ(narrow[1].trace, "");
}

TEST_F(ExpertTest, AMissingIndexIsNamed) {
  EXPECT_THAT(Complaint(), HasSubstr("experts/index.txt"));
}

TEST_F(ExpertTest, ALineNeedsAWorkload) {
  Write("index.txt", "small matmul(m=1,n=2,k=3)\nlonely\n");
  EXPECT_THAT(Complaint(), HasSubstr("index.txt:2: found 'lonely'"));
}

}  // namespace
}  // namespace schedulegym
