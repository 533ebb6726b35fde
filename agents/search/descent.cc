#include "agents/search/descent.h"

#include <algorithm>
#include <utility>

#include "env/schedule/loop_structure.h"

namespace schedulegym {

Descent::Descent(std::shared_ptr<const KnobSpace> space, std::unique_ptr<KnobSearch> search,
                 Repeats repeats)
    : space_(std::move(space)), search_(std::move(search)), repeats_(repeats) {}

std::vector<ScheduleState> Descent::Propose(int count, KnownTimings& known) {
  while (waiting_.empty()) {
    if (!asked_.empty()) Conclude(known);
    const std::vector<KnobPoint> points = search_->Next(count);
    if (points.empty()) return {};
    Enqueue(points, known);
  }
  const auto end = waiting_.begin() + std::min<std::ptrdiff_t>(count, std::ssize(waiting_));
  std::vector<ScheduleState> proposals(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  return proposals;
}

void Descent::Enqueue(const std::vector<KnobPoint>& points, KnownTimings& known) {
  for (const KnobPoint& point : points) {
    Result<ScheduleState> state = space_->At(point);
    asked_.emplace_back();
    if (!state) continue;
    asked_.back() = StateKey(*state);
    // Different points may be the same schedule.
    const bool is_new = known.try_emplace(*asked_.back()).second;
    if (!is_new && repeats_ == Repeats::kNever) continue;
    known[*asked_.back()].reset();
    waiting_.push_back(*std::move(state));
  }
}

void Descent::Conclude(const KnownTimings& known) {
  std::vector<std::optional<Timing>> results;
  for (const std::optional<Key>& key : asked_) {
    results.push_back(key ? known.at(*key) : std::nullopt);
  }
  asked_.clear();
  search_->Tell(results);
}

std::vector<int> SizesOf(const KnobSpace& space) {
  std::vector<int> sizes;
  for (int i = 0; i < space.dimensions(); ++i) sizes.push_back(space.size_of(i));
  return sizes;
}

}  // namespace schedulegym
