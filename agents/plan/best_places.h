// BestPlaces: the best open places that an explorer has scored, each once.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "agents/plan/plan_search.h"

namespace schedulegym {

class BestPlaces {
 public:
  // Keeps at most `most` places; the book outlives this object.
  BestPlaces(const PlaceBook& book, int most) : book_(&book), most_(most) {}

  // Returns whether the place was added.
  bool Offer(double score, const FieldPlace& place);
  // Best first; earlier ones first among equals.
  std::vector<ScoredPlace> Take() const;

 private:
  const PlaceBook* book_;
  int most_;
  std::multimap<double, FieldPlace, std::greater<>> best_;
  std::set<FieldPlace> places_;
};

}  // namespace schedulegym
