#include "agents/plan/best_places.h"

#include <cmath>
#include <iterator>

namespace schedulegym {

bool BestPlaces::Offer(double score, const FieldPlace& place) {
  if (!std::isfinite(score)) return false;
  const bool is_full = std::ssize(best_) >= most_;
  if (is_full && !(score > best_.rbegin()->first)) return false;
  if (!book_->IsOpen(place) || !places_.insert(place).second) return false;
  best_.emplace(score, place);
  if (std::ssize(best_) > most_) {
    places_.erase(std::prev(best_.end())->second);
    best_.erase(std::prev(best_.end()));
  }
  return true;
}

std::vector<ScoredPlace> BestPlaces::Take() const {
  std::vector<ScoredPlace> best;
  for (const auto& [score, place] : best_) best.push_back({score, place});
  return best;
}

}  // namespace schedulegym
