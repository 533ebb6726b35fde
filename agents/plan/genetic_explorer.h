// GeneticExplorer: places bred under a surrogate, with or without the constraints of their sketch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/plan/constrained_field.h"
#include "agents/plan/plan_search.h"

namespace schedulegym {

// Which knobs a child takes over from its parents.
enum class KeyChoice : uint8_t {
  kImportance,  // those by which the surrogate splits most
  kRandom,
  kHalf,  // half of them each way
};

// Heron's (Heron/tuner, cga).
struct GeneticExplorerOptions {
  int population = 200;
  int generations = 5;
  int select = 100;    // parents drawn of a generation, and its children
  int measured = 32;   // best measured places in the first population
  int kept = 20;       // of the best so far that join the next generation
  double share = 0.2;  // of a sketch's knobs that are keys
  KeyChoice keys = KeyChoice::kImportance;
  // Whether children are solutions; else crossover and mutation of any knob, whose children are
  // lost where they are none.
  bool is_constrained = true;
  bool breeds_until_new = true;  // a child that is known already is drawn again
  int open = 2;                  // keys left open after a round that found nothing faster; else one
};

// Of each place its score - the least score + 1e-16 (Heron).
std::vector<double> RouletteWeights(const std::vector<ScoredPlace>& places);
// A position in proportion to the weights, of which there is at least one.
size_t DrawByWeight(const std::vector<double>& weights, Rng& rng);

class GeneticExplorer : public Explorer {
 public:
  // By column of a place's row, how much the surrogate goes by it.
  using Importance = std::function<std::vector<int>()>;

  GeneticExplorer(const GeneticExplorerOptions& options,
                  std::shared_ptr<const ConstrainedField> field, Importance importance)
      : options_(options), field_(std::move(field)), importance_(std::move(importance)) {}

  std::vector<ScoredPlace> Explore(const PlaceBook& book, Surrogate& surrogate, int count,
                                   Rng& rng) override;

 private:
  std::vector<FieldPlace> Begin(const PlaceBook& book, Rng& rng) const;
  // Of the sketch, most important first.
  std::vector<int> KeysOf(const KnobField& field, int sketch, Rng& rng) const;
  std::optional<FieldPlace> Breed(const KnobField& field, const FieldPlace& a, const FieldPlace& b,
                                  Rng& rng) const;
  std::vector<FieldPlace> NextGeneration(const PlaceBook& book,
                                         const std::vector<ScoredPlace>& parents, Rng& rng) const;

  GeneticExplorerOptions options_;
  std::shared_ptr<const ConstrainedField> field_;
  Importance importance_;
  std::vector<FieldPlace> population_;  // of the round before
  double best_speed_ = 0;
  bool has_stalled_ = false;
};

}  // namespace schedulegym
