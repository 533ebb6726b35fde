// The loop of AutoTVM's model-based tuner (TVM, autotvm/tuner/model_based_tuner.py), and with other
// parts of AdaTune and Chameleon:
// 1. until a plan is measured, and while nothing succeeded, random places;
// 2. fit the surrogate to all measurements; 3. explore; 4. choose a plan;
// 5. measure it: places by the model, then neighbours of the best, then int(epsilon * plan) random
//    places. A place that is not a schedule is replaced by the next one.
// Published plans continue at random when the model's places run out; so do these.
#include "agents/plan/plan_search.h"

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

// The number of best places whose neighbours are drawn, and draws for each.
constexpr int kElite = 8;
constexpr int kNearDraws = 20;

}  // namespace

PlanSearch::PlanSearch(const PlanOptions& options, PlaceBook book,
                       std::unique_ptr<Surrogate> surrogate, std::unique_ptr<Explorer> explorer,
                       Chooser chooser, Rng rng)
    : options_(options),
      book_(std::move(book)),
      surrogate_(std::move(surrogate)),
      explorer_(std::move(explorer)),
      chooser_(std::move(chooser)),
      rng_(rng) {}

std::vector<Proposal> PlanSearch::Propose(int count) {
  if (by_model_ + near_ + by_chance_ == 0) BeginPlan();
  std::vector<Proposal> proposals;
  while (std::ssize(proposals) < count && by_model_ + near_ + by_chance_ > 0) {
    std::optional<Proposal> next = Next();
    if (next) {
      proposals.push_back(*std::move(next));
    } else {
      by_model_ = near_ = by_chance_ = 0;
    }
  }
  return proposals;
}

void PlanSearch::Learn(std::span<const Trial> trials) {
  for (const Trial& trial : trials) book_.Learn(trial);
}

void PlanSearch::BeginPlan() {
  const auto measured = static_cast<int>(book_.measured().size());
  const int size = measured < options_.grows_at ? options_.early : options_.plan;
  chosen_.clear();
  by_model_ = near_ = 0;
  by_chance_ = size;
  if (options_.is_by_chance) return;
  const bool has_too_few = measured < std::min(size, options_.early) || book_.Best() == nullptr;
  if (has_too_few && !(options_.knows_before && options_.knows_before())) return;
  if (!has_too_few) surrogate_->Fit(book_);
  const double epsilon = surrogate_->ShareByChance(book_, rng_).value_or(options_.epsilon);
  by_chance_ = static_cast<int>(epsilon * size);
  near_ = std::min(static_cast<int>(options_.local * size), size - by_chance_);
  by_model_ = size - by_chance_ - near_;
  const int wanted = std::max(options_.spare, options_.candidates) * size;
  const ChosenPlaces chosen = chooser_(explorer_->Explore(book_, *surrogate_, wanted, rng_), size);
  chosen_.assign(chosen.order.begin(), chosen.order.end());
  by_model_ = std::min(by_model_, chosen.length.value_or(by_model_));
}

std::optional<Proposal> PlanSearch::Next() {
  std::optional<Proposal> next;
  if (by_model_ > 0) {
    --by_model_;
    next = NextOfModel();
  } else if (near_ > 0) {
    --near_;
    next = NextNeighbour();
  } else {
    --by_chance_;
  }
  return next ? next : NextByChance();
}

std::optional<Proposal> PlanSearch::NextOfModel() {
  while (!chosen_.empty()) {
    const FieldPlace place = std::move(chosen_.front().place);
    chosen_.pop_front();
    std::optional<Proposal> next = book_.Claim(place);
    if (!next) continue;
    next->note = "plan(from=model)";
    return next;
  }
  return std::nullopt;
}

std::optional<Proposal> PlanSearch::NextNeighbour() {
  const std::vector<const MeasuredPlace*> order = book_.Ranked();
  const auto most = std::min<int64_t>(kElite, std::ssize(order));
  for (int draw = 0; most > 0 && draw < kNearDraws; ++draw) {
    // Better places have more neighbours.
    const auto parent = std::min(rng_.Below(most), rng_.Below(most));
    const std::optional<FieldPlace> place = book_.field().Redrawn(order[parent]->place, rng_);
    if (!place) continue;
    std::optional<Proposal> next = book_.Claim(*place);
    if (!next) continue;
    next->note = "plan(from=near)";
    return next;
  }
  return std::nullopt;
}

std::optional<Proposal> PlanSearch::NextByChance() {
  std::optional<Proposal> next;
  if (options_.drawer) next = book_.Draw(options_.drawer, rng_);
  if (!next) next = book_.Draw(rng_);
  if (next) next->note = "plan(from=chance)";
  return next;
}

}  // namespace schedulegym
