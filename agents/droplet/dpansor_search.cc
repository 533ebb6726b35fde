#include "agents/droplet/dpansor_search.h"

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

// With more knobs only the last ones take part; the published listing never gets past these.
constexpr size_t kMostPatternKnobs = 62;

}  // namespace

DpansorSearch::DpansorSearch(std::vector<int> sizes, const Timing& seed,
                             const DpansorOptions& options)
    : sizes_(std::move(sizes)),
      options_(options),
      largest_(sizes_.empty() ? 1 : *std::max_element(sizes_.begin(), sizes_.end())),
      best_(sizes_.size(), 0),
      // Fault 3: a single lucky measurement of the origin makes every other point look worse.
      best_timing_(seed) {
  waiting_.push_back(best_);
  // Fault 1: strides are listed before the first round, so stride 1 is left out.
  Speculate();
}

std::vector<KnobPoint> DpansorSearch::Next(int) {
  const int64_t left = std::max<int64_t>(options_.trials - trials_, 0);
  const auto count = std::min<int64_t>(std::ssize(waiting_), left);
  trials_ += count;
  return {waiting_.begin(), waiting_.begin() + count};
}

void DpansorSearch::Tell(std::span<const std::optional<Timing>> results) {
  bool improved = false;
  for (size_t i = 0; i < std::min(results.size(), waiting_.size()); ++i) {
    if (!results[i] || !IsBetter(options_.better, *results[i], best_timing_)) continue;
    best_ = waiting_[i];
    best_timing_ = *results[i];
    improved = true;
  }
  // Fault 4: all were measured, but only a batch of them and the last one are removed.
  const auto gone = std::min<std::ptrdiff_t>(options_.batch, std::ssize(waiting_));
  waiting_.erase(waiting_.begin(), waiting_.begin() + gone);
  if (!waiting_.empty()) waiting_.pop_back();
  // Fault 1: no second try from further away.
  if (!improved) waiting_.clear();
  if (!improved) return;
  stride_ = 1;
  Enlist(stride_);
  Speculate();
}

// Fault 2: a mixed radix number is intended, but the formula does not compute one.
int64_t DpansorSearch::NumberOf(const KnobPoint& point) const {
  int64_t number = point.empty() ? 0 : point.back();
  for (size_t i = 0; i + 1 < point.size(); ++i) number += int64_t{point[i]} * sizes_[i];
  return number;
}

// Returns masks of knobs that move together, bit 0 for the last. The mask of all is left out, as
// published. Fault 1: there are few.
std::vector<uint64_t> DpansorSearch::Patterns() const {
  const uint64_t end = (uint64_t{1} << std::min(sizes_.size(), kMostPatternKnobs)) - 1;
  std::vector<uint64_t> patterns;
  // Each mask stands for two steps, up and down.
  for (uint64_t pattern = 1; pattern < end && std::ssize(patterns) <= options_.batch; ++pattern) {
    patterns.push_back(pattern);
  }
  return patterns;
}

// The first value follows the last; below the first there is none.
KnobPoint DpansorSearch::Step(uint64_t pattern, int by) const {
  KnobPoint point = best_;
  for (size_t i = 0; i < std::min(sizes_.size(), kMostPatternKnobs); ++i) {
    const size_t knob = sizes_.size() - 1 - i;
    const int value = point[knob] + ((pattern >> i & 1) != 0 ? by : 0);
    point[knob] = value > 0 ? value % sizes_[knob] : 0;
  }
  return point;
}

void DpansorSearch::Enlist(int stride) {
  int found = 0;
  for (uint64_t pattern : Patterns()) {
    for (int by : {stride, -stride}) {
      if (found > options_.batch) return;
      KnobPoint point = Step(pattern, by);
      if (!visited_.insert(NumberOf(point)).second) continue;
      waiting_.push_back(std::move(point));
      ++found;
    }
  }
}

void DpansorSearch::Speculate() {
  while (std::ssize(waiting_) < options_.batch && stride_ < largest_) Enlist(++stride_);
}

}  // namespace schedulegym
