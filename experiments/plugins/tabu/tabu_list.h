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
  // What is given up in a move is forbidden in so many moves after it; 0: nothing is.
  explicit TabuList(size_t tenure) : tenure_(tenure) {}

  // What `to` no longer has of `from` is given up.
  void Move(const Decisions& from, const Decisions& to);
  // Whether going there takes back anything that was given up.
  bool Forbids(const Decisions& from, const Decisions& to) const;

 private:
  size_t tenure_;
  std::deque<Decisions> given_up_;  // by move, the last one at the end
};

}  // namespace tabu
