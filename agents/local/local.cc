// Measures several neighbours (one decision drawn again) of a schedule, and moves to the best one
// if it is faster. After many failures the walk has ended at a local optimum. The next walk starts
// at the best schedule so far with some decisions drawn again, or at a random schedule if that
// finds nothing new. Results of earlier searches are the first start.
#include "agents/local/local.h"

#include <algorithm>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/sketch_place.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

struct LocalOptions {
  // Chosen: the number that droplet measures together. Published are all neighbours, which are too
  // many in spaces of schedules.
  int neighbours = 16;
  // Kernel Tuner's no_improvement and random_walk (strategies/greedy_ils.py).
  int patience = 50;
  double walk = 0.3;
};

class LocalSearch : public TaskSearch {
 public:
  LocalSearch(const LocalOptions& options, FreshSchedules fresh, Rng rng)
      : options_(options), fresh_(std::move(fresh)), rng_(rng) {}

  std::vector<Proposal> Propose(int count) override {
    if (centre_ && fruitless_ < options_.patience) {
      std::vector<Proposal> neighbours = Around(*centre_, count);
      if (!neighbours.empty()) return neighbours;
    }
    if (centre_) EndWalk();
    std::optional<Proposal> start = NextStart();
    if (!start) return {};
    return {*std::move(start)};
  }

  // Proposals made together are reported together.
  void Learn(std::span<const Trial> trials) override {
    std::optional<RatedState> best;
    int measured = 0;
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      if (RecordToLearnFrom(trial) == nullptr) continue;
      measured += trial.told == TrialStatus::kMeasured ? 1 : 0;
      std::optional<RatedState> rated = RatingOf(trial);
      if (centre_ && trial.key == centre_->key) centre_ = rated;
      if (end_ && trial.key == end_->key) end_ = rated;
      if (rated && (!best || rated->speed > best->speed)) best = std::move(rated);
    }
    if (best && (!centre_ || best->speed > centre_->speed)) {
      centre_ = std::move(best);
      fruitless_ = 0;
    } else {
      fruitless_ += measured;
    }
  }

 private:
  std::vector<Proposal> Around(const RatedState& centre, int count) {
    const int most = std::min({count, options_.neighbours, options_.patience - fruitless_});
    std::vector<Proposal> neighbours;
    while (std::ssize(neighbours) < most) {
      std::optional<Proposal> next = fresh_.Near(centre.state, rng_);
      if (!next) break;
      neighbours.push_back(*std::move(next));
    }
    return neighbours;
  }

  void EndWalk() {
    if (!end_ || centre_->speed > end_->speed) end_ = std::move(centre_);
    centre_.reset();
    fruitless_ = 0;
  }

  std::optional<Proposal> NextStart() {
    std::optional<Proposal> start;
    if (end_) {
      const auto anew =
          static_cast<int64_t>(options_.walk * static_cast<double>(CountGenes(end_->state)));
      start = fresh_.Beyond(end_->state, std::max<int64_t>(anew, 1), rng_);
    }
    return start ? start : fresh_.Draw(rng_);
  }

  LocalOptions options_;
  FreshSchedules fresh_;
  Rng rng_;
  std::optional<RatedState> centre_;  // nullopt: the next walk begins
  std::optional<RatedState> end_;     // the best of all walks that ended
  int fruitless_ = 0;                 // neighbours since the last step
};

LocalOptions ReadOptions(SpecReader& reader, const std::string& who) {
  LocalOptions options;
  options.neighbours = ReadCount(reader, who, {"neighbours", options.neighbours, kMostOfACount});
  options.patience = ReadCount(reader, who, {"patience", options.patience, kMostOfACount});
  options.walk = ReadShare(reader, who, "walk", options.walk);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeLocalAgent(const AgentContext& context) {
  return MakeFreshAgent<LocalSearch>(context, ReadOptions);
}

}  // namespace schedulegym
