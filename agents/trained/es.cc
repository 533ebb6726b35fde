// Separable natural evolution strategies (Wierstra et al., "Natural Evolution Strategies", JMLR
// 2014, algorithm 6), which Tuna (Wang et al., 2021) uses: each sketch has a mean and a width for
// every decision, as shares of its values.
// 1. draw 64 samples s ~ N(0, 1), score the places at mean + width * s by the model;
// 2. utilities u of ranks: max(0, ln(n / 2 + 1) - ln(rank)), scaled to sum 1, minus 1 / n;
// 3. mean += step * width * sum(u s), width *= exp(rate / 2 * sum(u (s^2 - 1))), with
//    rate = (3 + ln d) / (5 sqrt(d)) for d decisions;
// 4. after `steps` of all sketches the best places are proposed; a settled strategy begins anew.
// Places that are not schedules rank last. Nothing is learned from measurements.
// Cost: samples * steps * sketches predictions for each call that runs out of places.
#include "agents/trained/es.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "agents/cost/model_registry.h"
#include "agents/normal.h"
#include "agents/trained/predicted_places.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

// Chosen: the first samples reach both ends; a width of kSettled is near a single value.
constexpr double kFirstMean = 0.5;
constexpr double kFirstWidth = 0.3;
constexpr double kSettled = 0.05;

struct EsOptions {
  Spec model = {"pretrained", {}};
  int samples = 64;   // Tuna's
  double step = 0.1;  // of the mean
  int steps = 30;     // of each sketch in a turn
};

class EsSearch : public TaskSearch {
 public:
  EsSearch(const EsOptions& options, PredictedPlaces places, Rng rng)
      : options_(options), places_(std::move(places)), rng_(rng) {
    for (int sketch = 0; sketch < places_.field().sketches(); ++sketch) {
      strategies_.emplace_back(places_.field().decisions(sketch));
    }
  }

  std::vector<Proposal> Propose(int count) override {
    return places_.Propose(
        count, std::nullopt, [this] { Turn(); }, rng_);
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) places_.book().Learn(trial);
  }

 private:
  void Turn() {
    for (int step = 0; step < options_.steps; ++step) {
      for (int sketch = 0; sketch < std::ssize(strategies_); ++sketch) {
        places_.book().stop().Check();
        Step(sketch);
      }
    }
  }

  void Step(int sketch) {
    NaturalStrategy& strategy = strategies_[sketch];
    if (strategy.HasSettled(kSettled))
      strategy = NaturalStrategy(places_.field().decisions(sketch));
    const auto samples = strategy.Draw(options_.samples, rng_);
    std::vector<FieldPlace> places;
    for (const std::vector<double>& sample : samples) {
      places.push_back(places_.field().AtShares(sketch, strategy.At(sample)));
    }
    const std::vector<std::optional<double>> scores = places_.Predict(places);
    std::vector<size_t> order(samples.size());
    std::iota(order.begin(), order.end(), size_t{0});
    // nullopt sorts below all numbers.
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return scores[b] < scores[a]; });
    strategy.Move(samples, order, options_.step);
  }

  EsOptions options_;
  PredictedPlaces places_;
  Rng rng_;
  std::vector<NaturalStrategy> strategies_;  // by sketch
};

EsOptions ReadOptions(SpecReader& reader, const Spec& spec, const std::string& who) {
  RangedReader ranged(reader, who);
  EsOptions options;
  options.model = ReadModelSpec(reader, spec, options.model.name);
  options.samples = ranged.Integer("samples", options.samples, 2, 1'000'000);
  options.step = ranged.Number("step", options.step, 1e-6, 10);
  options.steps = ranged.Integer("steps", options.steps, 1, 1'000'000);
  return options;
}

}  // namespace

NaturalStrategy::NaturalStrategy(int numbers)
    : means_(numbers, kFirstMean), widths_(numbers, kFirstWidth) {}

std::vector<std::vector<double>> NaturalStrategy::Draw(int samples, Rng& rng) const {
  std::vector<std::vector<double>> drawn(samples);
  for (std::vector<double>& sample : drawn) {
    for (size_t i = 0; i < means_.size(); ++i) sample.push_back(DrawNormal(rng));
  }
  return drawn;
}

std::vector<double> NaturalStrategy::At(std::span<const double> sample) const {
  std::vector<double> shares;
  for (size_t i = 0; i < means_.size(); ++i) {
    const double share = means_[i] + widths_[i] * sample[i];
    shares.push_back(std::clamp(share, 0.0, std::nextafter(1.0, 0.0)));
  }
  return shares;
}

void NaturalStrategy::Move(const std::vector<std::vector<double>>& samples,
                           std::span<const size_t> order, double step) {
  if (means_.empty()) return;
  const std::vector<double> utilities = RankUtilities(static_cast<int>(order.size()));
  const auto count = static_cast<double>(means_.size());
  const double rate = (3 + std::log(count)) / (5 * std::sqrt(count));
  for (size_t i = 0; i < means_.size(); ++i) {
    double towards = 0, wider = 0;
    for (size_t rank = 0; rank < order.size(); ++rank) {
      const double sample = samples[order[rank]][i];
      towards += utilities[rank] * sample;
      wider += utilities[rank] * (sample * sample - 1);
    }
    means_[i] = std::clamp(means_[i] + step * widths_[i] * towards, 0.0, 1.0);
    widths_[i] *= std::exp(rate / 2 * wider);
  }
}

bool NaturalStrategy::HasSettled(double part) const {
  return std::ranges::all_of(widths_, [&](double width) { return width < part * kFirstWidth; });
}

std::vector<double> RankUtilities(int samples) {
  std::vector<double> utilities;
  for (int rank = 1; rank <= samples; ++rank) {
    utilities.push_back(std::max(0.0, std::log(samples / 2.0 + 1) - std::log(rank)));
  }
  const double sum = std::accumulate(utilities.begin(), utilities.end(), 0.0);
  for (double& utility : utilities) utility = utility / sum - 1.0 / samples;
  return utilities;
}

std::unique_ptr<Agent> MakeEsAgent(const AgentContext& context, const NetworkReader& networks) {
  const std::string who = "agent es";
  SpecReader reader(context.setup.agent, "agent");
  const EsOptions options = ReadOptions(reader, context.setup.agent, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    auto model = MakeTrainedModel(options.model, networks, task, rng.Split(), context.stop);
    return std::make_unique<EsSearch>(
        options, PredictedPlaces(PlaceBook(context, task, retries, who), std::move(model)), rng);
  });
}

}  // namespace schedulegym
