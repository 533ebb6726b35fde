// ProposalRound: the results of one evolution, returned in parts as proposals.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/trial.h"
#include "env/base/stop_token.h"
#include "env/features/state_features.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

// A StateEvaluator that reads computed features.
using FeatureEvaluator =
    std::function<std::vector<std::optional<double>>(const std::vector<StateFeatures>& states)>;

class ProposalRound {
 public:
  // `best`: the best, best first. `strays`: random schedules. Deal checks whether the space, which
  // outlives the round, admits them, several at once on `threads` threads. `dealt`: the number
  // already proposed, for a round made of an earlier one.
  ProposalRound(std::vector<ScoredState> best, const std::vector<ScheduleState>& strays,
                const SearchSpace& space, int threads, const StopToken& stop = {}, int dealt = 0);

  // All schedules of the round in their current order, proposed or not.
  std::vector<ScoredState> best() const { return StatesOf(best_); }
  std::vector<ScoredState> strays() const { return StatesOf(strays_); }

  // Schedules proposed so far.
  int dealt() const { return dealt_; }
  // Returns how many of the next `count` proposals belong to a part with this share of the round.
  int PartOf(double share, int count) const;

  // Sorts the best by new scores from an evaluator. Their features are computed once.
  void RankAnew(const FeatureEvaluator& evaluator);

  // Ranks the best by uncertainty, for Mixture::doubted; skips those without a value in `doubts`.
  void NoteDoubts(const FeatureEvaluator& doubts);

  // How many of the next proposals are strays, neighbours, and the most uncertain of the best.
  struct Mixture {
    int random = 0;
    int local = 0;
    int doubted = 0;
  };
  // Returns the next proposals, each once and none in `seen`: the best, then the most uncertain,
  // then neighbours, then strays. A part that runs out yields to the others (the uncertain to the
  // best first), finally all to the best. Fewer than `count` if nothing is left.
  std::vector<Proposal> Deal(int count, const Mixture& mixture,
                             const std::vector<Proposal>& neighbours, const std::set<Key>& seen);

 private:
  struct Choice {
    ScoredState scored;
    std::optional<StateFeatures> features = {};  // set by RankAnew or NoteDoubts
    std::optional<bool> admitted = {};           // nullopt: not checked yet
  };
  // The proposals of one call, and the keys of these and all earlier ones.
  struct Dealing {
    std::vector<Proposal> dealt;
    std::set<Key> known;
  };

  static std::vector<Choice> ChoicesOf(const std::vector<ScheduleState>& states);
  static std::vector<ScoredState> StatesOf(const std::vector<Choice>& choices);
  void Take(std::vector<Choice>& choices, int most, Dealing& dealing) const;
  // Features of the best, computed once.
  std::vector<StateFeatures> FeaturesOfBest();
  void AskFrom(std::vector<Choice>& choices, size_t begin, int count, const Dealing& dealing) const;

  const SearchSpace* space_;
  int threads_;
  StopToken stop_;
  std::vector<Choice> best_, strays_;
  std::vector<Choice> doubted_;  // of the best, most uncertain first
  int dealt_ = 0;
};

// Predictions for schedules of one task, as CostModel::Predict.
using Predictor =
    std::function<std::vector<std::optional<Prediction>>(const std::vector<StateFeatures>& states)>;

// Sets the note predicted(seconds=0.00011) of each proposal with predicted seconds. Other notes
// stay.
void NotePredictions(const Predictor& predict, std::vector<Proposal>& proposals);

}  // namespace schedulegym
