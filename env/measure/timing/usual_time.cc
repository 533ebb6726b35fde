#include "env/measure/timing/usual_time.h"

#include <algorithm>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr size_t kMost = 200;
constexpr size_t kLeast = 8;  // fewer tell nothing
constexpr double kSlow = 1.5;
constexpr double kPatienceSeconds = 60;

}  // namespace

void UsualTime::Note(double seconds, double now) {
  SG_CHECK(seconds > 0, "a reference takes time");
  if (Slowdown(seconds) <= kSlow) {
    slow_.clear();
  } else {
    if (slow_.empty()) slow_since_ = now;
    slow_.push_back(seconds);
  }
  last_.push_back(seconds);
  if (last_.size() > kMost) last_.pop_front();
  if (slow_.size() < kLeast || now - slow_since_ < kPatienceSeconds) return;
  last_ = std::move(slow_);
  slow_.clear();
}

double UsualTime::Slowdown(double seconds) const {
  if (last_.size() < kLeast) return 1;
  std::vector<double> sorted(last_.begin(), last_.end());
  const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
  std::nth_element(sorted.begin(), quartile, sorted.end());
  return seconds / *quartile;
}

}  // namespace schedulegym
