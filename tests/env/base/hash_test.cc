#include "env/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace schedulegym {
namespace {

Key KeyOf(std::string_view text) {
  Hasher hasher;
  hasher.Add(text);
  return hasher.KeyValue();
}

TEST(HashTest, ReadsTheKeysThatItWrites) {
  const Key key{0x0123456789abcdefu, 0xfedcba9876543210u};
  EXPECT_EQ(ParseKey(key.ToText()), key);
  EXPECT_EQ(ParseKey("0123456789abcdeffedcba987654321"), std::nullopt);
  EXPECT_EQ(ParseKey("0123456789abcdeffedcba98765432100"), std::nullopt);
  EXPECT_EQ(ParseKey("0123456789ABCDEFfedcba9876543210"), std::nullopt);
  EXPECT_EQ(ParseKey("0123456789abcdef fedcba987654321"), std::nullopt);
  EXPECT_EQ(ParseKey("0123456789abcdeg0123456789abcdef"), std::nullopt);
}

TEST(HashTest, WritesKeysAsHexDigits) {
  EXPECT_EQ((Key{0x0123456789abcdefu, 0xfedcba9876543210u}.ToText()),
            "0123456789abcdeffedcba9876543210");
}

TEST(HashTest, TellsInputsApart) {
  std::set<Key> keys;
  std::set<uint64_t> halves;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += static_cast<char>(i % 3);
    keys.insert(KeyOf(text));
    keys.insert(KeyOf("x" + text));
    halves.insert(KeyOf(text).high);
    halves.insert(KeyOf(text).low);
  }
  EXPECT_EQ(keys.size(), 600u);
  EXPECT_EQ(halves.size(), 600u);
}

TEST(HashTest, DependsOnOrderAndLength) {
  Hasher a, b, c;
  a.Add(1);
  a.Add(2);
  b.Add(2);
  b.Add(1);
  c.Add(1);
  EXPECT_NE(a.Value(), b.Value());
  EXPECT_NE(a.Value(), c.Value());
  Hasher split, joined;
  split.Add(std::string_view("ab"));
  split.Add(std::string_view("c"));
  joined.Add(std::string_view("a"));
  joined.Add(std::string_view("bc"));
  EXPECT_NE(split.KeyValue(), joined.KeyValue());
}

TEST(HashTest, SpreadsNeighbours) {
  // A change of one bit of input changes about half of the output's bits.
  int changed = 0;
  for (int bit = 0; bit < 64; ++bit) {
    Hasher a, b;
    a.Add(uint64_t{12345});
    b.Add(uint64_t{12345} ^ uint64_t{1} << bit);
    changed += __builtin_popcountll(a.Value() ^ b.Value());
  }
  EXPECT_NEAR(changed, 64 * 32, 400);
}

}  // namespace
}  // namespace schedulegym
