#include "agents/plan/coverage.h"

#include <set>
#include <tuple>
#include <utility>

namespace schedulegym {
namespace {

using KnobValues = std::set<std::tuple<int, size_t, int>>;  // sketch, knob, value

int CountNew(const FieldPlace& place, const KnobValues& covered) {
  int count = 0;
  for (size_t knob = 0; knob < place.point.size(); ++knob) {
    count += covered.contains({place.sketch, knob, place.point[knob]}) ? 0 : 1;
  }
  return count;
}

}  // namespace

std::vector<ScoredPlace> Cover(std::vector<ScoredPlace> best, int count, double score_weight,
                               double weight) {
  std::vector<ScoredPlace> order;
  KnobValues covered;
  while (!best.empty() && static_cast<int>(order.size()) < count) {
    size_t chosen = 0;
    double most = 0;
    for (size_t i = 0; i < best.size(); ++i) {
      const double value = score_weight * best[i].score + weight * CountNew(best[i].place, covered);
      if (i > 0 && value <= most) continue;
      chosen = i;
      most = value;
    }
    order.push_back(std::move(best[chosen]));
    best.erase(best.begin() + static_cast<std::ptrdiff_t>(chosen));
    const FieldPlace& place = order.back().place;
    for (size_t knob = 0; knob < place.point.size(); ++knob) {
      covered.insert({place.sketch, knob, place.point[knob]});
    }
  }
  order.insert(order.end(), best.begin(), best.end());
  return order;
}

}  // namespace schedulegym
