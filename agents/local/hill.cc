// Measures neighbours (one decision drawn again) of a schedule one by one, and moves to the first
// one that is faster. After `patience` failures in a row it restarts at a random schedule. Results
// of earlier searches are the first start.
#include "agents/local/local.h"

#include <utility>

#include "agents/common/fresh_agent.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

struct HillOptions {
  // Kernel Tuner's no_improvement (strategies/greedy_ils.py). Its hill climber measures all
  // neighbours, which are too many in spaces of schedules.
  int patience = 50;
};

class HillSearch : public TaskSearch {
 public:
  HillSearch(const HillOptions& options, FreshSchedules fresh, Rng rng)
      : options_(options), fresh_(std::move(fresh)), rng_(rng) {}

  // Returns one proposal: the next one depends on its result.
  std::vector<Proposal> Propose(int) override {
    std::optional<Proposal> next;
    if (centre_ && fruitless_ < options_.patience) next = fresh_.Near(centre_->state, rng_);
    if (!next) {
      centre_.reset();
      next = fresh_.Draw(rng_);
    }
    if (!next) return {};
    return {*std::move(next)};
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      if (RecordToLearnFrom(trial) != nullptr) Weigh(trial);
    }
  }

 private:
  void Weigh(const Trial& trial) {
    std::optional<RatedState> rated = RatingOf(trial);
    if (centre_ && trial.key == centre_->key) {
      centre_ = std::move(rated);
    } else if (rated && (!centre_ || rated->speed > centre_->speed)) {
      centre_ = std::move(rated);
      fruitless_ = 0;
    } else if (trial.told == TrialStatus::kMeasured) {
      ++fruitless_;
    }
  }

  HillOptions options_;
  FreshSchedules fresh_;
  Rng rng_;
  std::optional<RatedState> centre_;  // nullopt: it starts at a random schedule
  int fruitless_ = 0;                 // neighbours in a row
};

HillOptions ReadOptions(SpecReader& reader, const std::string& who) {
  HillOptions options;
  options.patience = ReadCount(reader, who, {"patience", options.patience, kMostOfACount});
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeHillAgent(const AgentContext& context) {
  return MakeFreshAgent<HillSearch>(context, ReadOptions);
}

}  // namespace schedulegym
