#include "env/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "output_file_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string Contents(const std::string& path) {
    return ReadUntrustedFile(path, kTraceFile);
  }
  size_t Files() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

  std::string folder_;
};

TEST_F(OutputFileTest, AppearsWhenCommitted) {
  OutputFile file(folder_ + "/a.txt");
  file.Write("text\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/a.txt"));
  file.Commit();
  EXPECT_EQ(Contents(folder_ + "/a.txt"), "text\n");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingBehindOtherwise) {
  std::ofstream(folder_ + "/a.txt") << "old";
  {
    OutputFile file(folder_ + "/a.txt");
    file.Write("new");
  }
  EXPECT_EQ(Contents(folder_ + "/a.txt"), "old");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, UnwritablePlacesAreBadInput) {
  EXPECT_THROW(OutputFile(folder_ + "/no/such/a.txt"), InputError);
  EXPECT_THROW(OutputFile file(folder_), InputError);
  EXPECT_EQ(Files(), 0u);
}

}  // namespace
}  // namespace schedulegym
