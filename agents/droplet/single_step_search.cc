#include "agents/droplet/single_step_search.h"

#include <algorithm>
#include <utility>

namespace schedulegym {

SingleStepSearch::SingleStepSearch(std::vector<int> sizes, const Timing& seed,
                                   const SingleStepOptions& options)
    : sizes_(std::move(sizes)), options_(options), best_(sizes_.size(), 0), best_timing_(seed) {
  for (const int size : sizes_) largest_ = std::max(largest_, size);
  visited_.insert(best_);
}

std::vector<KnobPoint> SingleStepSearch::Next(int) {
  asked_.clear();
  const int64_t most = std::min<int64_t>(options_.batch, options_.trials - listed_);
  for (int by = 1; !is_over_ && by < largest_ && std::ssize(asked_) < most; ++by) {
    for (size_t knob = 0; knob < sizes_.size() && std::ssize(asked_) < most; ++knob) {
      KnobPoint point = best_;
      point[knob] = (point[knob] + by) % sizes_[knob];
      if (visited_.insert(point).second) asked_.push_back(std::move(point));
    }
  }
  listed_ += std::ssize(asked_);
  return asked_;
}

void SingleStepSearch::Tell(std::span<const std::optional<Timing>> results) {
  is_over_ = true;
  for (size_t i = 0; i < std::min(results.size(), asked_.size()); ++i) {
    if (!results[i] || !IsBetter(options_.better, *results[i], best_timing_)) continue;
    best_ = asked_[i];
    best_timing_ = *results[i];
    is_over_ = false;
  }
}

}  // namespace schedulegym
