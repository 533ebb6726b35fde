#include "tests/fuzz/files/text_change.h"

#include <gtest/gtest.h>

#include <set>

#include "env/base/json.h"
#include "env/program/language/parser.h"
#include "tests/fuzz/files/json_change.h"

namespace schedulegym {
namespace {

const std::vector<std::string> kTexts = {"input A[8]\nB[i:8] = A[i] * 2\n",
                                         "param n = 4\nC[i:n] = 1.5\n"};

TEST(TextChangeTest, OneSeedIsOneText) {
  Rng one(3), two(3);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ChangedText(kTexts, one), ChangedText(kTexts, two));
}

TEST(TextChangeTest, TextsDifferAndManyStillParse) {
  Rng rng(1);
  std::set<std::string> texts;
  int parsed = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = ChangedText(kTexts, rng);
    parsed += ParseDag(text, "t.dag").ok();
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 150u);
  EXPECT_GT(parsed, 40);
  EXPECT_LT(parsed, 360);
}

TEST(TextChangeTest, AnyBytesMayBeChanged) {
  Rng rng(2);
  for (std::string text : {std::string(), std::string("\n"), std::string("\0\xff", 2)}) {
    for (int i = 0; i < 200; ++i) ChangeBytes(text, rng);
    (void)ChangedText({text}, rng);
  }
}

TEST(JsonChangeTest, MostTextsAreJsonAndDiffer) {
  const std::string json = R"({"a": [1, 2.5, true, "x", null], "b": {"c": "1.5"}})";
  Rng rng(1), same(1);
  std::set<std::string> texts;
  int valid = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string text = ChangedJson(json, rng);
    EXPECT_EQ(text, ChangedJson(json, same));
    valid += IsJson(text);
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 100u);
  EXPECT_GT(valid, 240);
}

TEST(JsonChangeTest, WhatIsNoJsonStaysOrLosesBytes) {
  Rng rng(4);
  for (int i = 0; i < 50; ++i) (void)ChangedJson("{\"a\": ", rng);
}

}  // namespace
}  // namespace schedulegym
