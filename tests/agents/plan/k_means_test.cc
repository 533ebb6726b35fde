#include "agents/plan/k_means.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;

const std::vector<ClusterPoint> kLine = {{0}, {1}, {10}, {11}, {20}, {21}};

TEST(KMeansTest, WholeCentresOnALine) {
  const Clusters one = KMeans(kLine, {{0}}, 100, /*cuts=*/true);
  EXPECT_THAT(one.centres, ElementsAre(ClusterPoint{10}));
  EXPECT_EQ(one.loss, 403);
  const Clusters two = KMeans(kLine, {{0}, {20}}, 100, true);
  EXPECT_THAT(two.centres, ElementsAre(ClusterPoint{3}, ClusterPoint{17}));
  EXPECT_EQ(two.loss, 123);
  const Clusters three = KMeans(kLine, {{0}, {10}, {20}}, 100, true);
  EXPECT_EQ(three.loss, 3);
  EXPECT_THAT(three.cluster_of, ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST(KMeansTest, CentresAreMeans) {
  const Clusters two = KMeans(kLine, {{0}, {20}}, 100, /*cuts=*/false);
  EXPECT_NEAR(two.centres[0][0], 11.0 / 3, 1e-12);
}

TEST(KMeansTest, AnEmptyClusterKeepsItsCentre) {
  const Clusters two = KMeans(kLine, {{10}, {1000}}, 100, true);
  EXPECT_THAT(two.centres[1], ElementsAre(1000));
}

// Three groups: the losses 403, 123 and 3 fall by more than 2.5 times at each cluster. A fourth
// cluster splits two points of one group, and the loss of 0.5 per group falls by less.
TEST(AdaptiveClustersTest, MoreAreTakenWhileTheirLossFalls) {
  Rng rng(1);
  const AdaptiveClusterOptions options = {.step = 1, .most = 6};
  const Clusters clusters = AdaptiveClusters(kLine, options, rng);
  EXPECT_EQ(clusters.centres.size(), 3u);
  EXPECT_NEAR(clusters.loss, 1.5, 1e-9);
}

TEST(AdaptiveClustersTest, PublishedOnesAreThoseAtWhichItStops) {
  Rng rng(1);
  std::vector<ClusterPoint> points;
  for (int i = 0; i < 64; ++i) points.push_back({static_cast<double>(i % 4) * 100});
  const AdaptiveClusterOptions options = {.improved = false};
  const Clusters clusters = AdaptiveClusters(points, options, rng);
  EXPECT_THAT(clusters.centres.size(), testing::AllOf(testing::Ge(8u), testing::Le(64u)));
  EXPECT_EQ(clusters.centres.size() % 8, 0u);
}

TEST(AdaptiveClustersTest, FewPointsAreOneStep) {
  Rng rng(1);
  EXPECT_EQ(AdaptiveClusters({{1}, {2}}, {}, rng).centres.size(), 2u);
}

}  // namespace
}  // namespace schedulegym
