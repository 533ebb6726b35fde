#include "agents/beam/beam_visitor.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace schedulegym {
namespace {

constexpr int kMostDraws = 8;   // for one completion, until it can be measured
constexpr int kMostBarren = 3;  // descents that find nothing new, after which nothing is left

}  // namespace

using Places = std::vector<std::shared_ptr<const TreePlace>>;

Places Expanded(const Places& places) {
  Places expanded;
  std::set<Key> known;
  const auto add = [&](std::shared_ptr<const TreePlace> place) {
    if (place && known.insert(place->key()).second) expanded.push_back(std::move(place));
  };
  for (const auto& place : places) {
    if (place->choices() == 0) add(place);
    for (int choice = 0; choice < place->choices(); ++choice) add(place->After(choice));
  }
  return expanded;
}

bool AreComplete(const Places& places) {
  return std::ranges::all_of(places, [](const auto& place) { return place->choices() == 0; });
}

Places BestPlaces(const Places& places, const std::vector<std::optional<double>>& values,
                  int width) {
  std::vector<int> order;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return *values[a] > *values[b]; });
  Places best;
  for (int i : order) {
    if (std::ssize(best) == width) break;
    best.push_back(places[i]);
  }
  return best;
}

void BeamVisitor::Visit(StateRollout& rollout) {
  for (int pass = 0; pass < options_.passes; ++pass) {
    Places beam = {root_};
    while (!AreComplete(beam)) {
      const Places places = Expanded(beam);
      std::vector<RolloutRequest> requests;
      for (const auto& place : places) requests.push_back({place});
      std::vector<std::optional<double>> values;
      for (const std::optional<Rolled>& one : rollout.Roll(requests, rng_)) {
        values.push_back(one ? std::optional(one->value) : std::nullopt);
      }
      rollout.Keep({});
      beam = BestPlaces(places, values, options_.width);
    }
  }
}

MeasuredBeam::MeasuredBeam(const DecisionSearchContext& ground,
                           std::shared_ptr<const TreePlace> root, int width)
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
  // Leaves no candidates at the end: the next search starts at the root.
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
