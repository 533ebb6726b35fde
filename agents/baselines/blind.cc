#include "agents/baselines/blind.h"

#include <set>
#include <utility>

#include "agents/agent_maker.h"

namespace schedulegym {
namespace {

class BlindAgent : public Agent {
 public:
  // `setup` is the other agent's.
  BlindAgent(AgentSetup setup, const AgentContext& context)
      : setup_(std::move(setup)),
        agent_(context.maker.Make(WithSetup(context, setup_))),
        // Splits as the other agent's stream does, so that both make the same first proposals.
        rng_(Rng(context.rng).Split()),
        swapped_(setup_.tasks.size()) {}

  std::vector<Proposal> Propose(int task, int count) override {
    return agent_->Propose(task, count);
  }

  void Learn(std::span<const Trial> trials) override {
    if (trials.empty()) return agent_->Learn(trials);
    SwappedMeasurements::Heard heard = swapped_[trials.front().task].Swap(trials, rng_);
    agent_->Learn(heard.trials);
    if (!heard.revised.empty()) agent_->Learn(heard.revised);
  }

  // Not saved, as the agent learned from wrong results.
  ModelState* memory() override { return nullptr; }

 private:
  AgentSetup setup_;
  std::unique_ptr<Agent> agent_;
  Rng rng_;
  std::vector<SwappedMeasurements> swapped_;  // by task
};

}  // namespace

std::unique_ptr<Agent> MakeBlindAgent(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  AgentSetup setup = context.setup;
  setup.agent = reader.OptionalSpec("agent").value_or(Spec{"ansor", {}});
  reader.Finish();
  return std::make_unique<BlindAgent>(std::move(setup), context);
}

SwappedMeasurements::Heard SwappedMeasurements::Swap(std::span<const Trial> trials, Rng& rng) {
  const size_t first_new = slots_.size();
  std::vector<size_t> changed;
  for (const Trial& trial : trials) {
    if (RecordToLearnFrom(trial) == nullptr) continue;
    const auto [known, is_new] = slot_of_.emplace(trial.key, slots_.size());
    if (is_new) {
      slots_.push_back({trial, slots_.size(), slots_.size()});
    } else {
      slots_[known->second].trial = trial;
      changed.push_back(slots_[known->second].holder);
    }
  }
  Shuffle(first_new, changed, rng);
  Heard heard;
  std::set<size_t> told;
  for (const Trial& trial : trials) {
    if (RecordToLearnFrom(trial) == nullptr) {
      heard.trials.push_back(trial);
      continue;
    }
    const size_t slot = slot_of_.at(trial.key);
    told.insert(slot);
    heard.trials.push_back(HeardOf(slot, trial.told));
  }
  for (size_t slot : changed) {
    if (told.insert(slot).second) heard.revised.push_back(HeardOf(slot, TrialStatus::kRevised));
  }
  return heard;
}

void SwappedMeasurements::Shuffle(size_t first_new, std::vector<size_t>& changed, Rng& rng) {
  const size_t count = slots_.size() - first_new;
  if (count == 1) {
    const auto other = static_cast<size_t>(rng.Below(std::ssize(slots_)));
    if (other == first_new) return;
    Trade(first_new, other);
    changed.push_back(other);
    return;
  }
  for (size_t left = count; left > 1; --left) {
    const auto other = static_cast<size_t>(rng.Below(static_cast<int64_t>(left)));
    Trade(first_new + left - 1, first_new + other);
  }
}

void SwappedMeasurements::Trade(size_t a, size_t b) {
  std::swap(slots_[a].holds, slots_[b].holds);
  slots_[slots_[a].holds].holder = a;
  slots_[slots_[b].holds].holder = b;
}

Trial SwappedMeasurements::HeardOf(size_t slot, TrialStatus told) const {
  Trial trial = slots_[slot].trial;
  auto record = std::make_shared<Record>(*trial.record);
  record->measurement = slots_[slots_[slot].holds].trial.record->measurement;
  record->measurement.attempt = trial.record->measurement.attempt;
  trial.record = std::move(record);
  trial.told = told;
  return trial;
}

}  // namespace schedulegym
