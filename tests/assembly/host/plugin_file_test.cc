#include "assembly/host/plugin_loader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "tests/assembly/host/sealed_file.h"

namespace schedulegym {
namespace {

const std::string kSeveral = std::string(SG_PLUGINS) + "/several.so";

TEST(PluginFileTest, TheSealIsReadAsItStands) {
  EXPECT_TRUE(IsLibrary(kSeveral));
  const std::optional<PluginAbiTag> abi_tag = ReadPluginAbiTag(kSeveral);
  ASSERT_TRUE(abi_tag.has_value());
  const PluginAbiTag ours = AbiTagOfThisBuild();
  EXPECT_EQ(std::memcmp(&*abi_tag, &ours, sizeof ours), 0);
  SealedFile changed(kSeveral, ours);
  changed.Change([](PluginAbiTag& one) { one.api = 9; });
  const std::string copy = testing::TempDir() + "changed.so";
  changed.Write(copy);
  EXPECT_EQ(ReadPluginAbiTag(copy)->api, 9U);
}

TEST(PluginFileTest, OthersHaveNone) {
  EXPECT_TRUE(IsLibrary(SG_SHARED_LIBRARY));
  EXPECT_FALSE(ReadPluginAbiTag(SG_SHARED_LIBRARY));
  for (const char* file : {"/nowhere/agent.so", "/", SG_SOURCE_DIR "/README.md"}) {
    EXPECT_FALSE(IsLibrary(file)) << file;
    EXPECT_FALSE(ReadPluginAbiTag(file)) << file;
  }
}

// A truncated file has a tag or none, without reading beyond its end.
TEST(PluginFileTest, ATornFileIsNoReasonToReadOn) {
  const std::string copy = testing::TempDir() + "torn.so";
  std::filesystem::copy_file(kSeveral, copy, std::filesystem::copy_options::overwrite_existing);
  const auto whole = std::filesystem::file_size(copy);
  int read = 0;
  for (int i = 31; i >= 0; --i) {
    std::filesystem::resize_file(copy, whole * i / 32);
    read += static_cast<int>(ReadPluginAbiTag(copy).has_value());
  }
  EXPECT_EQ(read, 0) << "the sections are told at the end";
}

}  // namespace
}  // namespace schedulegym
