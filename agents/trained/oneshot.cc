// One-Shot Tuner (Ryu et al., CC 2022; its code ryujaehun/one-shot-tuner) searches by a model that
// was trained on other layers, and measures only what that finds:
// 1. population: places drawn by sketch and decision;
// 2. each generation: the `elite` best so far, and children of two members drawn in proportion to
//    rank, by single-point crossover and mutation of each gene, none scored twice;
// 3. after `generations` the best `shots` are proposed, later ones only after another search.
// Its constants: population 256, elite 96, mutation 0.1 a gene, 120 generations, 64 shots. Genes
// are decisions, so lengths of a tile that divide are one. Published parents are drawn in
// proportion to score, which has no zero here. Nothing is learned from measurements.
// Cost: population * generations predictions a search.
#include "agents/trained/oneshot.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "agents/cost/model_registry.h"
#include "agents/trained/predicted_places.h"
#include "env/base/option_range.h"

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
};

struct Member {
  ShareGenes genes;
  std::optional<double> score;
};

class OneshotSearch : public TaskSearch {
 public:
  OneshotSearch(const OneshotOptions& options, PredictedPlaces places, Rng rng)
      : options_(options), places_(std::move(places)), rng_(rng) {}

  std::vector<Proposal> Propose(int count) override {
    return places_.Propose(
        count, options_.shots, [this] { Search(); }, rng_);
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
      // None is below all numbers.
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
    const std::vector<std::optional<double>> scores = places_.Predict(places);
    for (size_t i = 0; i < members.size(); ++i) members[i].score = scores[i];
  }

  // The better of two uniform draws: the probability falls linearly with the rank.
  const ShareGenes& Parent(const std::vector<Member>& ranked) {
    const int64_t count = std::ssize(ranked);
    return ranked[static_cast<size_t>(std::min(rng_.Below(count), rng_.Below(count)))].genes;
  }

  std::vector<Member> Bred(const std::vector<Member>& ranked) {
    std::vector<Member> children;
    std::set<FieldPlace> places;
    while (std::ssize(children) < options_.population) {
      std::optional<ShareGenes> child;
      for (int attempt = 0; attempt < kTries && !child; ++attempt) {
        const ShareGenes& first = Parent(ranked);
        child = ChildOf(first, Parent(ranked), options_.mutation, rng_);
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
  options.model = ReadModelSpec(reader, spec, options.model.name);
  options.shots = ranged.Integer("shots", options.shots, 1, 1'000'000);
  options.population = ranged.Integer("population", options.population, 2, 1'000'000);
  options.elite = ranged.Integer("elite", options.elite, 0, 1'000'000);
  options.mutation = ranged.Number("mutation", options.mutation, 0, 1);
  options.generations = ranged.Integer("generations", options.generations, 0, 1'000'000);
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
