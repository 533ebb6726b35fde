#include "assembly/processes/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolderTest, ItEndsWithItsOwner) {
  fs::path path, other;
  {
    const ScratchFolder folder, another;
    path = folder.path();
    other = another.path();
    EXPECT_NE(path, other);
    EXPECT_TRUE(fs::is_empty(path));
    EXPECT_EQ(folder.Bytes(), 0);
    fs::create_directory(path / "deep");
    std::ofstream(path / "deep/file") << "four";
    std::ofstream(path / "file") << "five.";
    EXPECT_EQ(folder.Bytes(), 9);
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(other));
}

}  // namespace
}  // namespace schedulegym
