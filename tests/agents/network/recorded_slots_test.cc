#include "agents/network/slot_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/agents/network/network_fixture.h"
#include "tests/agents/schedulers/simulation/made_curves.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::vector<RecordedCurve> Curves() {
  return {MadeCurve("a", 2, {{1, 2}, {1, 4}}), MadeCurve("b", 1, {{3, std::nullopt}, {2, 5}})};
}

TEST(RecordedSlotsTest, ASlotIsTheNextRecordedTurn) {
  const std::vector<RecordedCurve> curves = Curves();
  RecordedSlots slots(curves, Rng(1));
  EXPECT_THAT(slots.References(), ElementsAre(1, 1));
  EXPECT_EQ(slots.run(0), nullptr);
  slots.Spend(0);
  EXPECT_EQ(slots.curve(0).best->ratio, 2);
  EXPECT_FALSE(slots.curve(0).finished);
  EXPECT_EQ(slots.curve(1).trials(), 0);
  slots.Spend(0);
  EXPECT_EQ(slots.curve(0).best->ratio, 4);
  EXPECT_TRUE(slots.curve(0).finished) << "nothing is recorded beyond";
}

TEST(RecordedSlotsTest, OfSeveralCurvesOfATaskOneIsDrawn) {
  std::vector<RecordedCurve> curves = Curves();
  curves.push_back(MadeCurve("a", 2, {{1, 3}}));
  std::set<double> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RecordedSlots slots(curves, Rng(seed)), again(curves, Rng(seed));
    slots.Spend(0);
    again.Spend(0);
    EXPECT_EQ(slots.curve(0).best, again.curve(0).best) << "the same chance, the same curve";
    seen.insert(slots.curve(0).best->ratio);
  }
  EXPECT_THAT(seen, ElementsAre(2, 3));
}

class RecordedNetworkTest : public NetworkFixture {
 protected:
  std::unique_ptr<NetworkEnvironment> Begun() {
    auto parts = std::make_shared<NetworkParts>();
    parts->curves = Curves();
    for (const RecordedCurve& curve : parts->curves) parts->tasks.emplace_back(curve);
    parts->rows = 2;
    parts->slots = 4;
    parts->warm_up = false;
    auto environment = Make(parts);
    environment->Reset();
    return environment;
  }
};

TEST_F(RecordedNetworkTest, AnEpisodePlaysThemAgain) {
  const auto environment = Begun();
  EXPECT_DOUBLE_EQ(environment->episode().Latency(), 3);
  EXPECT_DOUBLE_EQ(environment->Step(1).reward, std::log(3.0 / 2));
  environment->Step(1);
  EXPECT_DOUBLE_EQ(environment->episode().Latency(), 2 / 4.0 + 1);
  EXPECT_DOUBLE_EQ(environment->episode().seconds(), 2);
  EXPECT_EQ(environment->episode().trials(), 2);
  EXPECT_THAT(MaskOf(*environment), ElementsAre(1, 0, 1));
  EXPECT_EQ(environment->Step(1).reward, 0);
  EXPECT_EQ(environment->reason(), "a: found nothing left to try, expected a schedule");
  EXPECT_EQ(environment->Describe(2).value(), "b");
  EXPECT_THROW((void)environment->episode().run(0), std::logic_error);
}

TEST_F(RecordedNetworkTest, ItsTextRepeatsItOnTheSameCurvesAlone) {
  const auto environment = Begun(), again = Begun();
  environment->Step(2);
  environment->Step(1);
  const std::string text = environment->ToText().value();
  ASSERT_TRUE(again->Resume(text).ok());
  EXPECT_DOUBLE_EQ(again->episode().Latency(), environment->episode().Latency());
  auto other = std::make_shared<NetworkParts>(environment->parts());
  other->curves[0].reference = 2;
  EXPECT_FALSE(Make(other)->Resume(text).ok());
}

}  // namespace
}  // namespace schedulegym
