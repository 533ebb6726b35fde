#include "agents/droplet/descent.h"

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

// A choice.
constexpr int kMostTries = 3;

}  // namespace

Descent::Descent(std::shared_ptr<const KnobSpace> space, std::unique_ptr<KnobSearch> search,
                 Repeats repeats)
    : space_(std::move(space)), search_(std::move(search)), repeats_(repeats) {}

std::vector<Proposal> Descent::Propose(int count, KnownTimings& known) {
  while (waiting_.empty()) {
    if (!asked_.empty()) Conclude(known);
    const std::vector<KnobPoint> points = search_->Next(count);
    if (points.empty()) return {};
    Enqueue(points, known);
  }
  const auto end = waiting_.begin() + std::min<std::ptrdiff_t>(count, std::ssize(waiting_));
  std::vector<Proposal> proposals(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  return proposals;
}

void Descent::Enqueue(const std::vector<KnobPoint>& points, KnownTimings& known) {
  for (const KnobPoint& point : points) {
    Result<ScheduleState> state = space_->At(point);
    asked_.emplace_back();
    if (!state) continue;
    Proposal proposal = ProposalOf(*std::move(state));
    asked_.back() = proposal.key;
    // Different points may be the same schedule.
    const bool is_new = known.try_emplace(proposal.key).second;
    if (!is_new && repeats_ == Repeats::kNever) continue;
    known[proposal.key].reset();
    waiting_.push_back(std::move(proposal));
  }
}

void Descent::TryAgain(const Trial& trial) {
  if (std::find(asked_.begin(), asked_.end(), trial.key) == asked_.end()) return;
  if (++tries_[trial.key] < kMostTries) waiting_.push_back({trial.state, trial.key});
}

void Descent::Conclude(KnownTimings& known) {
  std::vector<std::optional<Timing>> results;
  for (const std::optional<Key>& key : asked_) {
    results.push_back(key ? known.at(*key) : std::nullopt);
  }
  for (const auto& [key, tries] : tries_) {
    if (tries >= kMostTries) known.erase(key);
  }
  tries_.clear();
  asked_.clear();
  search_->Tell(results);
}

std::vector<int> SizesOf(const KnobSpace& space) {
  std::vector<int> sizes;
  for (int i = 0; i < space.dimensions(); ++i) sizes.push_back(space.size_of(i));
  return sizes;
}

}  // namespace schedulegym
