// Turns offers of a line agent into proposals. A point with open knobs is completed at random up to
// 20 times; samples and mutations are drawn until a new one is found (1000 tries). A schedule
// that was proposed before, or is unbuildable, is refused with field and reason. Telling matches
// trials with the offers in order by key; refusals in between are told at their place. A told
// schedule's point is found by asking each sketch for it.
#include "assembly/processes/offered_schedules.h"

#include <string>
#include <utility>

namespace schedulegym {
namespace {

// Draws in a row that may lead nowhere, as agents' retries.
constexpr int64_t kRetries = 1000;
// Limit of draws for a point with open knobs. Chosen: after that many failures few completions of
// the fixed values are legal.
constexpr int kCompletions = 20;

std::string UpTo(int64_t found, int64_t count) {
  return "found " + std::to_string(found) + ", expected 0 to " + std::to_string(count - 1);
}

// The point as the space takes it.
std::variant<OpenPoint, Refusal> PointIn(const PointOffer& offer, const KnobSpace& knobs) {
  if (std::ssize(offer.point) != knobs.dimensions()) {
    return Refusal{"point", "found " + std::to_string(offer.point.size()) + " values, expected " +
                                std::to_string(knobs.dimensions())};
  }
  OpenPoint point;
  for (int i = 0; i < knobs.dimensions(); ++i) {
    const std::optional<int64_t>& value = offer.point[static_cast<size_t>(i)];
    if (value && *value >= knobs.size_of(i)) {
      return Refusal{"point[" + std::to_string(i) + "]",
                     UpTo(*value, knobs.size_of(i)) + " (" + knobs.knob(i).name + ")"};
    }
    point.push_back(value ? std::optional(static_cast<int>(*value)) : std::nullopt);
  }
  return point;
}

// nullopt if some knob is open.
std::optional<SketchPoint> PlaceIn(const PointOffer& offer) {
  SketchPoint place{static_cast<int>(offer.sketch), {}};
  for (const std::optional<int64_t>& value : offer.point) {
    if (!value) return std::nullopt;
    place.point.push_back(static_cast<int>(*value));
  }
  return place;
}

// Whether the trial is of the agent's own proposal.
bool IsOwn(const Trial& trial) {
  return trial.told != TrialStatus::kKnown && trial.told != TrialStatus::kRevised;
}

}  // namespace

OfferedSchedules::OfferedSchedules(const AgentContext& context, int task, Rng rng)
    : stop_(context.stop),
      task_(context.setup.tasks[static_cast<size_t>(task)].task),
      number_(task),
      rng_(rng),
      fresh_(context, task_, kRetries) {}

std::vector<Proposal> OfferedSchedules::Take(std::span<const Offer> offers) {
  pending_.clear();
  is_exhausted_ = false;
  for (size_t i = 0; i < offers.size(); ++i) Add(static_cast<int>(i), offers[i]);
  std::vector<Proposal> proposals;
  for (const Slot& slot : pending_) {
    if (const auto* proposal = std::get_if<Proposal>(&slot.made)) proposals.push_back(*proposal);
  }
  return proposals;
}

void OfferedSchedules::Add(int proposal, const Offer& offer) {
  const auto add = [&](Made made, std::optional<SketchPoint> place = {}) {
    if (auto* schedule = std::get_if<Proposal>(&made)) {
      schedule->note = offer.note;
      heard_.insert_or_assign(schedule->key, schedule->state);
    }
    pending_.push_back({proposal, std::move(made), std::move(place)});
  };
  if (const auto* sample = std::get_if<SampleOffer>(&offer.what)) {
    for (int64_t i = 0; i < sample->count && !is_exhausted_; ++i) add(MakeDraw());
  } else if (const auto* point = std::get_if<PointOffer>(&offer.what)) {
    add(Make(*point), PlaceIn(*point));
  } else if (const auto* mutate = std::get_if<MutateOffer>(&offer.what)) {
    add(Make(*mutate));
  } else {
    add(Make(std::get<TraceOffer>(offer.what)));
  }
}

OfferedSchedules::Made OfferedSchedules::Make(const PointOffer& offer) {
  const std::vector<Sketch>& known = sketches();
  if (known.empty()) return Refusal{"sketch", "the space has none, expected another form"};
  if (offer.sketch >= std::ssize(known)) {
    return Refusal{"sketch", UpTo(offer.sketch, std::ssize(known))};
  }
  const KnobSpace& knobs = *known[static_cast<size_t>(offer.sketch)].knobs;
  const auto point = PointIn(offer, knobs);
  if (const auto* refusal = std::get_if<Refusal>(&point)) return *refusal;
  const auto& fixed = std::get<OpenPoint>(point);
  for (int draws = PlaceIn(offer) ? 1 : kCompletions;; --draws) {
    stop_.Check();
    Made made = Claimed("point", knobs.Complete(fixed, rng_));
    if (draws == 1 || std::holds_alternative<Proposal>(made)) return made;
  }
}

OfferedSchedules::Made OfferedSchedules::Make(const MutateOffer& offer) {
  const auto heard = heard_.find(offer.key);
  if (heard == heard_.end()) {
    return Refusal{"mutate", "found " + offer.key.ToText() + ", expected a key that was told"};
  }
  std::optional<Proposal> near = fresh_.Near(heard->second, rng_);
  if (!near) return Refusal{"mutate", "found no new neighbour of " + offer.key.ToText()};
  return *std::move(near);
}

OfferedSchedules::Made OfferedSchedules::Make(const TraceOffer& offer) {
  return Claimed("trace", ReplayText(task_, offer.trace));
}

OfferedSchedules::Made OfferedSchedules::MakeDraw() {
  std::optional<Proposal> draw = fresh_.Draw(rng_);
  if (draw) return *std::move(draw);
  is_exhausted_ = true;
  return Refusal{"sample", "found nothing new that is left"};
}

OfferedSchedules::Made OfferedSchedules::Claimed(const char* field, Result<ScheduleState> state) {
  if (!state) return Refusal{field, state.error().message};
  Proposal proposal = ProposalOf(*std::move(state));
  const Result<void> claimed = fresh_.Claim(proposal);
  if (!claimed) return Refusal{field, claimed.error().message};
  return proposal;
}

std::optional<SketchPoint> OfferedSchedules::PlaceOf(const ScheduleState& state) {
  const std::vector<Sketch>& known = sketches();
  for (size_t i = 0; i < known.size(); ++i) {
    std::optional<KnobPoint> point = known[i].knobs->PointOf(state);
    if (point) return SketchPoint{static_cast<int>(i), *std::move(point)};
  }
  return std::nullopt;
}

std::string OfferedSchedules::LastRefusal() const {
  for (auto slot = pending_.rbegin(); slot != pending_.rend(); ++slot) {
    if (const auto* refusal = std::get_if<Refusal>(&slot->made)) {
      return "proposals[" + std::to_string(slot->proposal) + "]." + refusal->field + ": " +
             refusal->reason;
    }
  }
  return "";
}

const OfferedSchedules::Slot* OfferedSchedules::NextSlot(const Key* key, size_t& next,
                                                         std::vector<LineTrial>& told) const {
  while (next < pending_.size()) {
    const Slot& slot = pending_[next++];
    if (const auto* refusal = std::get_if<Refusal>(&slot.made)) {
      told.push_back({number_, slot.proposal, *refusal});
    } else if (key != nullptr && std::get<Proposal>(slot.made).key == *key) {
      return &slot;
    }
  }
  return nullptr;
}

void OfferedSchedules::Tell(std::span<const Trial> trials, std::vector<LineTrial>& told) {
  size_t next = 0;
  bool is_about_answer = trials.empty();
  for (const Trial& trial : trials) {
    stop_.Check();
    fresh_.Learn(trial);
    heard_.insert_or_assign(trial.key, trial.state);
    const Slot* slot = IsOwn(trial) ? NextSlot(&trial.key, next, told) : nullptr;
    is_about_answer = is_about_answer || IsOwn(trial);
    const bool has_place = slot != nullptr && slot->place;
    told.push_back({number_, slot != nullptr ? std::optional(slot->proposal) : std::nullopt,
                    ReportedSchedule{trial, has_place ? slot->place : PlaceOf(trial.state)}});
  }
  if (!is_about_answer) return;
  NextSlot(nullptr, next, told);
  pending_.clear();
}

}  // namespace schedulegym
