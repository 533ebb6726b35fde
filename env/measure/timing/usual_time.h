// UsualTime: how long the same work takes on the machine as it usually is, learned while measuring.
#pragma once

#include <cstddef>
#include <deque>

namespace schedulegym {

// What somebody else does on the same cores, caches and memory slows a reference down, but not by
// the same factor as the candidate beside it: during an episode in which a reference took six times
// its usual time, ratios stood at 1.66 that were 1.17 before and after. So a ratio of such a time
// compares with no other.
class UsualTime {
 public:
  // One more median of the reference's seconds; `now` in seconds of any one clock.
  void Note(double seconds, double now);

  // By what factor such a median lies above the usual one: the lower quartile of the last 200. 1
  // before there are eight. A machine that has been slow for a minute without a break is another
  // machine: that is usual from then on.
  double Slowdown(double seconds) const;

 private:
  std::deque<double> last_;
  std::deque<double> slow_;  // since the last one that was not
  double slow_since_ = 0;
};

}  // namespace schedulegym
