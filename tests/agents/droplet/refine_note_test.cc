#include "agents/droplet/refiner.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

constexpr Key kKey = {0x0123456789abcdef, 0xfedcba9876543210};

TEST(RefineNoteTest, SaysNoMoreThanItMust) {
  EXPECT_EQ((RefineNote{kKey}.ToText()), "refine(of=\"0123456789abcdeffedcba9876543210\")");
}

TEST(RefineNoteTest, ReadsBackWhole) {
  RefineNote note = {kKey, true, {BetterTest::kStudent, 0.25}};
  note.agent = ParseSpec("random(retries=50)").value();
  note.after = 12;
  const std::string text = note.ToText();
  EXPECT_EQ(text,
            "refine(of=\"0123456789abcdeffedcba9876543210\",mode=faithful,p=0.25,"
            "agent=random(retries=50),after=12)");
  const auto again = ParseRefineNote(text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->of, kKey);
  EXPECT_TRUE(again->published);
  EXPECT_EQ(again->better.test, BetterTest::kStudent);
  EXPECT_EQ(again->better.p, 0.25);
  EXPECT_EQ(again->agent, note.agent);
  EXPECT_EQ(again->after, 12);
}

TEST(RefineNoteTest, WhatIsLeftOutIsAsUsual) {
  const auto note = ParseRefineNote(RefineNote{kKey}.ToText());
  ASSERT_TRUE(note.has_value());
  EXPECT_FALSE(note->published);
  EXPECT_EQ(note->better.test, BetterTest::kVerdict);
  EXPECT_EQ(note->agent, std::nullopt);
  EXPECT_EQ(note->after, std::nullopt);
}

TEST(RefineNoteTest, OtherNotesAreNone) {
  for (const char* text : {"", "track(step=17)", "refined(of=\"00\")", "refine(p=7.5)",
                           "refine(mode=other)", "refine(", "refinement"}) {
    EXPECT_FALSE(ParseRefineNote(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace schedulegym
