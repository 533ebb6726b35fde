#include "agents/trained/predicted_places.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "agents/cost/model_registry.h"

namespace schedulegym {
namespace {

// Searches without a new place before random ones follow.
constexpr int kIdleSearches = 3;

}  // namespace

std::vector<std::optional<double>> PredictedPlaces::Predict(const std::vector<FieldPlace>& places) {
  std::vector<std::optional<double>> scores(places.size());
  std::vector<StateFeatures> states;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < places.size(); ++i) {
    if (const auto known = scored_.find(places[i]); known != scored_.end()) {
      scores[i] = known->second;
      continue;
    }
    Result<ScheduleState> state = book_.field().State(places[i]);
    if (!state) {
      scored_[places[i]] = std::nullopt;
      continue;
    }
    states.emplace_back(*std::move(state));
    numbers.push_back(i);
  }
  const std::vector<std::optional<double>> predicted = ScoresOf(model_->Predict(states));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const FieldPlace& place = places[numbers[i]];
    scores[numbers[i]] = scored_[place] = predicted[i];
    if (predicted[i] && book_.IsOpen(place)) found_[place] = *predicted[i];
  }
  return scores;
}

std::vector<Proposal> PredictedPlaces::Propose(int count, std::optional<int> shots,
                                               const std::function<void()>& search, Rng& rng) {
  std::vector<Proposal> proposals;
  for (int idle = 0; idle < kIdleSearches && std::ssize(proposals) < count;) {
    const int64_t before = std::ssize(proposals);
    Deal(std::min<int64_t>(count - before, left_) + before, proposals);
    const int64_t dealt = std::ssize(proposals) - before;
    left_ -= dealt;
    if (std::ssize(proposals) >= count) break;
    idle = dealt == 0 ? idle + 1 : 0;
    search();
    left_ = shots ? *shots : std::numeric_limits<int64_t>::max();
  }
  while (std::ssize(proposals) < count) {
    std::optional<Proposal> draw = book_.Draw(rng);
    if (!draw) break;
    proposals.push_back(*std::move(draw));
  }
  return proposals;
}

void PredictedPlaces::Deal(int64_t count, std::vector<Proposal>& proposals) {
  std::vector<std::pair<double, FieldPlace>> order;
  for (const auto& [place, score] : found_) order.emplace_back(-score, place);
  std::ranges::sort(order);
  for (const auto& [score, place] : order) {
    if (std::ssize(proposals) >= count) return;
    found_.erase(place);
    if (!book_.IsOpen(place)) continue;
    if (std::optional<Proposal> claimed = book_.Claim(place)) {
      proposals.push_back(*std::move(claimed));
    }
  }
}

std::unique_ptr<CostModel> MakeTrainedModel(const Spec& model, const NetworkReader& networks,
                                            const std::shared_ptr<const Task>& task, Rng rng,
                                            const StopToken& stop) {
  if (networks && model.options.empty() && HoldsNetwork(model.name)) {
    return networks(model.name, {&task, 1}, stop);
  }
  CheckModelFits(model, task->target);
  return MakeTrainedCostModel({model, rng, stop});
}

}  // namespace schedulegym
