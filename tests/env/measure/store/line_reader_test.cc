#include "env/measure/store/json_lines.h"

#include <gtest/gtest.h>

#include <sstream>

namespace schedulegym {
namespace {

TEST(LineReaderTest, GivesLinesAndTheirNumbers) {
  std::istringstream in(std::string("one\n\nth\0ee\r\nlast", 16));
  LineReader lines(in, 100);
  ASSERT_TRUE(lines.Next());
  EXPECT_EQ(lines.text(), "one");
  EXPECT_EQ(lines.number(), 1);
  EXPECT_TRUE(lines.ended());
  ASSERT_TRUE(lines.Next());
  EXPECT_EQ(lines.text(), "");
  ASSERT_TRUE(lines.Next());
  EXPECT_EQ(lines.text(), std::string("th\0ee\r", 6));
  ASSERT_TRUE(lines.Next());
  EXPECT_EQ(lines.text(), "last");
  EXPECT_EQ(lines.number(), 4);
  EXPECT_FALSE(lines.ended());
  EXPECT_FALSE(lines.Next());
}

TEST(LineReaderTest, LongLinesAreCutAndTheNextIsWhole) {
  std::istringstream in("12345\n123456\n" + std::string(100000, 'x') + "\nend\n");
  LineReader lines(in, 5);
  ASSERT_TRUE(lines.Next());
  EXPECT_FALSE(lines.too_long());
  ASSERT_TRUE(lines.Next());
  EXPECT_TRUE(lines.too_long());
  EXPECT_EQ(lines.text(), "12345");
  ASSERT_TRUE(lines.Next());
  EXPECT_TRUE(lines.too_long());
  ASSERT_TRUE(lines.Next());
  EXPECT_EQ(lines.text(), "end");
  EXPECT_FALSE(lines.too_long());
  EXPECT_FALSE(lines.Next());
}

TEST(LineReaderTest, OfNothingThereIsNone) {
  std::istringstream in("");
  EXPECT_FALSE(LineReader(in, 5).Next());
}

}  // namespace
}  // namespace schedulegym
