// Chameleon's adaptive sampling (Ahn et al., ICLR 2020, section 3.2; anony-sub/chameleon,
// sampler.py): k-means over the places that a search found; one place is measured for each centre.
// Published: over the two knobs with most values, with centres cut to values; every other knob has
// the value of a random place (the paper: the most frequent one), repeated until it differs from
// those before, which may never end. Here a known place is replaced by the place nearest to the
// centre. Ours by default: all knobs are clustered, and a cluster is the place nearest to its
// centre unless synthesis finds another one.
#include "agents/plan/synthesis.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace schedulegym {
namespace {

// Returns the two knobs of a sketch with most values, the first of equals.
std::vector<int> LargestKnobs(const KnobSpace& knobs) {
  std::vector<int> order;
  for (int knob = 0; knob < knobs.dimensions(); ++knob) order.push_back(knob);
  std::ranges::stable_sort(order, std::greater<>(), [&](int knob) { return knobs.size_of(knob); });
  order.resize(std::min<size_t>(order.size(), 2));
  return order;
}

ClusterPoint PointOf(const KnobField& field, const FieldPlace& place, bool clusters_all) {
  ClusterPoint point;
  if (clusters_all) {
    for (const float number : field.Row(place)) point.push_back(number);
    return point;
  }
  for (const int knob : LargestKnobs(field.knobs(place.sketch))) point.push_back(place.point[knob]);
  point.resize(2);
  return point;
}

// Number of places with each value, by knob of a sketch.
using Values = std::vector<std::vector<int>>;

Values ValuesOf(const KnobField& field, const std::vector<ScoredPlace>& places, int sketch) {
  Values values(field.knobs(sketch).dimensions());
  for (const ScoredPlace& one : places) {
    if (one.place.sketch != sketch) continue;
    for (size_t knob = 0; knob < values.size(); ++knob) {
      values[knob].push_back(one.place.point[knob]);
    }
  }
  return values;
}

int ModeOf(const std::vector<int>& values) {
  std::map<int, int> counts;
  for (const int value : values) ++counts[value];
  return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
}

// Returns the place nearest to the centre: clustered knobs are the centre's, the others are drawn
// from all places.
FieldPlace Synthesised(const KnobField& field, const std::vector<ScoredPlace>& places,
                       const FieldPlace& nearest, const ClusterPoint& centre,
                       const SynthesisOptions& options, Rng& rng) {
  FieldPlace made = nearest;
  const Values values = ValuesOf(field, places, nearest.sketch);
  std::set<int> clustered;
  if (!options.clusters_all) {
    const std::vector<int> largest = LargestKnobs(field.knobs(nearest.sketch));
    for (size_t i = 0; i < largest.size(); ++i) {
      const int most = field.knobs(nearest.sketch).size_of(largest[i]) - 1;
      made.point[largest[i]] = std::clamp(static_cast<int>(centre[i]), 0, most);
      clustered.insert(largest[i]);
    }
  }
  for (size_t knob = 0; knob < made.point.size(); ++knob) {
    if (clustered.contains(static_cast<int>(knob))) continue;
    // If all knobs are clustered, half of them are drawn from the other places.
    if (options.clusters_all && rng.Chance(0.5)) continue;
    made.point[knob] = options.synthesis == Synthesis::kMode
                           ? ModeOf(values[knob])
                           : values[knob][rng.Below(std::ssize(values[knob]))];
  }
  return made;
}

// Returns by cluster the number of the place nearest to its centre; -1 for empty clusters.
std::vector<int> NearestPlaces(const std::vector<ClusterPoint>& points, const Clusters& clusters) {
  std::vector<int> nearest(clusters.centres.size(), -1);
  std::vector<double> least(nearest.size(), std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < points.size(); ++i) {
    const auto cluster = static_cast<size_t>(clusters.cluster_of[i]);
    double distance = 0;
    for (size_t j = 0; j < points[i].size(); ++j) {
      const double off = points[i][j] - clusters.centres[cluster][j];
      distance += off * off;
    }
    if (distance >= least[cluster]) continue;
    least[cluster] = distance;
    nearest[cluster] = static_cast<int>(i);
  }
  return nearest;
}

}  // namespace

Chooser ClusterChooser(std::shared_ptr<const KnobField> field, const SynthesisOptions& options,
                       Rng rng) {
  return [field = std::move(field), options, rng](std::vector<ScoredPlace> best,
                                                  int count) mutable -> ChosenPlaces {
    if (std::ssize(best) > count) best.resize(static_cast<size_t>(count));
    if (best.empty()) return best;
    std::vector<ClusterPoint> points;
    for (const ScoredPlace& one : best) {
      points.push_back(PointOf(*field, one.place, options.clusters_all));
    }
    const Clusters clusters = AdaptiveClusters(points, options.clusters, rng);
    std::vector<ScoredPlace> order, members;
    const std::vector<int> nearest = NearestPlaces(points, clusters);
    for (size_t cluster = 0; cluster < nearest.size(); ++cluster) {
      if (nearest[cluster] < 0) continue;
      const ScoredPlace& member = best[static_cast<size_t>(nearest[cluster])];
      members.push_back(member);
      if (options.synthesis == Synthesis::kNone) continue;
      FieldPlace made =
          Synthesised(*field, best, member.place, clusters.centres[cluster], options, rng);
      if (field->Exists(made)) order.push_back({member.score, std::move(made)});
    }
    const auto length = static_cast<int>(members.size());
    order.insert(order.end(), members.begin(), members.end());
    order.insert(order.end(), best.begin(), best.end());
    return {std::move(order), length};
  };
}

}  // namespace schedulegym
