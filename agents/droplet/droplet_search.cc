// Coordinate descent with a test on a grid of knobs (Droplet Search, TACO 2024):
// 1. measure a batch of waiting points; the centre moves to one that is better by the test (p =
//    0.05);
// 2. after a gain stride = 1; list points at +-stride along one knob, then along two;
// 3. while the batch is not full, stride += 1 up to the largest knob, and list again (speculation);
// 4. end when nothing waits.
// As published (TVM's droplet tuner): patterns from all knobs at once down, values wrap around
// modulo the size, one batch a stride, and the last point of each batch is lost. At most 62 knobs
// move together.
// Cost: O(knobs^2) points a stride; 2^knobs patterns as published, at most 65536 checked a batch.
#include "agents/droplet/droplet_search.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// With more knobs only the first ones take part in steps along several knobs.
constexpr int kMostPatternKnobs = 62;
// Patterns checked for one batch: they double with each knob.
constexpr uint64_t kMostPatterns = 1 << 16;

// The next larger number with as many bits set (Gosper).
uint64_t NextOfSameCount(uint64_t bits) {
  const uint64_t lowest = bits & -bits;
  const uint64_t ripple = bits + lowest;
  return ripple | (((bits ^ ripple) / lowest) >> 2);
}

}  // namespace

DropletOptions DropletOptions::Published() {
  DropletOptions options;
  options.better.test = BetterTest::kStudent;
  options.all_knobs_first = true;
  options.wraps = true;
  options.one_batch_a_stride = true;
  options.loses_points = true;
  return options;
}

DropletSearch::DropletSearch(std::vector<int> sizes, KnobPoint start, const DropletOptions& options,
                             IsLegal is_legal)
    : sizes_(std::move(sizes)),
      centre_(std::move(start)),
      options_(options),
      is_legal_(std::move(is_legal)),
      largest_(sizes_.empty() ? 1 : *std::max_element(sizes_.begin(), sizes_.end())),
      batch_(options.batch) {
  SG_CHECK(centre_.size() == sizes_.size(), "the start is a point of the grid");
  listed_.insert(centre_);
  waiting_.push_back(centre_);
}

std::vector<KnobPoint> DropletSearch::Next(int count) {
  batch_ = count;
  asked_.clear();
  std::vector<KnobPoint> points;
  while (points.empty() && !waiting_.empty()) {
    const size_t taken = std::min(waiting_.size(), static_cast<size_t>(count));
    for (size_t i = 0; i < taken; ++i) {
      options_.stop.Check();
      const bool legal = is_legal_(waiting_[i]);
      if (legal) points.push_back(waiting_[i]);
      if (legal || options_.loses_points) asked_.push_back(waiting_[i]);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
    if (options_.loses_points && !waiting_.empty()) waiting_.pop_back();
    // No legal point was found: goes on without a measurement.
    if (points.empty()) Tell({});
  }
  return points;
}

void DropletSearch::Tell(std::span<const std::optional<Timing>> results) {
  bool improved = false;
  for (size_t i = 0; i < results.size() && i < asked_.size(); ++i) {
    if (!results[i]) continue;
    if (best_timing_ && !IsBetter(options_.better, *results[i], *best_timing_)) continue;
    best_ = centre_ = asked_[i];
    best_timing_ = results[i];
    improved = true;
  }
  asked_.clear();
  if (improved) stride_ = 1;
  if (improved || !options_.one_batch_a_stride) Enlist(stride_);
  Speculate();
}

// Fills the batch with points further away.
void DropletSearch::Speculate() {
  if (!options_.speculates) return;
  while (static_cast<int>(waiting_.size()) < batch_ && stride_ < largest_) {
    options_.stop.Check();
    ++stride_;
    while (Enlist(stride_) && !options_.one_batch_a_stride &&
           static_cast<int>(waiting_.size()) < batch_) {
    }
  }
}

std::optional<KnobPoint> DropletSearch::Step(uint64_t pattern, int by) const {
  KnobPoint point = centre_;
  const int knobs = std::min(static_cast<int>(sizes_.size()), kMostPatternKnobs);
  // Bit 0 is the last knob.
  for (int i = 0; i < knobs; ++i) {
    if ((pattern >> i & 1) == 0) continue;
    const size_t knob = sizes_.size() - 1 - static_cast<size_t>(i);
    int value = point[knob] + by;
    if (options_.wraps) {
      value = value > 0 ? value % sizes_[knob] : 0;
    } else if (value < 0 || value >= sizes_[knob]) {
      return std::nullopt;
    }
    point[knob] = value;
  }
  return point;
}

// Returns whether there is room for more.
bool DropletSearch::EnlistAlong(uint64_t pattern, int stride, std::vector<KnobPoint>& found) {
  for (int by : {stride, -stride}) {
    std::optional<KnobPoint> point = Step(pattern, by);
    if (!point || !listed_.insert(*point).second) continue;
    found.push_back(*std::move(point));
    if (static_cast<int>(found.size()) > batch_) return false;
  }
  return true;
}

bool DropletSearch::Enlist(int stride) {
  const int knobs = std::min(static_cast<int>(sizes_.size()), kMostPatternKnobs);
  const uint64_t end = uint64_t{1} << knobs;
  std::vector<KnobPoint> found;
  bool room = true;
  if (options_.all_knobs_first) {
    const uint64_t last = end > kMostPatterns ? end - kMostPatterns : 1;
    for (uint64_t pattern = end - 1; room && pattern >= last; --pattern) {
      room = EnlistAlong(pattern, stride, found);
    }
  } else {
    // Steps along more than two knobs are too many for each stride.
    for (int count = 1; room && count <= std::min(knobs, 2); ++count) {
      for (uint64_t pattern = (uint64_t{1} << count) - 1; room && pattern < end;
           pattern = NextOfSameCount(pattern)) {
        room = EnlistAlong(pattern, stride, found);
      }
    }
  }
  waiting_.insert(waiting_.end(), found.begin(), found.end());
  return !found.empty();
}

}  // namespace schedulegym
