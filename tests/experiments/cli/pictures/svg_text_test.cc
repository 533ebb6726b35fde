#include "experiments/cli/pictures/svg_text.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(SvgTextTest, MarksAreEscapedAndControlLettersAreSpaces) {
  EXPECT_EQ(SvgEscaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
}

TEST(SvgTextTest, PixelsHaveOneDigit) {
  EXPECT_EQ(Pixels(1.25001), "1.3");
  EXPECT_EQ(Pixels(-3), "-3.0");
}

TEST(SvgTextTest, WordsAreCutBetweenLetters) {
  EXPECT_EQ(ShortenedTo("short", 5), "short");
  EXPECT_EQ(ShortenedTo("longer", 5), "long\u2026");
  EXPECT_EQ(ShortenedTo("abc\u00e9f", 5), "abc\u2026") << "the letter of two bytes stays whole";
}

TEST(SvgTextTest, APictureHasItsSizeAndAWhiteGround) {
  const std::string head = SvgHead(300, 200);
  EXPECT_NE(head.find("width=\"300\" height=\"200\""), head.npos) << head;
  EXPECT_NE(head.find("fill=\"white\""), head.npos);
}

}  // namespace
}  // namespace schedulegym
