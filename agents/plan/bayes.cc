// Bayesian optimisation as in Kernel Tuner:
// 1. measure a Latin hypercube, illegal or known places replaced at random, until `first` succeed;
// 2. fit a Gaussian process to all successes (gaussian_process.h);
// 3. measure the open place of the pool with the highest acquisition, with the contextual
//    exploration factor (acquisition.h); a portfolio (portfolio.h) chooses the acquisitions.
// Published: times in milliseconds, from which a factor without unit is subtracted; length 1.5,
// noise 1e-10. Ours by default: log seconds, noise of the recorded intervals, the length of the
// highest likelihood, the factor in deviations of the targets. Pending places have their predicted
// value until they are measured. Cost: O(measured * pool) a trial.
#include "agents/plan/bayes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "agents/common/fresh_agent.h"
#include "agents/plan/place_model.h"
#include "agents/plan/plan_options.h"
#include "agents/plan/portfolio.h"

namespace schedulegym {
namespace {

// Limit of places named by one acquisition that are not schedules.
constexpr int kMostRefused = 64;
// This value of `factor` selects the contextual variance's factor.
constexpr double kContextual = -1;

struct BayesOptions {
  PlaceModelOptions model;
  int first = 20;
  bool hypercube = true;
  std::string acquire = "ei";
  PortfolioOptions portfolio;
  double factor = kContextual;
  int batch = 1;
};

// The acquisitions of one round, each with the place that it named.
using AskedRound = std::vector<std::pair<Acquisition, Key>>;

class BayesSearch : public TaskSearch {
 public:
  BayesSearch(const BayesOptions& options, PlaceBook book, Rng rng,
              std::function<void(const std::string&)> say)
      : options_(options),
        book_(std::move(book)),
        rng_(rng),
        say_(std::move(say)),
        model_(options.model, book_.field()) {
    if (options_.hypercube) hypercube_ = LatinHypercube(book_.field(), options_.first, rng_);
  }

  std::vector<Proposal> Propose(int count) override {
    const auto successes =
        static_cast<int>(std::ranges::count_if(book_.measured(), &MeasuredPlace::ok));
    if (successes < options_.first) return First(std::min(count, options_.first - successes));
    model_.Fit(book_, rng_);
    if (first_.first_mean == 0) BeginFactor();
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < std::min(count, options_.batch) && Ask(count, proposals)) {
    }
    if (model_.is_raised() && say_) {
      std::exchange(say_, nullptr)("agent bayes: equal points have raised the noise");
    }
    return proposals.empty() ? First(1) : proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  std::vector<Proposal> First(int count) {
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < count) {
      std::optional<Proposal> next;
      if (!hypercube_.empty()) {
        next = book_.Claim(hypercube_.back());
        hypercube_.pop_back();
      }
      if (!next) next = book_.Draw(rng_);
      if (!next) break;
      proposals.push_back(*std::move(next));
    }
    return proposals;
  }

  // Computes the factor from the sample before the first acquisition.
  void BeginFactor() {
    const auto count = std::min<size_t>(model_.targets().size(), options_.first);
    for (size_t i = 0; i < count; ++i) {
      first_.first_mean += model_.TimeOf(model_.targets()[i]) / static_cast<double>(count);
    }
    first_.first_deviation = MeanDeviation(model_.Predict());
  }

  // Mean deviation over open places.
  double MeanDeviation(const std::vector<Posterior>& posterior) const {
    double sum = 0, count = 0;
    for (size_t i = 0; i < posterior.size(); ++i) {
      if (!book_.IsOpen(model_.pool()[i])) continue;
      sum += posterior[i].deviation;
      ++count;
    }
    return count > 0 ? sum / count : 0;
  }

  double FactorAt(double best, const std::vector<Posterior>& posterior) const {
    const double factor = options_.factor >= 0
                              ? options_.factor
                              : first_.At(model_.TimeOf(best), MeanDeviation(posterior));
    return factor * model_.deviation();
  }

  std::vector<Acquisition> Active() const {
    if (options_.acquire == "ei") return {Acquisition::kImprovement};
    if (options_.acquire == "poi") return {Acquisition::kProbability};
    if (options_.acquire == "lcb") return {Acquisition::kLowerBound};
    const PortfolioRule rule = options_.acquire == "multi"      ? PortfolioRule::kMulti
                               : options_.acquire == "advanced" ? PortfolioRule::kAdvanced
                                                                : PortfolioRule::kFast;
    std::vector<NamedRound> rounds;
    for (const AskedRound& asked : asked_) rounds.push_back(ValuesOf(asked, rule));
    return ActiveAfter(rule, rounds, options_.portfolio);
  }

  // A failure counts as the first sample's mean, or as the median of successes.
  NamedRound ValuesOf(const AskedRound& asked, PortfolioRule rule) const {
    NamedRound round;
    for (const auto& [acquisition, key] : asked) {
      const MeasuredPlace* found = book_.Find(key);
      if (found == nullptr) continue;
      double value = first_.first_mean;
      if (found->ok()) {
        value = model_.TimeOf(model_.TargetOf(*found));
      } else if (rule == PortfolioRule::kAdvanced) {
        const std::vector<const MeasuredPlace*> order = book_.Ranked();
        value = model_.TimeOf(model_.TargetOf(*order[order.size() / 2]));
      }
      const auto named = std::ranges::count(asked, key, &std::pair<Acquisition, Key>::second);
      round.push_back({acquisition, value, named > 1});
    }
    return round;
  }

  // One round: each active acquisition names a place, until there are `count`. Returns false if
  // none is found.
  bool Ask(int count, std::vector<Proposal>& proposals) {
    const std::vector<Posterior> posterior = model_.Predict();
    const double best = model_.Best();
    const double factor = FactorAt(best, posterior);
    std::map<int, Key> named;  // by place of the pool
    AskedRound round;
    for (const Acquisition acquisition : Active()) {
      if (std::ssize(proposals) == count) break;
      const auto promise = [&](int place) {
        return Promise(acquisition, posterior[place], best, factor);
      };
      const size_t before = proposals.size();
      const std::optional<int> place = Name(promise, named, proposals);
      if (!place) continue;
      round.emplace_back(acquisition, named.at(*place));
      if (proposals.size() == before) continue;  // named by another one before
      proposals.back().note = std::string("plan(from=") + AcquisitionName(acquisition) + ")";
    }
    if (!round.empty()) asked_.push_back(std::move(round));
    for (const auto& [place, key] : named) {
      if (options_.batch > 1) model_.Believe(book_.field(), place, posterior[place].mean);
    }
    return !named.empty();
  }

  // Returns the position in the pool of the place with the highest acquisition that can be claimed
  // or, in `multi`, was named by another acquisition in this round.
  std::optional<int> Name(const std::function<double(int)>& promise, std::map<int, Key>& named,
                          std::vector<Proposal>& proposals) {
    for (int refused = 0; refused < kMostRefused; ++refused) {
      std::optional<int> chosen;
      double most = 0;
      for (int i = 0; i < std::ssize(model_.pool()); ++i) {
        const bool may =
            named.contains(i) ? options_.acquire == "multi" : book_.IsOpen(model_.pool()[i]);
        const double value = may ? promise(i) : 0;
        if (!may || (chosen && value <= most)) continue;
        chosen = i;
        most = value;
      }
      if (!chosen || named.contains(*chosen)) return chosen;
      std::optional<Proposal> claimed = book_.Claim(model_.pool()[*chosen]);
      if (!claimed) continue;
      named.emplace(*chosen, claimed->key);
      proposals.push_back(*std::move(claimed));
      return chosen;
    }
    return std::nullopt;
  }

  BayesOptions options_;
  PlaceBook book_;
  Rng rng_;
  std::function<void(const std::string&)> say_;
  PlaceModel model_;
  std::vector<FieldPlace> hypercube_;
  ExplorationFactor first_;
  std::vector<AskedRound> asked_;
};

GaussianKernel KernelOf(const std::string& name) {
  if (name == "matern32") return GaussianKernel::kMatern32;
  return name == "matern52" ? GaussianKernel::kMatern52 : GaussianKernel::kSquared;
}

// Reads a number, or the published word.
double ReadFactor(const Spec& spec, SpecReader& reader, RangedReader& ranged, bool improved) {
  for (const SpecOption& option : spec.options) {
    if (option.key != "factor" || !std::holds_alternative<Spec>(option.value.value)) continue;
    reader.Choice("factor", "", {"contextual"});
    return kContextual;
  }
  return ranged.Number("factor", improved ? 0 : kContextual, kContextual, 1e6);
}

BayesOptions ReadOptions(const Spec& spec, SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  BayesOptions options;
  const bool improved = ReadsImproved(reader);
  PlaceModelOptions& model = options.model;
  model.has_log_targets = reader.Choice("targets", improved ? "log" : "ms", {"log", "ms"}) == "log";
  model.has_interval_noise = reader.Flag("intervals", improved);
  model.fits_length = reader.Flag("fitted", improved);
  model.has_own_spacing =
      reader.Choice("spacing", improved ? "own" : "shared", {"own", "shared"}) == "own";
  const std::string kernel = improved ? "matern52" : "matern32";
  options.model.process.kernel =
      KernelOf(reader.Choice("kernel", kernel, {"matern32", "matern52", "rbf"}));
  options.model.process.length = ranged.Number("length", 1.5, 1e-3, 1e3);
  options.model.process.noise = ranged.Number("noise", improved ? 1e-4 : 1e-10, 0, 1e3);
  options.first = ranged.Integer("first", 20, 1, 100'000);
  options.hypercube = reader.Choice("design", "lhs", {"lhs", "random"}) == "lhs";
  options.acquire = reader.Choice("acquire", improved ? "ei" : "advanced",
                                  {"ei", "poi", "lcb", "multi", "advanced", "fast"});
  options.portfolio.discount =
      ranged.Number("fading", options.acquire == "multi" ? 0.65 : 0.95, 0, 1);
  options.portfolio.margin = ranged.Number("margin", options.portfolio.margin, 0, 1);
  options.factor = ReadFactor(spec, reader, ranged, improved);
  options.model.pool = ranged.Integer("pool", 4096, 2, 1'000'000);
  options.batch = ranged.Integer("batch", 1, 1, 100'000);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeBayesAgent(const AgentContext& context) {
  const std::string who = "agent bayes";
  SpecReader reader(context.setup.agent, "agent");
  const BayesOptions options = ReadOptions(context.setup.agent, reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<BayesSearch>(options, PlaceBook(context, task, retries, who), rng,
                                         context.say);
  });
}

}  // namespace schedulegym
