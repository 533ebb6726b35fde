#include "agents/plan/k_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace schedulegym {
namespace {

double SquaredDistance(const ClusterPoint& a, const ClusterPoint& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Returns the first of equal ones.
int NearestOf(const ClusterPoint& point, const std::vector<ClusterPoint>& centres) {
  int nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < centres.size(); ++i) {
    const double distance = SquaredDistance(point, centres[i]);
    if (distance >= least) continue;
    least = distance;
    nearest = static_cast<int>(i);
  }
  return nearest;
}

std::vector<ClusterPoint> MeansOf(const std::vector<ClusterPoint>& points, const Clusters& clusters,
                                  bool cuts) {
  std::vector<ClusterPoint> means = clusters.centres;
  std::vector<double> counts(means.size());
  for (const int cluster : clusters.cluster_of) ++counts[cluster];
  for (size_t i = 0; i < means.size(); ++i) {
    if (counts[i] > 0) std::ranges::fill(means[i], 0.0);
  }
  for (size_t i = 0; i < points.size(); ++i) {
    const int cluster = clusters.cluster_of[i];
    for (size_t j = 0; j < points[i].size(); ++j) {
      means[cluster][j] += points[i][j] / counts[cluster];
    }
  }
  if (!cuts) return means;
  // Means of equal whole numbers may be slightly below them.
  for (ClusterPoint& mean : means) {
    for (double& one : mean) one = std::floor(one + 1e-9);
  }
  return means;
}

// Returns random points, or k-means++: the probability of a point rises with its distance from
// those before.
std::vector<ClusterPoint> StartsOf(const std::vector<ClusterPoint>& points, int count, bool spreads,
                                   Rng& rng) {
  std::vector<ClusterPoint> starts;
  for (int i = 0; i < count; ++i) {
    double total = 0;
    std::vector<double> weights;
    for (const ClusterPoint& point : points) {
      const double weight =
          starts.empty() || !spreads
              ? 1
              : SquaredDistance(point, starts[static_cast<size_t>(NearestOf(point, starts))]);
      weights.push_back(weight);
      total += weight;
    }
    double drawn = rng.Uniform() * total;
    size_t chosen = 0;
    while (chosen + 1 < weights.size() && drawn >= weights[chosen]) drawn -= weights[chosen++];
    starts.push_back(points[chosen]);
  }
  return starts;
}

}  // namespace

Clusters KMeans(const std::vector<ClusterPoint>& points, std::vector<ClusterPoint> centres,
                int passes, bool cuts) {
  Clusters clusters{std::move(centres), std::vector<int>(points.size()), 0};
  for (int pass = 0; pass < passes; ++pass) {
    for (size_t i = 0; i < points.size(); ++i) {
      clusters.cluster_of[i] = NearestOf(points[i], clusters.centres);
    }
    std::vector<ClusterPoint> means = MeansOf(points, clusters, cuts);
    if (means == clusters.centres) break;
    clusters.centres = std::move(means);
  }
  for (size_t i = 0; i < points.size(); ++i) {
    clusters.cluster_of[i] = NearestOf(points[i], clusters.centres);
    clusters.loss +=
        SquaredDistance(points[i], clusters.centres[static_cast<size_t>(clusters.cluster_of[i])]);
  }
  return clusters;
}

Clusters AdaptiveClusters(const std::vector<ClusterPoint>& points,
                          const AdaptiveClusterOptions& options, Rng& rng) {
  Clusters before;
  const int most = std::min(options.most, static_cast<int>(points.size()));
  for (int count = std::min(options.step, most); count <= most; count += options.step) {
    Clusters next = KMeans(points, StartsOf(points, count, options.improved, rng), options.passes,
                           !options.improved);
    const bool is_first = before.centres.empty();
    if (!is_first && next.loss >= before.loss / options.threshold) {
      return options.improved ? before : next;
    }
    before = std::move(next);
  }
  return before;
}

}  // namespace schedulegym
