// TabuList: decisions that were given up of late, and are not to be taken back.
#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string>

namespace tabu {

// Of a schedule: the lines of its trace.
using Decisions = std::set<std::string>;

class TabuList {
 public:
  // A change of a move must not be undone in the next `tenure` moves; 0: no limit.
  explicit TabuList(size_t tenure) : tenure_(tenure) {}

  // Forbids the decisions of `from` that `to` has changed.
  void Move(const Decisions& from, const Decisions& to);
  // Whether going there takes back anything that was given up.
  bool Forbids(const Decisions& from, const Decisions& to) const;

 private:
  size_t tenure_;
  std::deque<Decisions> given_up_;  // by move, the last one at the end
};

}  // namespace tabu
