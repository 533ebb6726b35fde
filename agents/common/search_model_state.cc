#include "agents/common/search_model_state.h"

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

constexpr int kElite = 8;        // parents
constexpr int kLocalDraws = 20;  // most children drawn for each that is wanted

}  // namespace

std::optional<MeasuredState> SearchModelState::Take(const Trial& trial) {
  const Record* record = RecordToLearnFrom(trial);
  if (record == nullptr) {
    seen.erase(trial.key);
    return std::nullopt;
  }
  MeasuredState lesson{trial.state, trial.key, std::nullopt};
  if (record->measurement.ok()) lesson.seconds = record->measurement.timing->seconds;
  seen.insert(trial.key);
  measured.erase(trial.key);
  if (lesson.seconds) measured.emplace(trial.key, lesson);
  return lesson;
}

std::vector<const MeasuredState*> SearchModelState::Ranked() const {
  std::vector<const MeasuredState*> order;
  for (const auto& [key, one] : measured) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return *a->seconds < *b->seconds; });
  return order;
}

std::vector<Proposal> SearchModelState::Neighbours(const SearchSpace& space, int wanted,
                                                   bool niches, Rng& rng,
                                                   const StopToken& stop) const {
  const std::vector<const MeasuredState*> order = Ranked();
  const std::vector<const MeasuredState*> leaders = niches ? FirstOfNiches(order, kElite) : order;
  std::vector<Proposal> children;
  for (int draw = 0; draw < kLocalDraws * wanted && !order.empty(); ++draw) {
    if (std::ssize(children) == int64_t{2} * wanted) break;
    const auto& parents = draw % 2 == 0 ? order : leaders;
    const auto most = std::min<int64_t>(kElite, std::ssize(parents));
    // Better parents have more children.
    const auto parent = std::min(rng.Below(most), rng.Below(most));
    stop.Check();
    Result<ScheduleState> child = space.Mutate(parents[parent]->state, rng);
    if (!child) continue;
    Proposal proposal = ProposalOf(*std::move(child));
    if (!seen.contains(proposal.key)) children.push_back(std::move(proposal));
  }
  return children;
}

Key NicheOf(const ScheduleState& state) {
  Hasher hasher;
  for (const StagePtr& stage : state.stages()) {
    hasher.Add(static_cast<uint64_t>(stage->op->kind));
    hasher.Add(static_cast<uint64_t>(stage->op->source));
    hasher.Add(static_cast<uint64_t>(stage->location));
    if (stage->location != Location::kAt) continue;
    hasher.Add(static_cast<uint64_t>(stage->target));
    hasher.Add(static_cast<uint64_t>(state.stage(stage->target).FindLoop(stage->target_node)));
  }
  return hasher.KeyValue();
}

std::vector<const MeasuredState*> FirstOfNiches(const std::vector<const MeasuredState*>& order,
                                                int most) {
  std::set<Key> known;
  std::vector<const MeasuredState*> firsts;
  for (const MeasuredState* one : order) {
    if (std::ssize(firsts) == most) break;
    if (known.insert(NicheOf(one->state)).second) firsts.push_back(one);
  }
  return firsts;
}

}  // namespace schedulegym
