#include "env/ipc/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

struct Inner {
  int32_t number = 0;
  std::string text;

  static constexpr auto Fields() { return std::tuple(&Inner::number, &Inner::text); }
  bool operator==(const Inner&) const = default;
};

struct Everything {
  static constexpr const char* kName = "everything";
  bool flag = false;
  uint8_t small = 0;
  int32_t number = 0;
  int64_t large = 0;
  uint64_t unsigned_number = 0;
  double real = 0;
  float single = 0;
  std::string text;
  std::vector<Inner> list;
  std::optional<Inner> maybe;
  std::optional<double> maybe_real;

  static constexpr auto Fields() {
    using T = Everything;
    return std::tuple(&T::flag, &T::small, &T::number, &T::large, &T::unsigned_number, &T::real,
                      &T::single, &T::text, &T::list, &T::maybe, &T::maybe_real);
  }
  bool operator==(const Everything&) const = default;
};

struct Small {
  static constexpr const char* kName = "a small one";
  uint8_t value = 0;
  static constexpr auto Fields() { return std::tuple(&Small::value); }
};
struct Flag {
  static constexpr const char* kName = "a flag";
  bool value = false;
  static constexpr auto Fields() { return std::tuple(&Flag::value); }
};
struct Single {
  static constexpr const char* kName = "a float";
  float value = 0;
  static constexpr auto Fields() { return std::tuple(&Single::value); }
};
struct List {
  static constexpr const char* kName = "a list";
  std::vector<int64_t> values;
  static constexpr auto Fields() { return std::tuple(&List::values); }
};
struct Maybe {
  static constexpr const char* kName = "perhaps";
  std::optional<int64_t> value;
  static constexpr auto Fields() { return std::tuple(&Maybe::value); }
};

std::string Word(uint64_t value) {
  std::string word;
  for (int i = 0; i < 8; ++i) word.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return word;
}

Everything Sample() {
  Everything sample;
  sample.flag = true;
  sample.small = 255;
  sample.number = -5;
  sample.large = std::numeric_limits<int64_t>::min();
  sample.unsigned_number = ~uint64_t{0};
  sample.real = -0.0;
  sample.single = 1.5f;
  sample.text = std::string("a\0b", 3);
  sample.list = {{1, "one"}, {-2, ""}};
  sample.maybe = Inner{3, "three"};
  return sample;
}

TEST(EncodingTest, ValuesComeBack) {
  const Result<Everything> back = Decode<Everything>(Encode(Sample()));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(*back, Sample());
  EXPECT_TRUE(std::signbit(back->real));
  EXPECT_EQ(Decode<Everything>(Encode(Everything())).value(), Everything());
}

TEST(EncodingTest, TheBytesAreAsDocumented) {
  EXPECT_EQ(Encode(Inner{-1, "ab"}), Word(~uint64_t{0}) + Word(2) + "ab");
  EXPECT_EQ(Encode(Maybe{5}), Word(1) + Word(5));
  EXPECT_EQ(Encode(Maybe{}), Word(0));
  EXPECT_EQ(Encode(List{{7, 8}}), Word(2) + Word(7) + Word(8));
  EXPECT_EQ(Encode(Single{1}), Word(0x3ff0000000000000));
}

TEST(EncodingTest, NumbersThatAreNoneComeBack) {
  Everything sample;
  sample.real = std::numeric_limits<double>::quiet_NaN();
  sample.single = std::numeric_limits<float>::infinity();
  const Everything back = Decode<Everything>(Encode(sample)).value();
  EXPECT_TRUE(std::isnan(back.real));
  EXPECT_EQ(back.single, sample.single);
}

TEST(EncodingTest, EveryTruncationIsRefused) {
  const std::string bytes = Encode(Sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto back = Decode<Everything>(bytes.substr(0, size));
    ASSERT_FALSE(back.ok()) << size;
    EXPECT_EQ(back.error().message, "found bytes that are no everything");
  }
}

TEST(EncodingTest, WhatIsLeftOverIsRefused) {
  EXPECT_FALSE(Decode<Everything>(Encode(Sample()) + "x").ok());
  EXPECT_FALSE(Decode<Flag>(Word(0) + Word(0)).ok());
}

TEST(EncodingTest, ValuesThatDoNotFitAreRefused) {
  EXPECT_FALSE(Decode<Small>(Word(256)).ok());
  EXPECT_TRUE(Decode<Small>(Word(255)).ok());
  EXPECT_FALSE(Decode<Flag>(Word(2)).ok());
  EXPECT_FALSE(Decode<Maybe>(Word(2) + Word(5)).ok());
  // A tenth is a double only.
  EXPECT_FALSE(Decode<Single>(Word(std::bit_cast<uint64_t>(0.1))).ok());
  EXPECT_TRUE(Decode<Single>(Word(std::bit_cast<uint64_t>(0.25))).ok());
}

TEST(EncodingTest, LiesAboutCountsAreRefused) {
  for (uint64_t count : {uint64_t{3}, uint64_t{1} << 40, ~uint64_t{0}}) {
    EXPECT_FALSE(Decode<List>(Word(count) + Word(1) + Word(2)).ok()) << count;
  }
  EXPECT_EQ(Decode<List>(Word(2) + Word(1) + Word(2))->values, (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace schedulegym
