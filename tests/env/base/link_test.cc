#include "env/base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

class LinkTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "link_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/sub");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string Follow(const std::string& path) {
    std::error_code error;
    const std::string end = FollowLinks(path, error);
    EXPECT_FALSE(error) << path << ": " << error.message();
    return end;
  }

  std::string folder_;
};

TEST_F(LinkTest, WhatIsNoLinkStaysAsItIs) {
  std::ofstream(Path("file")) << "";
  for (const std::string& path : {Path("file"), Path("sub"), Path("nothing"), Path("no/such/file"),
                                  Path("sub/../file"), std::string("relative"), std::string("")}) {
    EXPECT_EQ(Follow(path), path);
  }
}

TEST_F(LinkTest, LinksAreFollowedFromTheFolderOfEach) {
  std::ofstream(Path("file")) << "";
  fs::create_symlink("../file", Path("sub/near"));
  fs::create_symlink("sub/near", Path("far"));
  fs::create_symlink(Path("file"), Path("whole"));
  fs::create_symlink("nothing", Path("dangling"));
  for (const char* name : {"sub/near", "far", "whole"}) {
    EXPECT_TRUE(fs::equivalent(Follow(Path(name)), Path("file"))) << name;
    EXPECT_FALSE(fs::is_symlink(Follow(Path(name)))) << name;
  }
  EXPECT_EQ(Follow(Path("dangling")), Path("nothing"));
}

TEST_F(LinkTest, AsManyLinksAsTheSystemFollowsAndNoMore) {
  std::ofstream(Path("0")) << "";
  for (int i = 1; i <= 41; ++i) fs::create_symlink(std::to_string(i - 1), Path(std::to_string(i)));
  EXPECT_EQ(Follow(Path("40")), Path("0"));
  EXPECT_TRUE(std::ifstream(Path("40")).is_open());
  std::error_code error;
  FollowLinks(Path("41"), error);
  EXPECT_EQ(error, std::errc::too_many_symbolic_link_levels);
  EXPECT_FALSE(std::ifstream(Path("41")).is_open());
}

TEST_F(LinkTest, ALoopIsAnError) {
  fs::create_symlink("b", Path("a"));
  fs::create_symlink("a", Path("b"));
  fs::create_symlink("self", Path("self"));
  for (const char* name : {"a", "self"}) {
    std::error_code error;
    EXPECT_EQ(FollowLinks(Path(name), error), Path(name));
    EXPECT_EQ(error, std::errc::too_many_symbolic_link_levels);
  }
}

// The link's text, such as "pipe:[4711]", is not the path of a file.
TEST_F(LinkTest, AnOpenDescriptorIsNoLink) {
  EXPECT_EQ(Follow("/proc/self/fd/1"), "/proc/self/fd/1");
  fs::create_symlink("/proc/self/fd/1", Path("out"));
  EXPECT_EQ(Follow(Path("out")), "/proc/self/fd/1");
}

}  // namespace
}  // namespace schedulegym
