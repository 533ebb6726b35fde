#include "env/base/utf8.h"

#include <gtest/gtest.h>

#include <sstream>

namespace schedulegym {
namespace {

using std::string_literals::operator""s;

TEST(Utf8Test, WellFormedSequencesAreTold) {
  EXPECT_TRUE(IsUtf8("aé€😀\x7f"));
  for (const char* text :
       {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82(", "\x80"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Utf8Test, CharactersAreWholeAndBytesOfNoneStandAlone) {
  const std::string text = "aé€😀\xc3(";
  std::vector<std::string> characters;
  for (size_t at = 0; at < text.size(); at += characters.back().size()) {
    characters.emplace_back(CharacterAt(text, at));
  }
  EXPECT_EQ(characters, (std::vector<std::string>{"a", "é", "€", "😀", "\xc3", "("}));
  EXPECT_EQ(CharacterCount(text), 6u);
  EXPECT_EQ(CharacterAt("", 0), "");
}

TEST(Utf8Test, BeginningsCutNoCharacter) {
  const std::string text = "é€😀x";  // begin at 0, 2, 5, 9
  const std::string_view begins[] = {"",   "",   "é",  "é",   "é",    "é€",
                                     "é€", "é€", "é€", "é€😀", "é€😀x", "é€😀x"};
  for (size_t most = 0; most < std::size(begins); ++most) {
    EXPECT_EQ(BeginOf(text, most), begins[most]) << most;
  }
  EXPECT_EQ(BeginOf("\x80\x80\x80\x80\x80", 3), "\x80\x80\x80") << "which are no characters";
}

TEST(Utf8Test, PlacesCountCharacters) {
  const std::string text = "aé\n€😀x";
  EXPECT_EQ(PlaceOf(text, 0), "line 1, column 1");
  EXPECT_EQ(PlaceOf(text, 1), "line 1, column 2");
  EXPECT_EQ(PlaceOf(text, text.find("😀")), "line 2, column 2");
  EXPECT_EQ(PlaceOf(text, text.size()), "line 2, column 4");
}

TEST(Utf8Test, AByteOrderMarkIsSkippedOnceAndAtTheBeginning) {
  EXPECT_EQ(WithoutByteOrderMark("\ufeffa"), "a");
  EXPECT_EQ(WithoutByteOrderMark("\ufeff\ufeffa"), "\ufeffa");
  EXPECT_EQ(WithoutByteOrderMark("a\ufeff"), "a\ufeff");
  EXPECT_EQ(WithoutByteOrderMark("\xef\xbb"), "\xef\xbb");
  for (const auto& [text, rest] : {std::pair("\ufeffab", "ab"),
                                   {"ab", "ab"},
                                   {"\xef\xbb", "\xef\xbb"},
                                   {"\ufeff", ""},
                                   {"", ""},
                                   {"abc\ufeff", "abc\ufeff"}}) {
    std::istringstream in(text);
    SkipByteOrderMark(in);
    std::string left;
    std::getline(in, left, '\0');
    EXPECT_EQ(left, rest);
  }
}

TEST(Utf8Test, WhatIsNoCharacterIsShownAsItsBytes) {
  EXPECT_EQ(Shown("aé€😀\n\tb"), "aé€😀\n\tb");
  EXPECT_EQ(Shown("a\xff"
                  "b\xc3"),
            "a\\xffb\\xc3");
  EXPECT_EQ(Shown("a\0b\x1b[31m\x7f\r"s), "a\\x00b\\x1b[31m\\x7f\\x0d");
  EXPECT_EQ(Shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(ShownCharacterAt("aé", 1), "'é'");
  EXPECT_EQ(ShownCharacterAt("a\xe9", 1), "'\\xe9'");
}

}  // namespace
}  // namespace schedulegym
