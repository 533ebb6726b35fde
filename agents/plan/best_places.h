// BestPlaces: the best open places that an explorer has looked at, each once.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "agents/plan/plan_search.h"

namespace schedulegym {

class BestPlaces {
 public:
  // At most so many; the book outlives this.
  BestPlaces(const PlaceBook& book, int most) : book_(&book), most_(most) {}

  // Whether it is among them now, and was not.
  bool Offer(double score, const FieldPlace& place);
  // Best first; of equal ones those that came first.
  std::vector<ScoredPlace> Take() const;

 private:
  const PlaceBook* book_;
  int most_;
  std::multimap<double, FieldPlace, std::greater<>> best_;
  std::set<FieldPlace> places_;
};

}  // namespace schedulegym
