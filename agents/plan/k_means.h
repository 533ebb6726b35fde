// K-means: points in clusters, as many as are worth it.
#pragma once

#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

using ClusterPoint = std::vector<double>;

struct Clusters {
  std::vector<ClusterPoint> centres;
  std::vector<int> cluster_of;  // by point
  double loss = 0;              // squared distances to the centres
};

// From these centres, until they stay or so many passes are made. A centre without a point stays.
// `cuts`: each centre is cut to whole numbers (Chameleon's code).
Clusters KMeans(const std::vector<ClusterPoint>& points, std::vector<ClusterPoint> centres,
                int passes, bool cuts);

// Chameleon's (Ahn et al., ICLR 2020).
struct AdaptiveClusterOptions {
  int step = 8, most = 64;  // clusters
  int passes = 100;
  // More clusters are worth it while their loss is below that of fewer over this.
  double threshold = 2.5;
  // The clusters that were worth it last, from starts by k-means++ (Arthur and Vassilvitskii, SODA
  // 2007); published are those at which it stopped, from random points, with whole centres.
  bool improved = true;
};

// At least one point.
Clusters AdaptiveClusters(const std::vector<ClusterPoint>& points,
                          const AdaptiveClusterOptions& options, Rng& rng);

}  // namespace schedulegym
