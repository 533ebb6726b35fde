// Simulated annealing on measured time, with Kernel Tuner's defaults
// (strategies/simulated_annealing.py). Each chain measures one neighbour of its schedule: with
// probability `adjacent` one knob a step further, otherwise one decision drawn anew. It moves there
// if that is faster, otherwise with probability
//   exp(-d / T),    d = time / old time - 1,    T = start * (end / start)^(trial / steps)
// A chain without a neighbour left goes on at a random schedule; results of earlier searches
// replace the slowest chains. Cost: one neighbour a trial.
#include "agents/local/local.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kMostChains = 1024;

// Kernel Tuner's T, T_min and alpha (strategies/simulated_annealing.py), which cool to the end in
// ceil(ln(T_min) / ln(alpha)) trials, or in as many as there are; and its share of neighbours that
// are strictly adjacent.
struct AnnealingOptions {
  double start = 1;
  double end = 0.001;
  double adjacent = 0.8;
  int64_t steps = 1379;
  int chains = 1;
};

struct Chain {
  std::optional<RatedState> place;  // nullopt: it starts at a random schedule
  std::optional<Key> asked;         // its last proposal
};

class AnnealingSearch : public TaskSearch {
 public:
  AnnealingSearch(const AnnealingOptions& options, FreshSchedules fresh, Rng rng)
      : options_(options), fresh_(std::move(fresh)), rng_(rng), chains_(options.chains) {}

  std::vector<Proposal> Propose(int count) override {
    std::vector<Proposal> proposals;
    for (size_t i = 0; i < chains_.size() && std::ssize(proposals) < count; ++i) {
      std::optional<Proposal> next = Next(chains_[next_++ % chains_.size()]);
      if (next) proposals.push_back(*std::move(next));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      if (RecordToLearnFrom(trial) == nullptr) continue;
      const std::optional<RatedState> rated = RatingOf(trial);
      if (trial.told == TrialStatus::kMeasured) {
        Move(trial.key, rated);
      } else if (trial.told == TrialStatus::kRevised) {
        Revise(trial.key, rated);
      } else if (rated) {
        BeginAt(*rated);
      }
    }
  }

 private:
  std::optional<Proposal> Next(Chain& chain) {
    std::optional<Proposal> next;
    if (chain.place) next = Neighbour(chain.place->state);
    if (!next) {
      chain.place.reset();
      next = fresh_.Draw(rng_);
    }
    chain.asked.reset();
    if (next) chain.asked = next->key;
    return next;
  }

  std::optional<Proposal> Neighbour(const ScheduleState& state) {
    std::optional<Proposal> next;
    if (rng_.Chance(options_.adjacent)) next = fresh_.Adjacent(state, rng_);
    return next ? next : fresh_.Near(state, rng_);
  }

  void Move(const Key& key, const std::optional<RatedState>& rated) {
    ++trials_;
    for (Chain& chain : chains_) {
      if (chain.asked == key && rated && Accepts(chain, rated->speed)) chain.place = rated;
    }
  }

  bool Accepts(const Chain& chain, double speed) {
    if (!chain.place || speed >= chain.place->speed) return true;
    const double slower = chain.place->speed / speed - 1;
    return rng_.Chance(std::exp(-slower / Temperature()));
  }

  double Temperature() const {
    const double part = static_cast<double>(trials_) / static_cast<double>(options_.steps);
    return options_.start * std::pow(options_.end / options_.start, std::min(part, 1.0));
  }

  void Revise(const Key& key, const std::optional<RatedState>& rated) {
    for (Chain& chain : chains_) {
      if (chain.place && chain.place->key == key) chain.place = rated;
    }
  }

  // Replaces the slowest chain.
  void BeginAt(const RatedState& known) {
    const auto slowest =
        std::min_element(chains_.begin(), chains_.end(), [](const Chain& a, const Chain& b) {
          return (a.place ? a.place->speed : 0) < (b.place ? b.place->speed : 0);
        });
    if (!slowest->place || known.speed > slowest->place->speed) slowest->place = known;
  }

  AnnealingOptions options_;
  FreshSchedules fresh_;
  Rng rng_;
  std::vector<Chain> chains_;
  size_t next_ = 0;     // the chain of the next proposal
  int64_t trials_ = 0;  // own trials with a result
};

// Returns each task's share of the trials; nullopt if the trials are not known.
std::optional<int64_t> StepsOf(const AgentSetup& setup) {
  if (!setup.budget || setup.tasks.empty()) return std::nullopt;
  return std::max<int64_t>(setup.budget->trials / std::ssize(setup.tasks), 1);
}

double ReadTemperature(SpecReader& reader, const std::string& who, const std::string& key,
                       double default_value) {
  const double value = reader.Number(key, default_value);
  if (std::isfinite(value) && value > 0) return value;
  throw InputError(who + ": " + key + "=" + FormatDouble(value) + ", expected above 0");
}

AnnealingOptions ReadOptions(SpecReader& reader, const std::string& who, const AgentSetup& setup) {
  AnnealingOptions options;
  options.steps = StepsOf(setup).value_or(options.steps);
  options.start = ReadTemperature(reader, who, "start", options.start);
  options.end = ReadTemperature(reader, who, "end", options.end);
  options.adjacent = ReadShare(reader, who, "adjacent", options.adjacent);
  options.steps = reader.OptionalInteger("steps").value_or(options.steps);
  options.chains = ReadCount(reader, who, {"chains", options.chains, kMostChains});
  if (options.steps < 1) {
    throw InputError(who + ": steps=" + std::to_string(options.steps) + ", expected at least 1");
  }
  if (options.end > options.start) {
    throw InputError(who + ": end=" + FormatDouble(options.end) +
                     ", expected no more than start=" + FormatDouble(options.start));
  }
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeAnnealingAgent(const AgentContext& context) {
  return MakeFreshAgent<AnnealingSearch>(context, [&](SpecReader& reader, const std::string& who) {
    return ReadOptions(reader, who, context.setup);
  });
}

}  // namespace schedulegym
