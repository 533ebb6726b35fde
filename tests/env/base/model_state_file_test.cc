#include "env/base/model_state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr FileKind kSmallFile = {"a small file", 1000};

TEST(ModelStateFileTest, BytesComeBack) {
  const std::string text("a\n\0b\n", 5);
  const SavedModelState back = ParseModelState(ToBytes({"boosted 7", text}), "it");
  EXPECT_EQ(back.kind, "boosted 7");
  EXPECT_EQ(back.text, text);
}

TEST(ModelStateFileTest, PartsComeBackWhateverTheirBytes) {
  const std::string text = JoinModelStates({{"a 1", "part 3 x\n\n"}, {"b 2", ""}});
  const std::vector<SavedModelState> parts = SplitModelStates(text, "it");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].kind, "a 1");
  EXPECT_EQ(parts[0].text, "part 3 x\n\n");
  EXPECT_EQ(parts[1].kind, "b 2");
  EXPECT_EQ(parts[1].text, "");
  EXPECT_TRUE(SplitModelStates("", "it").empty());
  for (const std::string& torn :
       {text.substr(0, text.size() - 1), text + "more", std::string("part -1 a\n\n"),
        std::string("part x a\n\n"), std::string("part 1 a\nbc"),
        std::string("part 99999999999999999999 a\n"), std::string("part 1")}) {
    EXPECT_THROW(SplitModelStates(torn, "it"), InputError) << torn;
  }
}

TEST(ModelStateFileTest, FilesOfBeforeTheLineAreKnownByTheirBegin) {
  const SavedModelState trees = ParseModelState("{\"learner\": 1}", "it");
  EXPECT_EQ(trees.kind, "boosted 1");
  EXPECT_EQ(trees.text, "{\"learner\": 1}");
  const SavedModelState checkpoint = ParseModelState("schedulegym checkpoint 1\nsum 1\n", "it");
  EXPECT_EQ(checkpoint.kind, "harl 1");
  EXPECT_EQ(checkpoint.text, "schedulegym checkpoint 1\nsum 1\n");
}

std::string Refusal(const std::string& bytes) {
  try {
    ParseModelState(bytes, "it");
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(ModelStateFileTest, WhatIsNoneIsRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("nothing"), std::string("schedulegym memory: boosted 1"),
        "schedulegym memory: " + std::string(200, 'a') + "\n"}) {
    EXPECT_THAT(Refusal(bytes), HasSubstr("it: found no file of tune --save-model")) << bytes;
  }
}

TEST(ModelStateFileTest, AnotherKindOrVersionIsRefusedByName) {
  const std::string path = testing::TempDir() + "memory_file_test";
  std::ofstream(path) << ToBytes({"harl 3", "text"});
  EXPECT_EQ(ReadModelState(path, kSmallFile, {"boosted 1", "harl 3"}).text, "text");
  try {
    ReadModelState(path, kSmallFile, {"harl 2", "harl 1"});
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_EQ(fault.what(), "cannot read '" + path + "' as a small file: found kind 'harl 3', " +
                                "expected 'harl 2' or 'harl 1'");
  }
  std::ofstream(path) << ToBytes(
      {"harl 4", JoinModelStates({{"harl 1", "a"}, {"boosted 1", "b"}})});
  EXPECT_EQ(ReadModelState(path, kSmallFile, {"boosted 1"}).text, "b");
  EXPECT_THROW(ReadModelState(path, kSmallFile, {"boosted 2"}), InputError);
  std::string deep = "c";
  for (int levels = 0; levels < 8; ++levels) {
    std::ofstream(path) << ToBytes(
        {"search 1",
         JoinModelStates({{"bytes 1", "part 9 x"}, {levels == 0 ? "c 1" : "d 1", deep}})});
    if (levels < 4) {
      EXPECT_EQ(ReadModelState(path, kSmallFile, {"c 1"}).text, "c") << levels;
    } else {
      EXPECT_THROW(ReadModelState(path, kSmallFile, {"c 1"}), InputError) << levels;
    }
    deep = JoinModelStates({{levels == 0 ? "c 1" : "d 1", deep}});
  }
  std::remove(path.c_str());
  EXPECT_THROW(ReadModelState(path, kSmallFile, {"harl 3"}), InputError);
}

}  // namespace
}  // namespace schedulegym
