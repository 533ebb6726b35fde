#include "env/search/factorization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace schedulegym {
namespace {

using testing::ElementsAre;

TEST(DivisorsTest, AreAllInRisingOrder) {
  EXPECT_THAT(Divisors(1), ElementsAre(1));
  EXPECT_THAT(Divisors(7), ElementsAre(1, 7));
  EXPECT_THAT(Divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(Divisors(36), ElementsAre(1, 2, 3, 4, 6, 9, 12, 18, 36));
}

// The published sizes of Ansor's space, innermost at most 64.
struct KnownCounts {
  int64_t extent;
  std::vector<size_t> counts;  // for 1, 2, 3 and 4 inner lengths
};

class FactorizationsTest : public testing::TestWithParam<KnownCounts> {};

TEST_P(FactorizationsTest, AreAsManyAsPublished) {
  for (int count = 1; count <= 4; ++count) {
    EXPECT_EQ(Factorizations(GetParam().extent, count).size(), GetParam().counts[count - 1])
        << count;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Published, FactorizationsTest,
    testing::Values(KnownCounts{7, {2, 3, 4, 5}}, KnownCounts{56, {8, 30, 80, 175}},
                    KnownCounts{64, {7, 28, 84, 210}}, KnownCounts{112, {9, 44, 139, 349}},
                    KnownCounts{127, {1, 2, 3, 4}}, KnownCounts{224, {10, 60, 220, 625}},
                    KnownCounts{256, {7, 42, 161, 490}}, KnownCounts{512, {7, 49, 210, 700}},
                    KnownCounts{1024, {7, 56, 266, 966}}),
    [](const auto& info) { return std::to_string(info.param.extent); });

TEST(FactorizationsTest, BeginWithOnesAndComeInOrder) {
  EXPECT_THAT(Factorizations(4, 2),
              ElementsAre(ElementsAre(1, 1), ElementsAre(2, 1), ElementsAre(4, 1),
                          ElementsAre(1, 2), ElementsAre(2, 2), ElementsAre(1, 4)));
}

TEST(FactorizationsTest, DivideAndDiffer) {
  for (int64_t extent : {1, 6, 97, 360}) {
    const auto all = Factorizations(extent, 3, 8);
    for (const std::vector<int64_t>& lengths : all) {
      const int64_t product =
          std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
      EXPECT_EQ(extent % product, 0);
      EXPECT_LE(lengths.back(), 8);
    }
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
  }
}

TEST(FactorizationsTest, OfNoLengthsIsOne) {
  EXPECT_THAT(Factorizations(12, 0), ElementsAre(ElementsAre()));
}

}  // namespace
}  // namespace schedulegym
