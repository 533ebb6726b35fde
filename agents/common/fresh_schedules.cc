#include "agents/common/fresh_schedules.h"

#include <utility>

#include "agents/common/sketch_place.h"

namespace schedulegym {
namespace {

// Draws in a row around one schedule. Chosen: with twenty equally likely neighbours, each is missed
// once in 170 such rows.
constexpr int kNearDraws = 100;

}  // namespace

FreshSchedules::FreshSchedules(const AgentContext& context, std::shared_ptr<const Task> task,
                               int64_t retries)
    : space_(context.space),
      stop_(context.stop),
      task_(std::move(task)),
      retries_(retries),
      limit_(space_.Limit(task_)) {}

std::optional<Proposal> FreshSchedules::Draw(Rng& rng) {
  for (int64_t failures = 0; failures < retries_ && !IsExhausted();) {
    stop_.Check();
    Result<ScheduleState> state = space_.Sample(task_, rng);
    if (!state) {
      ++failures;
      continue;
    }
    const Proposal proposal = ProposalOf(*std::move(state));
    // Repeating an earlier search's draw does not show how many schedules are left.
    if (told_.erase(proposal.key) > 0) {
      drawn_.insert(proposal.key);
    } else if (Claim(proposal)) {
      return proposal;
    } else {
      ++failures;
    }
  }
  return std::nullopt;
}

std::optional<Proposal> FreshSchedules::Near(const ScheduleState& state, Rng& rng) {
  for (int draw = 0; draw < kNearDraws && !IsExhausted(); ++draw) {
    stop_.Check();
    Result<ScheduleState> next = space_.Mutate(state, rng);
    if (!next) continue;
    const Proposal proposal = ProposalOf(*std::move(next));
    if (Claim(proposal)) return proposal;
  }
  return std::nullopt;
}

std::optional<Proposal> FreshSchedules::Adjacent(const ScheduleState& state, Rng& rng) {
  const std::optional<SketchPlace> place = FindPlace(sketches(), state);
  for (int draw = 0; place && draw < kNearDraws && !IsExhausted(); ++draw) {
    stop_.Check();
    const std::optional<KnobPoint> point = StepFrom(*place, rng);
    if (!point) continue;
    Result<ScheduleState> next = place->knobs->At(*point);
    if (!next) continue;
    const Proposal proposal = ProposalOf(*std::move(next));
    if (Claim(proposal)) return proposal;
  }
  return std::nullopt;
}

std::optional<Proposal> FreshSchedules::Beyond(ScheduleState state, int64_t mutations, Rng& rng) {
  for (int64_t draw = 0; draw < mutations + kNearDraws && !IsExhausted(); ++draw) {
    if (draw >= mutations) {
      const Proposal proposal = ProposalOf(state);
      if (Claim(proposal)) return proposal;
    }
    stop_.Check();
    Result<ScheduleState> next = space_.Mutate(state, rng);
    if (next) state = *std::move(next);
  }
  return std::nullopt;
}

const std::vector<Sketch>& FreshSchedules::sketches() {
  if (!sketches_) sketches_ = space_.Sketches(task_);
  return *sketches_;
}

void FreshSchedules::Learn(const Trial& trial) {
  if (!RecordToLearnFrom(trial)) {
    drawn_.erase(trial.key);
  } else if (!drawn_.contains(trial.key)) {
    told_.insert(trial.key);
  }
}

Result<void> FreshSchedules::Claim(const Proposal& proposal) {
  if (told_.contains(proposal.key) || !drawn_.insert(proposal.key).second) {
    return Illegal("it was proposed or measured before");
  }
  return space_.Admit(proposal.state);
}

bool FreshSchedules::IsExhausted() const {
  return limit_ && static_cast<int64_t>(drawn_.size() + told_.size()) >= *limit_;
}

}  // namespace schedulegym
