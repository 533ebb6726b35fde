// Ordered (default): each number has its neighbours, up to 4 to both sides, among the divisors of
// the extent and 4, 8, 16, 24, 32, 48, 64, or among the steps 16, 64, 128, 256, 512; lengths of a
// split stay within the extent. Published (TVM pull request 16499): own value first, then that
// list, in any combination. Powers of two (MetaSchedule): own value first, then these. A number
// becomes a constant if knobs would exceed the index's range.
#include "agents/droplet/refinement.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "env/search/factorization.h"

namespace schedulegym {
namespace {

constexpr int64_t kPublishedLengths[] = {4, 8, 16, 24, 32, 48, 64};
constexpr int64_t kPublishedUnrolls[] = {64, 128, 256, 512};
constexpr int64_t kPowerLengths[] = {2, 4, 8, 16, 32, 64};
constexpr int64_t kPowerUnrolls[] = {128, 256, 512, 1024};
// The least that Ansor unrolls on CPUs.
constexpr int64_t kLeastUnroll = 16;
// Chosen so that forty knobs can be counted; further steps begin from another centre.
constexpr std::ptrdiff_t kReach = 4;

// Values of one number, and the position of its current value.
struct NumberValues {
  std::vector<int64_t> values;
  int own = 0;
};

NumberValues OwnFirst(int64_t own, std::span<const int64_t> others, int64_t most) {
  NumberValues number = {{own}, 0};
  for (int64_t value : others) {
    if (value != own && value <= most) number.values.push_back(value);
  }
  return number;
}

NumberValues Nearest(int64_t own, std::set<int64_t> all) {
  all.insert(own);
  const std::vector<int64_t> sorted(all.begin(), all.end());
  const std::ptrdiff_t at = std::distance(all.begin(), all.find(own));
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(at - kReach, 0);
  const std::ptrdiff_t last = std::min(at + kReach + 1, std::ssize(sorted));
  return {{sorted.begin() + first, sorted.begin() + last}, static_cast<int>(at - first)};
}

NumberValues LengthValues(int64_t own, int64_t extent, RefinementValues kind) {
  if (kind == RefinementValues::kPublished) return OwnFirst(own, kPublishedLengths, extent);
  if (kind == RefinementValues::kPowersOfTwo) return OwnFirst(own, kPowerLengths, extent);
  const std::vector<int64_t> divisors = Divisors(extent);
  std::set<int64_t> all(divisors.begin(), divisors.end());
  for (int64_t length : kPublishedLengths) {
    if (length <= extent) all.insert(length);
  }
  return Nearest(own, std::move(all));
}

NumberValues UnrollValues(int64_t own, RefinementValues kind) {
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  if (kind == RefinementValues::kPublished) return OwnFirst(own, kPublishedUnrolls, kAny);
  if (kind == RefinementValues::kPowersOfTwo) return OwnFirst(own, kPowerUnrolls, kAny);
  std::set<int64_t> all(std::begin(kPublishedUnrolls), std::end(kPublishedUnrolls));
  all.insert(kLeastUnroll);
  return Nearest(own, std::move(all));
}

bool IsWithin(const std::vector<int64_t>& lengths, int64_t extent) {
  for (int64_t length : lengths) extent /= length;
  return extent > 0;
}

// Joins the segments, and finds the seed among their points.
class RefinementMaker {
 public:
  explicit RefinementMaker(RefinementValues kind) : kind_(kind) {}

  // `before` is the state that the step is applied to.
  void Add(const ScheduleState& before, const Primitive& step) {
    if (const auto* split = std::get_if<Split>(&step)) return AddSplit(before, *split);
    const auto* pragma = std::get_if<Pragma>(&step);
    if (pragma != nullptr && pragma->value != 0) return AddUnroll(before, *pragma);
    segments_.push_back(Variants{"", {{step}}});
  }

  Refinement Make(const std::shared_ptr<const Task>& task) && {
    return {KnobSpace(task, std::move(segments_)), std::move(seed_)};
  }

 private:
  void AddSplit(const ScheduleState& before, const Split& split) {
    const Stage& stage = before.stage(split.stage.id);
    const int64_t extent = stage.nodes[stage.loops[split.loop].node].extent;
    if (extent == 1) return segments_.push_back(Variants{"", {{split}}});
    const bool fits = kind_ == RefinementValues::kOrdered && IsWithin(split.lengths, extent);
    OpenLengths open{stage.op->name + ": tile of loop " + std::to_string(split.loop),
                     split,
                     extent,
                     fits ? LengthsFit::kWithin : LengthsFit::kAny,
                     {}};
    for (int64_t length : split.lengths) {
      open.values.push_back(Take(LengthValues(length, extent, kind_)));
    }
    segments_.push_back(std::move(open));
  }

  void AddUnroll(const ScheduleState& before, const Pragma& pragma) {
    Variants variants{before.stage(pragma.stage.id).op->name + ": unroll", {}};
    for (int64_t value : Take(UnrollValues(pragma.value, kind_))) {
      Pragma other = pragma;
      other.value = value;
      variants.values.push_back({other});
    }
    segments_.push_back(std::move(variants));
  }

  // Adds a knob; a number with one value, or one whose points would overflow the index, is fixed.
  std::vector<int64_t> Take(const NumberValues& number) {
    const auto count = static_cast<KnobIndex>(number.values.size());
    if (count == 1 || points_ > std::numeric_limits<KnobIndex>::max() / count) {
      return {number.values[number.own]};
    }
    points_ *= count;
    seed_.push_back(number.own);
    return number.values;
  }

  RefinementValues kind_;
  std::vector<TraceSegment> segments_;
  KnobPoint seed_;
  KnobIndex points_ = 1;
};

}  // namespace

Refinement RefinementOf(const ScheduleState& schedule, RefinementValues values) {
  RefinementMaker maker(values);
  ScheduleState state = ScheduleState::Initial(schedule.shared_task());
  for (const Primitive& step : schedule.trace()) {
    maker.Add(state, step);
    state = Apply(state, step).value();
  }
  return std::move(maker).Make(schedule.shared_task());
}

}  // namespace schedulegym
