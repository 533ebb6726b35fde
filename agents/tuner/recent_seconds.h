// RecentSeconds: how long work of one kind took lately.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace schedulegym {

class RecentSeconds {
 public:
  void Note(double seconds) {
    last_.push_back(seconds);
    if (last_.size() > kMost) last_.pop_front();
  }

  bool is_empty() const { return last_.empty(); }
  // Of the last few; 0 before the first.
  double Longest() const {
    return last_.empty() ? 0 : *std::max_element(last_.begin(), last_.end());
  }

 private:
  static constexpr size_t kMost = 8;  // a choice

  std::deque<double> last_;
};

}  // namespace schedulegym
