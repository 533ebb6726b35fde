// Bayesian optimisation as Kernel Tuner has it:
// 1. measure a Latin hypercube, illegal or known places replaced by chance, until `first` succeed;
// 2. fit a Gaussian process to all successes (gaussian_process.h);
// 3. measure the open place of the pool that an acquisition promises most of, with the contextual
//    exploration factor (acquisition.h); a portfolio (portfolio.h) decides which acquisitions.
// Published: times in milliseconds, from which a factor without unit is subtracted; length 1.5,
// noise 1e-10. Ours by default: log seconds, noise of the recorded intervals, the length of the
// highest likelihood, the factor in deviations of the targets; what is asked for at once is
// believed to be as fast as predicted until it is measured. Cost: O(measured * pool) a trial.
#include "agents/plan/bayes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/plan/place_pool.h"
#include "agents/plan/portfolio.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

// Measurements after which an incomplete pool is drawn anew, and the length chosen.
constexpr int kRenewal = 16;
constexpr double kLengths[] = {0.25, 0.5, 1, 2, 4};
constexpr double kMilliseconds = 1e3;
// Places named by one acquisition that turn out to be no schedules.
constexpr int kMostRefused = 64;

struct BayesOptions {
  bool improved = true;
  GaussianOptions process;
  int first = 20;
  bool hypercube = true;
  std::string acquire = "ei";
  double factor = -1;  // negative: contextual
  int pool = 4096;
  int batch = 1;
};

// What was named in one round, by whom.
using AskedRound = std::vector<std::pair<Acquisition, Key>>;

class BayesSearch : public TaskSearch {
 public:
  BayesSearch(const BayesOptions& options, PlaceBook book, Rng rng)
      : options_(options),
        book_(std::move(book)),
        rng_(rng),
        coordinates_(book_.field(), !options.improved) {}

  std::vector<Proposal> Propose(int count) override {
    const int successes = CountSuccesses();
    if (successes < options_.first) return First(std::min(count, options_.first - successes));
    Synchronise();
    std::vector<Proposal> proposals;
    const int wanted = std::min(count, options_.batch);
    while (std::ssize(proposals) < wanted && !is_exhausted_) Ask(proposals);
    if (proposals.empty()) AddDraw(proposals);
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  int CountSuccesses() const {
    return static_cast<int>(std::ranges::count_if(book_.measured(), &MeasuredPlace::ok));
  }

  std::vector<Proposal> First(int count) {
    if (!has_begun_ && options_.hypercube) {
      hypercube_ = LatinHypercube(book_.field(), options_.first, rng_);
    }
    has_begun_ = true;
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

  void AddDraw(std::vector<Proposal>& proposals) {
    std::optional<Proposal> draw = book_.Draw(rng_);
    if (draw) proposals.push_back(*std::move(draw));
  }

  // --- the process ---

  double TargetOf(const MeasuredPlace& one) const {
    // A model without a unit gives the ratio alone.
    const double seconds = one.seconds > 0 ? one.seconds : 1 / one.speed;
    return options_.improved ? std::log(seconds) : seconds * kMilliseconds;
  }

  // The variance of a target in units of the targets' variance.
  double NoiseOf(const MeasuredPlace& one) const {
    return options_.improved ? std::pow(one.noise / deviation_, 2) : 0;
  }

  // Brings the process to what is measured now.
  void Synchronise() {
    std::vector<const MeasuredPlace*> successes;
    for (const MeasuredPlace& one : book_.measured()) {
      if (one.ok()) successes.push_back(&one);
    }
    targets_.clear();
    for (const MeasuredPlace* one : successes) targets_.push_back(TargetOf(*one));
    std::vector<FieldPlace> places;
    for (const MeasuredPlace* one : successes) places.push_back(one->place);
    const bool is_prefix = process_ && !has_beliefs_ && fitted_.size() <= places.size() &&
                           std::equal(fitted_.begin(), fitted_.end(), places.begin());
    if (!is_prefix || std::ssize(places) >= renewed_ + kRenewal) Renew(successes, is_prefix);
    for (size_t i = fitted_.size(); i < successes.size(); ++i) AddTo(*process_, *successes[i]);
    fitted_ = std::move(places);
    is_exhausted_ = false;
    if (first_.first_mean == 0) BeginFactor();
  }

  void AddTo(GaussianProcess& process, const MeasuredPlace& one) const {
    std::vector<double> point;
    coordinates_.Append(book_.field(), one.place, point);
    process.Add(point, NoiseOf(one));
  }

  void Renew(const std::vector<const MeasuredPlace*>& successes, bool is_prefix) {
    const bool has_points = pool_.is_complete;
    if (!has_points) pool_ = PlacePool::Make(book_, options_.pool, rng_);
    const double length = options_.process.length;
    renewed_ = std::ssize(successes);
    double mean = 0, squares = 0;
    for (const double target : targets_) mean += target / static_cast<double>(targets_.size());
    for (const double target : targets_) squares += (target - mean) * (target - mean);
    deviation_ = std::sqrt(squares / static_cast<double>(targets_.size()));
    if (!(deviation_ > 0)) deviation_ = 1;
    if (options_.improved) ChooseLength(successes);
    // Points that are the same have grown as far as they would be made anew.
    if (is_prefix && has_points && length == options_.process.length) return;
    process_.emplace(options_.process, pool_.PointsOf(book_.field(), coordinates_));
    fitted_.clear();
    has_beliefs_ = false;
  }

  void ChooseLength(const std::vector<const MeasuredPlace*>& successes) {
    GaussianOptions options = options_.process;
    double best = 0;
    for (const double length : kLengths) {
      book_.stop().Check();
      options.length = length * std::sqrt(coordinates_.dimensions() / 8.0);
      GaussianProcess process(options, {coordinates_.dimensions(), {}});
      for (const MeasuredPlace* one : successes) AddTo(process, *one);
      const double likelihood = process.LogLikelihood(targets_);
      if (length != kLengths[0] && likelihood <= best) continue;
      best = likelihood;
      options_.process.length = options.length;
    }
  }

  // Of the sample before the first acquisition: in seconds, so that the best is a part of it.
  void BeginFactor() {
    first_.first_mean = SecondsMean(options_.first);
    first_.first_deviation = MeanDeviation(process_->Predict(targets_));
  }

  double SecondsMean(int count) const {
    double sum = 0;
    const auto some = std::min<size_t>(targets_.size(), count);
    for (size_t i = 0; i < some; ++i) sum += SecondsOf(targets_[i]);
    return sum / static_cast<double>(some);
  }
  double SecondsOf(double target) const { return options_.improved ? std::exp(target) : target; }

  double MeanDeviation(const std::vector<Posterior>& posterior) const {
    double sum = 0, count = 0;
    for (size_t i = 0; i < posterior.size(); ++i) {
      if (!book_.IsOpen(pool_.places[i])) continue;
      sum += posterior[i].deviation;
      ++count;
    }
    return count > 0 ? sum / count : 0;
  }

  double FactorAt(double best, const std::vector<Posterior>& posterior) const {
    const double unit = options_.improved ? deviation_ : 1;
    if (options_.factor >= 0) return options_.factor * unit;
    return first_.At(SecondsOf(best), MeanDeviation(posterior)) * unit;
  }

  // --- what is asked for ---

  std::vector<Acquisition> Active() const {
    if (options_.acquire == "ei") return {Acquisition::kImprovement};
    if (options_.acquire == "poi") return {Acquisition::kProbability};
    if (options_.acquire == "lcb") return {Acquisition::kLowerBound};
    const PortfolioRule rule = options_.acquire == "multi"      ? PortfolioRule::kMulti
                               : options_.acquire == "advanced" ? PortfolioRule::kAdvanced
                                                                : PortfolioRule::kFast;
    std::vector<NamedRound> rounds;
    for (const AskedRound& asked : asked_) rounds.push_back(ValuesOf(asked, rule));
    return ActiveAfter(rule, rounds);
  }

  // Of a failure: the first sample's mean, or the median of successes.
  NamedRound ValuesOf(const AskedRound& asked, PortfolioRule rule) const {
    NamedRound round;
    for (const auto& [acquisition, key] : asked) {
      const MeasuredPlace* found = book_.Find(key);
      if (found == nullptr) continue;
      double value = rule == PortfolioRule::kMulti ? first_.first_mean : Median();
      if (found->ok()) value = SecondsOf(TargetOf(*found));
      const auto named = std::ranges::count(asked, key, &std::pair<Acquisition, Key>::second);
      round.push_back({acquisition, value, named > 1});
    }
    return round;
  }

  double Median() const {
    std::vector<double> seconds;
    for (const MeasuredPlace* one : book_.Ranked()) seconds.push_back(SecondsOf(TargetOf(*one)));
    return seconds.empty() ? 0 : seconds[seconds.size() / 2];
  }

  // One round: each active acquisition names a place.
  void Ask(std::vector<Proposal>& proposals) {
    const std::vector<Posterior> posterior = process_->Predict(targets_);
    const double best = *std::ranges::min_element(targets_);
    const double factor = FactorAt(best, posterior);
    AskedRound round;
    std::map<int, Key> named;  // by place of the pool
    const size_t before = proposals.size();
    for (const Acquisition acquisition : Active()) {
      const std::optional<int> place = Name(acquisition, posterior, best, factor, named, proposals);
      if (place) round.emplace_back(acquisition, named.at(*place));
    }
    is_exhausted_ = proposals.size() == before;
    if (!round.empty()) asked_.push_back(std::move(round));
    if (options_.batch == 1) return;
    for (const auto& [place, key] : named) {
      std::vector<double> point;
      coordinates_.Append(book_.field(), pool_.places[place], point);
      process_->Add(point, 1e-4);
      targets_.push_back(posterior[place].mean);
      has_beliefs_ = true;
    }
  }

  // The position in the pool of the most promising place, claimed now or in this round; in a
  // portfolio without bookkeeping of duplicates another one than those before it named.
  std::optional<int> Name(Acquisition acquisition, const std::vector<Posterior>& posterior,
                          double best, double factor, std::map<int, Key>& named,
                          std::vector<Proposal>& proposals) {
    for (int refused = 0; refused < kMostRefused; ++refused) {
      std::optional<int> chosen;
      double most = 0;
      for (int i = 0; i < std::ssize(pool_.places); ++i) {
        const bool is_named = named.contains(i);
        if (is_named ? options_.acquire != "multi" : !book_.IsOpen(pool_.places[i])) continue;
        const double promise = Promise(acquisition, posterior[i], best, factor);
        if (chosen && promise <= most) continue;
        chosen = i;
        most = promise;
      }
      if (!chosen || named.contains(*chosen)) return chosen;
      std::optional<Proposal> claimed = book_.Claim(pool_.places[*chosen]);
      if (!claimed) continue;
      named.emplace(*chosen, claimed->key);
      claimed->note = std::string("plan(from=") + AcquisitionName(acquisition) + ")";
      proposals.push_back(*std::move(claimed));
      return chosen;
    }
    return std::nullopt;
  }

  BayesOptions options_;
  PlaceBook book_;
  Rng rng_;
  PlaceCoordinates coordinates_;
  bool has_begun_ = false, is_exhausted_ = false;
  std::vector<FieldPlace> hypercube_;
  PlacePool pool_;
  std::optional<GaussianProcess> process_;
  std::vector<FieldPlace> fitted_;  // points of the process
  std::vector<double> targets_;     // of these, and of what is believed
  bool has_beliefs_ = false;
  int64_t renewed_ = 0;  // successes then
  double deviation_ = 1;
  ExplorationFactor first_;
  std::vector<AskedRound> asked_;
};

GaussianKernel KernelOf(const std::string& name) {
  if (name == "matern32") return GaussianKernel::kMatern32;
  return name == "matern52" ? GaussianKernel::kMatern52 : GaussianKernel::kSquared;
}

BayesOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  BayesOptions options;
  options.improved = reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  const bool improved = options.improved;
  const std::string kernel = improved ? "matern52" : "matern32";
  options.process.kernel =
      KernelOf(reader.Choice("kernel", kernel, {"matern32", "matern52", "rbf"}));
  options.process.length = ranged.Number("length", 1.5, 1e-3, 1e3);
  options.process.noise = ranged.Number("noise", improved ? 1e-4 : 1e-10, 0, 1e3);
  options.first = ranged.Integer("first", 20, 1, 100'000);
  options.hypercube = reader.Choice("design", "lhs", {"lhs", "random"}) == "lhs";
  options.acquire = reader.Choice("acquire", improved ? "ei" : "advanced",
                                  {"ei", "poi", "lcb", "multi", "advanced", "fast"});
  options.factor = ranged.Number("factor", improved ? 0 : -1, -1, 1e6);
  options.pool = ranged.Integer("pool", 4096, 2, 1'000'000);
  options.batch = ranged.Integer("batch", 1, 1, 100'000);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeBayesAgent(const AgentContext& context) {
  const std::string who = "agent bayes";
  SpecReader reader(context.setup.agent, "agent");
  const BayesOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<BayesSearch>(options, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
