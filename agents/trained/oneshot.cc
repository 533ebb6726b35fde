// One-Shot Tuner (Ryu et al., CC 2022; its code ryujaehun/one-shot-tuner) searches by a model that
// was trained on other layers, and measures only the result:
// 1. population: places drawn by sketch and decision;
// 2. each generation: the `elite` best so far, and children of two members drawn in proportion to
//    rank, by single-point crossover and mutation of each gene, none scored twice;
// 3. after `generations` the best `shots` are proposed, later ones only after another search.
// Its constants: population 256, elite 96, mutation 0.1 a gene, 120 generations, 64 shots. Genes
// are decisions: the dividing lengths of a tile are one gene. Published parents are drawn in
// proportion to score (parents=score, of mode=faithful; below zero counts as zero); with most
// models here a score has no zero. Its other form, search=annealing, is AutoTVM's walk of 512
// chains of 160 steps. It ends after 50 steps without a better place; scores are divided by the
// deviation of the first places' scores, as its model's are. Nothing is learned from measurements.
// Cost: population * generations, or chains * steps, predictions a search.
#include "agents/trained/oneshot.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "agents/cost/model_registry.h"
#include "agents/plan/annealing_explorer.h"
#include "agents/plan/best_places.h"
#include "agents/trained/predicted_places.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Children in a row that were scored already, before a random place is drawn.
constexpr int kTries = 8;

struct OneshotOptions {
  Spec model = {"pretrained", {}};
  int shots = 64;
  int population = 256;
  int elite = 96;
  double mutation = 0.1;
  int generations = 120;
  bool by_score = false;                // draws parents; false: by rank
  std::optional<AnnealingChains> walk;  // in place of the genetic search
};

struct Member {
  ShareGenes genes;
  std::optional<double> score;
};

// Cumulative sums of the scores; scores below zero count as zero.
std::vector<double> SumsOfScores(const std::vector<Member>& members) {
  std::vector<double> sums;
  double sum = 0;
  for (const Member& one : members) sums.push_back(sum += std::max(0.0, one.score.value_or(0)));
  return sums;
}

// Scores by place; nullopt if a place is not a schedule.
using Scores = std::vector<std::optional<double>>;

// Standard deviation of the scores of schedules; 1 without any.
double DeviationOf(const Scores& scores) {
  double count = 0, sum = 0, squares = 0;
  for (const std::optional<double>& score : scores) {
    if (!score) continue;
    ++count;
    sum += *score;
    squares += *score * *score;
  }
  const double mean = sum / std::max(count, 1.0);
  const double variance = squares / std::max(count, 1.0) - mean * mean;
  return variance > 0 ? std::sqrt(variance) : 1;
}

// Probability of a step of annealing: 1 from no schedule, 0 from a schedule to no schedule.
double ChanceOf(const std::optional<double>& from, const std::optional<double>& to, double unit,
                double temperature) {
  if (!to) return from ? 0 : 1;
  return from ? Acceptance(*from / unit, *to / unit, temperature) : 1;
}

class OneshotSearch : public TaskSearch {
 public:
  OneshotSearch(const OneshotOptions& options, PredictedPlaces places, Rng rng)
      : options_(options), places_(std::move(places)), rng_(rng) {}

  std::vector<Proposal> Propose(int count) override {
    return places_.Propose(
        count, options_.shots, [this] { options_.walk ? Anneal(*options_.walk) : Search(); }, rng_);
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) places_.book().Learn(trial);
  }

 private:
  void Search() {
    std::vector<Member> members;
    for (int i = 0; i < options_.population; ++i) members.push_back({Drawn(), {}});
    std::vector<Member> elite;
    for (int generation = 0;; ++generation) {
      places_.book().stop().Check();
      Score(members);
      members.insert(members.end(), elite.begin(), elite.end());
      // nullopt sorts below all numbers.
      std::ranges::stable_sort(members,
                               [](const Member& a, const Member& b) { return b.score < a.score; });
      if (generation == options_.generations) return;
      elite.assign(members.begin(),
                   members.begin() + std::min<std::ptrdiff_t>(options_.elite, std::ssize(members)));
      members = Bred(members);
    }
  }

  ShareGenes Drawn() {
    const KnobField& field = places_.field();
    ShareGenes genes = {static_cast<int>(rng_.Below(field.sketches())), {}};
    for (int i = 0; i < field.decisions(genes.sketch); ++i) genes.shares.push_back(rng_.Uniform());
    return genes;
  }

  FieldPlace PlaceOf(const ShareGenes& genes) const {
    return places_.field().AtShares(genes.sketch, genes.shares);
  }

  void Score(std::vector<Member>& members) {
    std::vector<FieldPlace> places;
    for (const Member& one : members) places.push_back(PlaceOf(one.genes));
    const Scores scores = places_.Predict(places);
    for (size_t i = 0; i < members.size(); ++i) members[i].score = scores[i];
  }

  void Anneal(const AnnealingChains& walk) {
    std::vector<FieldPlace> chains;
    while (std::ssize(chains) < walk.chains) chains.push_back(PlaceOf(Drawn()));
    Scores scores = places_.Predict(chains);
    const double unit = DeviationOf(scores);
    BestPlaces best(places_.book(), options_.shots);
    for (size_t i = 0; i < chains.size(); ++i) {
      if (scores[i]) best.Offer(*scores[i], chains[i]);
    }
    int changed = 0;
    for (int step = 0; step < walk.steps && step < changed + walk.patience; ++step) {
      places_.book().stop().Check();
      const double temperature = TemperatureAt(step, walk.steps);
      std::vector<FieldPlace> next;
      for (const FieldPlace& place : chains) {
        next.push_back(places_.field().Redrawn(place, rng_).value_or(place));
      }
      const Scores next_scores = places_.Predict(next);
      for (size_t i = 0; i < chains.size(); ++i) {
        if (next_scores[i] && best.Offer(*next_scores[i], next[i])) changed = step;
        if (!rng_.Chance(ChanceOf(scores[i], next_scores[i], unit, temperature))) continue;
        chains[i] = std::move(next[i]);
        scores[i] = next_scores[i];
      }
    }
  }

  // Drawn in proportion to the scores, whose sums are `upto`; without sums the better of two
  // uniform draws, so that the probability falls linearly with the rank.
  const ShareGenes& Parent(const std::vector<Member>& ranked, std::span<const double> upto) {
    if (!upto.empty() && upto.back() > 0) {
      const double drawn = rng_.Uniform() * upto.back();
      const auto found = std::ranges::upper_bound(upto, drawn) - upto.begin();
      return ranked[static_cast<size_t>(std::min(found, std::ssize(ranked) - 1))].genes;
    }
    const int64_t count = std::ssize(ranked);
    return ranked[static_cast<size_t>(std::min(rng_.Below(count), rng_.Below(count)))].genes;
  }

  std::vector<Member> Bred(const std::vector<Member>& ranked) {
    std::vector<Member> children;
    std::set<FieldPlace> places;
    const std::vector<double> upto =
        options_.by_score ? SumsOfScores(ranked) : std::vector<double>();
    while (std::ssize(children) < options_.population) {
      std::optional<ShareGenes> child;
      for (int attempt = 0; attempt < kTries && !child; ++attempt) {
        const ShareGenes& first = Parent(ranked, upto);
        child = ChildOf(first, Parent(ranked, upto), options_.mutation, rng_);
        const FieldPlace place = PlaceOf(*child);
        if (places_.IsPredicted(place) || !places.insert(place).second) child.reset();
      }
      children.push_back({child ? *std::move(child) : Drawn(), {}});
    }
    return children;
  }

  OneshotOptions options_;
  PredictedPlaces places_;
  Rng rng_;
};

OneshotOptions ReadOptions(SpecReader& reader, const Spec& spec, const std::string& who) {
  RangedReader ranged(reader, who);
  OneshotOptions options;
  const bool faithful = reader.Choice("mode", "improved", {"improved", "faithful"}) == "faithful";
  options.model = ReadModelSpec(reader, spec, options.model.name);
  options.shots = ranged.Integer("shots", options.shots, 1, 1'000'000);
  options.population = ranged.Integer("population", options.population, 2, 1'000'000);
  options.elite = ranged.Integer("elite", options.elite, 0, 1'000'000);
  options.mutation = ranged.Number("mutation", options.mutation, 0, 1);
  options.generations = ranged.Integer("generations", options.generations, 0, 1'000'000);
  options.by_score =
      reader.Choice("parents", faithful ? "score" : "rank", {"rank", "score"}) == "score";
  const std::string search = reader.Choice("search", "genetic", {"genetic", "annealing"});
  AnnealingChains walk = {.chains = 512, .steps = 160};
  walk.chains = ranged.Integer("chains", walk.chains, 1, 1'000'000);
  walk.steps = ranged.Integer("steps", walk.steps, 1, 1'000'000);
  walk.patience = ranged.Integer("patience", walk.patience, 1, 1'000'000);
  const bool walks = search == "annealing";
  if (walks) options.walk = walk;
  const std::set<std::string> idle =
      walks ? std::set<std::string>{"population", "elite", "mutation", "generations", "parents"}
            : std::set<std::string>{"chains", "steps", "patience"};
  for (const SpecOption& option : spec.options) {
    if (!idle.contains(option.key)) continue;
    throw InputError(Join({who, ": ", option.key, "=", option.value.ToText(),
                           " has no effect with search=", search, ", expected one of the two"},
                          ""));
  }
  return options;
}

}  // namespace

ShareGenes ChildOf(const ShareGenes& first, const ShareGenes& second, double mutation, Rng& rng) {
  ShareGenes child = first;
  const auto cut = static_cast<size_t>(rng.Below(std::ssize(child.shares) + 1));
  for (size_t i = 0; i < child.shares.size(); ++i) {
    if (i >= cut && second.sketch == first.sketch) child.shares[i] = second.shares[i];
    if (rng.Chance(mutation)) child.shares[i] = rng.Uniform();
  }
  return child;
}

std::unique_ptr<Agent> MakeOneshotAgent(const AgentContext& context,
                                        const NetworkReader& networks) {
  const std::string who = "agent oneshot";
  SpecReader reader(context.setup.agent, "agent");
  const OneshotOptions options = ReadOptions(reader, context.setup.agent, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    auto model = MakeTrainedModel(options.model, networks, task, rng.Split(), context.stop);
    return std::make_unique<OneshotSearch>(
        options, PredictedPlaces(PlaceBook(context, task, retries, who), std::move(model)), rng);
  });
}

}  // namespace schedulegym
