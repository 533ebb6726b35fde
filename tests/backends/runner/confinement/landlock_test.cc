#include "backends/runner/confinement/landlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

class LandlockTest : public testing::Test {
 protected:
  void SetUp() override {
    if (LandlockVersion() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    folder_ = fs::path(testing::TempDir()) / ("landlock " + std::to_string(getpid()));
    for (const char* name : {"open/deep", "open/hidden", "closed"}) {
      fs::create_directories(folder_ / name);
      std::ofstream(folder_ / name / "file") << "text";
    }
    std::ofstream(folder_ / "open/file") << "text";
    fs::create_directory_symlink(folder_ / "closed", folder_ / "open/link");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string At(const char* name) const { return (folder_ / name).string(); }
  bool Reads(const char* name) const { return std::ifstream(folder_ / name).is_open(); }
  bool Writes(const char* name) const { return std::ofstream(folder_ / name).is_open(); }
  bool Lists(const char* name) const {
    std::error_code refused;
    const fs::directory_iterator found(folder_ / name, refused);
    return !refused;
  }

  // Output of a process with these rights: one letter for each check.
  std::string Answers(const FileRights& rights, const std::vector<std::function<bool()>>& asked) {
    const pid_t child = fork();
    if (child == 0) {
      RestrictFiles(rights);
      int code = 0;
      for (size_t i = 0; i < asked.size(); ++i) code |= static_cast<int>(asked[i]()) << i;
      _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::string answers;
    for (size_t i = 0; i < asked.size(); ++i) {
      answers += (WEXITSTATUS(status) >> i & 1) != 0 ? 'y' : 'n';
    }
    return answers;
  }

  fs::path folder_;
};

TEST_F(LandlockTest, OnlyWhatIsNamedIsRead) {
  EXPECT_EQ(Answers({.reads = {At("open"), At("nowhere")}},
                    {[&] { return Reads("open/file"); }, [&] { return Reads("open/deep/file"); },
                     [&] { return Lists("open"); }, [&] { return Reads("closed/file"); },
                     [&] { return Reads("open/link/file"); }, [&] { return Writes("open/file"); }}),
            "yyynnn");
}

TEST_F(LandlockTest, WhatIsHiddenIsNot) {
  EXPECT_EQ(Answers({.reads = {At("open")}, .hidden = {At("open/hidden")}},
                    {[&] { return Reads("open/file"); }, [&] { return Reads("open/deep/file"); },
                     [&] { return Reads("open/hidden/file"); }, [&] { return Lists("open"); }}),
            "yyny");
  EXPECT_EQ(Answers({.reads = {At("open/hidden")}, .hidden = {At("open")}},
                    {[&] { return Reads("open/hidden/file"); }}),
            "n");
}

TEST_F(LandlockTest, NamesAloneAndWriting) {
  EXPECT_EQ(Answers({.lists = {At("open")}, .writes = {At("closed")}},
                    {[&] { return Lists("open"); }, [&] { return Reads("open/file"); },
                     [&] { return Writes("closed/new"); }, [&] { return Reads("closed/file"); },
                     [&] { return fs::create_directory(folder_ / "closed/folder"); },
                     [&] {
                       std::error_code refused;
                       fs::rename(folder_ / "open/file", folder_ / "closed/taken", refused);
                       return !refused;
                     }}),
            "ynyyyn");
}

TEST_F(LandlockTest, ItIsRequired) { EXPECT_NO_THROW(RequireLandlock()); }

}  // namespace
}  // namespace schedulegym
