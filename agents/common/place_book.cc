#include "agents/common/place_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedulegym {
namespace {

// Width of a 95 % interval of a ratio, in deviations.
constexpr double kIntervalDeviations = 2 * 1.96;

MeasuredPlace MeasuredOf(const FieldPlace& place, const Key& key, const Measurement& measurement) {
  MeasuredPlace measured{place, key};
  if (!measurement.ok()) return measured;
  const Timing& timing = *measurement.timing;
  measured.speed = timing.ratio.median;
  measured.seconds = timing.seconds;
  if (timing.ratio.low > 0) {
    measured.noise = std::log(timing.ratio.high / timing.ratio.low) / kIntervalDeviations;
  }
  return measured;
}

}  // namespace

PlaceBook::PlaceBook(const AgentContext& context, std::shared_ptr<const Task> task, int64_t retries,
                     const std::string& asker)
    : space_(context.space),
      stop_(context.stop),
      retries_(retries),
      field_(context.space, std::move(task), asker) {}

std::optional<Proposal> PlaceBook::Claim(const FieldPlace& place) {
  if (!closed_.insert(place).second) return std::nullopt;
  stop_.Check();
  Result<ScheduleState> state = field_.State(place);
  if (!state) return std::nullopt;
  Proposal proposal = ProposalOf(*std::move(state));
  if (!known_.emplace(proposal.key, place).second || !space_.Admit(proposal.state)) {
    return std::nullopt;
  }
  return proposal;
}

std::optional<Proposal> PlaceBook::Draw(Rng& rng) {
  return Draw([](const KnobField& field, Rng& stream) { return field.Draw(stream); }, rng);
}

std::optional<Proposal> PlaceBook::Draw(const PlaceDrawer& drawer, Rng& rng) {
  for (int64_t failures = 0; failures < retries_; ++failures) {
    if (static_cast<double>(closed_.size()) >= field_.size()) break;
    stop_.Check();
    const std::optional<FieldPlace> place = drawer(field_, rng);
    if (!place) continue;
    std::optional<Proposal> proposal = Claim(*place);
    if (proposal) return proposal;
  }
  return std::nullopt;
}

std::optional<FieldPlace> PlaceBook::PlaceOf(const Key& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : found->second;
}

std::vector<const MeasuredPlace*> PlaceBook::Ranked() const {
  std::vector<const MeasuredPlace*> order;
  for (const MeasuredPlace& one : measured_) {
    if (one.ok()) order.push_back(&one);
  }
  std::ranges::stable_sort(order, std::greater<>(), &MeasuredPlace::speed);
  return order;
}

const MeasuredPlace* PlaceBook::Best() const {
  const auto best = std::ranges::max_element(measured_, {}, &MeasuredPlace::speed);
  return best == measured_.end() || !best->ok() ? nullptr : &*best;
}

std::vector<double> PlaceBook::Labels() const {
  const MeasuredPlace* best = Best();
  std::vector<double> labels;
  for (const MeasuredPlace& one : measured_) {
    labels.push_back(one.ok() ? one.speed / best->speed : 0);
  }
  return labels;
}

const MeasuredPlace* PlaceBook::Find(const Key& key) const {
  const auto found = numbers_.find(key);
  return found == numbers_.end() ? nullptr : &measured_[found->second];
}

void PlaceBook::Learn(const Trial& trial) {
  const Record* record = RecordToLearnFrom(trial);
  if (record == nullptr) {
    const std::optional<FieldPlace> place = PlaceOf(trial.key);
    if (place) closed_.erase(*place);
    known_.erase(trial.key);
    return;
  }
  auto known = known_.find(trial.key);
  if (known == known_.end()) {
    known = known_.emplace(trial.key, field_.PlaceOf(trial.state)).first;
  }
  if (!known->second) return;
  closed_.insert(*known->second);
  MeasuredPlace measured = MeasuredOf(*known->second, trial.key, record->measurement);
  const auto [number, is_new] = numbers_.emplace(trial.key, measured_.size());
  if (is_new) {
    measured_.push_back(std::move(measured));
  } else {
    measured_[number->second] = std::move(measured);
  }
}

}  // namespace schedulegym
