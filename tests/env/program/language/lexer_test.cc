#include "env/program/language/lexer.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

std::string Kinds(const std::string& text) {
  std::string kinds;
  for (const Token& token : Tokenize(text)) {
    constexpr char kLetters[] = {'n', 'i', 'd', 's', ';', '.'};
    kinds += kLetters[static_cast<int>(token.kind)];
  }
  return kinds;
}

TEST(LexerTest, TellsTokensApart) {
  EXPECT_EQ(Kinds("ab_1 12 1.5 1e-5 //"), "nidds;.");
  EXPECT_EQ(Kinds("a//b/c<=d<e"), "nsnsnsnsn;.");
  EXPECT_EQ(Kinds("1 e5"), "in;.");
  EXPECT_EQ(Kinds(""), ".");
}

TEST(LexerTest, EndsLinesOutsideBrackets) {
  EXPECT_EQ(Kinds("a\n\n# no\nb"), "n;n;.");
  EXPECT_EQ(Kinds("a[\nb\n]\nc"), "nsns;n;.");
  EXPECT_EQ(Kinds("a)\nb"), "ns;n;.");
}

TEST(LexerTest, KeepsPlacesAndValues) {
  const auto tokens = Tokenize("a\n\t bc 17 2.5");
  EXPECT_EQ(tokens[2].text, "bc");
  EXPECT_EQ(tokens[2].place.line, 2);
  EXPECT_EQ(tokens[2].place.column, 3);
  EXPECT_EQ(tokens[3].integer, 17);
  EXPECT_EQ(tokens[4].number, 2.5);
  EXPECT_EQ(tokens[3].Describe(), "'17'");
  EXPECT_EQ(tokens.back().Describe(), "the end of the file");
}

std::string LexerFault(const std::string& text) {
  try {
    Tokenize(text);
  } catch (const SourceError& fault) {
    return std::to_string(fault.place().line) + ":" + std::to_string(fault.place().column) + ": " +
           fault.what();
  }
  return "";
}

TEST(LexerTest, NamesAWrongCharacterWhole) {
  EXPECT_EQ(LexerFault("# é\na + ü"), "2:5: unexpected character 'ü'");
  EXPECT_EQ(LexerFault("😀"), "1:1: unexpected character '😀'");
  EXPECT_EQ(LexerFault("a \xc3("), "1:3: unexpected character '\\xc3'");
  EXPECT_EQ(LexerFault(std::string("a\0b", 3)), "1:2: unexpected character '\\x00'");
}

TEST(LexerTest, SkipsAByteOrderMark) {
  EXPECT_EQ(Kinds("\ufeffa"), "n;.");
  EXPECT_EQ(Tokenize("\ufeffa b")[1].place.column, 3);
  EXPECT_EQ(LexerFault("a\n\ufeff"), "2:1: unexpected character '\ufeff'");
}

}  // namespace
}  // namespace schedulegym
