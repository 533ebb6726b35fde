#include "env/search/knob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/search/factorization.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::vector<int64_t>> LengthsOf(const KnobTile& tile, const OpenPoint& fixed = {}) {
  std::vector<std::vector<int64_t>> lengths;
  for (const std::vector<int>& way : WaysOf(tile, fixed)) lengths.push_back(LengthsAt(tile, way));
  return lengths;
}

TEST(KnobKindTest, EachHasItsName) {
  std::set<std::string> names;
  for (KnobKind kind : {KnobKind::kTile, KnobKind::kLocation, KnobKind::kUnroll, KnobKind::kVector,
                        KnobKind::kParallel, KnobKind::kOrder, KnobKind::kOther}) {
    names.insert(KnobKindName(kind));
  }
  EXPECT_EQ(names.size(), 7u);
  EXPECT_STREQ(KnobKindName(KnobKind::kTile), "tile");
}

// A grid over all divisors lists the ways to split a loop in the order of the factorizations.
TEST(WaysOfTest, AreTheFactorizationsInTheirOrder) {
  for (int64_t extent : {1, 24, 97, 512}) {
    for (int count : {1, 2, 3}) {
      KnobTile tile{"A", extent, {}, {}};
      for (int i = 0; i < count; ++i) {
        tile.knobs.push_back(i);
        std::vector<int64_t> values = Divisors(extent);
        if (i == count - 1) std::erase_if(values, [](int64_t v) { return v > kMostInnermost; });
        tile.values.push_back(std::move(values));
      }
      EXPECT_EQ(LengthsOf(tile), Factorizations(extent, count)) << extent << " " << count;
    }
  }
}

TEST(WaysOfTest, EachFitHasItsOwn) {
  KnobTile tile{"A", 12, {0, 1}, {{1, 5}, {2, 3}}};
  EXPECT_THAT(LengthsOf(tile), ElementsAre(ElementsAre(1, 2), ElementsAre(1, 3)));
  tile.fit = LengthsFit::kWithin;
  EXPECT_THAT(LengthsOf(tile),
              ElementsAre(ElementsAre(1, 2), ElementsAre(5, 2), ElementsAre(1, 3)));
  tile.fit = LengthsFit::kAny;
  EXPECT_EQ(LengthsOf(tile).size(), 4u);
}

TEST(WaysOfTest, WhatIsFixedStays) {
  const KnobTile tile{"A", 12, {-1, 3, 1}, {{1}, {1, 2, 3}, {1, 2, 4}}};
  EXPECT_THAT(LengthsOf(tile, {std::nullopt, 2}),
              ElementsAre(ElementsAre(1, 1, 4), ElementsAre(1, 3, 4)));
  EXPECT_THAT(LengthsOf(tile, {0, 1, 0, 2}), ElementsAre(ElementsAre(1, 3, 2)));
  const KnobTile narrow{"A", 12, {0, 1}, {{1, 5}, {1, 2}}};
  EXPECT_THAT(LengthsOf(narrow, {1}), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
