#include "tabu_list.h"

#include <algorithm>
#include <iterator>

namespace tabu {
namespace {

Decisions Without(const Decisions& all, const Decisions& some) {
  Decisions rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

}  // namespace

void TabuList::Move(const Decisions& from, const Decisions& to) {
  given_up_.push_back(Without(from, to));
  if (given_up_.size() > tenure_) given_up_.pop_front();
}

bool TabuList::Forbids(const Decisions& from, const Decisions& to) const {
  const Decisions taken = Without(to, from);
  return std::any_of(given_up_.begin(), given_up_.end(), [&](const Decisions& given_up) {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const std::string& one) { return given_up.count(one) != 0; });
  });
}

}  // namespace tabu
