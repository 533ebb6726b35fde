#include "agents/beam/measured_beam.h"

#include <algorithm>
#include <utility>

#include "agents/beam/beam_visitor.h"

namespace schedulegym {
namespace {

constexpr int kMostDraws = 8;   // for one completion, until it can be measured
constexpr int kMostBarren = 3;  // descents that find nothing new, after which nothing is left

}  // namespace

MeasuredBeam::MeasuredBeam(const SearchGround& ground, std::shared_ptr<const TreePlace> root,
                           int width)
    : ground_(ground), root_(std::move(root)), width_(width) {}

std::vector<Proposal> MeasuredBeam::Propose(int count) {
  int barren = 0;
  while (waiting_.empty() && barren < kMostBarren) {
    GoOn();
    if (!waiting_.empty()) is_new_ = true;
    if (!candidates_.empty()) continue;
    barren = is_new_ ? 0 : barren + 1;
    is_new_ = false;
  }
  std::vector<Proposal> proposals;
  for (; !waiting_.empty() && std::ssize(proposals) < count; waiting_.pop_front()) {
    proposals.push_back(std::move(waiting_.front()));
  }
  return proposals;
}

void MeasuredBeam::GoOn() {
  std::vector<std::shared_ptr<const TreePlace>> places;
  std::vector<std::optional<double>> speeds;
  for (const Candidate& one : std::exchange(candidates_, {})) {
    places.push_back(one.place);
    speeds.emplace_back();
    if (!one.state) continue;
    const auto found = ground_.memory.measured.find(*one.state);
    if (found != ground_.memory.measured.end()) speeds.back() = 1 / *found->second.seconds;
  }
  const auto beam = places.empty() ? std::vector{root_} : BestPlaces(places, speeds, width_);
  // At the end there are no candidates: the next begins at the root.
  if (!places.empty() && AreComplete(beam)) return;
  for (const auto& place : Expanded(beam)) Complete(place);
}

void MeasuredBeam::Complete(const std::shared_ptr<const TreePlace>& place) {
  candidates_.push_back({place, std::nullopt});
  for (int draw = 0; draw < kMostDraws; ++draw) {
    ground_.stop.Check();
    Result<ScheduleState> state = place->Complete(ground_.rng);
    if (!state || !ground_.space.Admit(*state)) continue;
    Proposal proposal = ProposalOf(*std::move(state));
    candidates_.back().state = proposal.key;
    if (ground_.memory.seen.insert(proposal.key).second) waiting_.push_back(std::move(proposal));
    return;
  }
}

}  // namespace schedulegym
