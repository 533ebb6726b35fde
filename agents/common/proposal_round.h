// ProposalRound: what one evolution found, dealt out as proposals.
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

// As a StateEvaluator, of what has its features at hand.
using FeatureEvaluator =
    std::function<std::vector<std::optional<double>>(const std::vector<StateFeatures>& states)>;

class ProposalRound {
 public:
  // The best, best first, and strays, drawn at random. Whether the space, which outlives the round,
  // admits them is asked when their turn comes, of several at once by so many threads.
  // `dealt` of them were, earlier: one that is made of another's goes on as that.
  ProposalRound(std::vector<ScoredState> best, const std::vector<ScheduleState>& strays,
                const SearchSpace& space, int threads, const StopToken& stop = {}, int dealt = 0);

  // What it is made of, in its order now, dealt or not.
  std::vector<ScoredState> best() const { return StatesOf(best_); }
  std::vector<ScoredState> strays() const { return StatesOf(strays_); }

  // Schedules dealt out so far.
  int dealt() const { return dealt_; }
  // How many of the next `count` belong to what has this share of the whole round.
  int PartOf(double share, int count) const;

  // Sorts the best by what an evaluator says of them now; their features it finds computed once.
  void RankAnew(const FeatureEvaluator& evaluator);

  // Which of the best an evaluator doubts most, now; none has a doubt of what it says nothing of.
  void NoteDoubts(const FeatureEvaluator& doubts);

  // Of the next `count`, so many are strays, so many of `neighbours` and so many the most doubted
  // of the best.
  struct Mixture {
    int random = 0;
    int local = 0;
    int doubted = 0;
  };
  // The next proposals, none of them among `seen`, each once: the best, then the doubted, then
  // neighbours, then strays; whichever runs out yields to the others, the doubted to the best, at
  // last all to the best. Fewer than asked for when nothing is left.
  std::vector<Proposal> Deal(int count, const Mixture& mixture,
                             const std::vector<Proposal>& neighbours, const std::set<Key>& seen);

 private:
  struct Choice {
    ScoredState scored;
    std::optional<StateFeatures> features = {};  // once it was ranked anew
    std::optional<bool> admitted = {};           // none: not asked yet
  };
  // What is dealt at once, and the keys of it and of all before.
  struct Dealing {
    std::vector<Proposal> dealt;
    std::set<Key> known;
  };

  static std::vector<Choice> ChoicesOf(const std::vector<ScheduleState>& states);
  static std::vector<ScoredState> StatesOf(const std::vector<Choice>& choices);
  void Take(std::vector<Choice>& choices, int most, Dealing& dealing) const;
  // Of the best, computed once.
  std::vector<StateFeatures> FeaturesOfBest();
  void AskFrom(std::vector<Choice>& choices, size_t begin, int count, const Dealing& dealing) const;

  const SearchSpace* space_;
  int threads_;
  StopToken stop_;
  std::vector<Choice> best_, strays_;
  std::vector<Choice> doubted_;  // of the best, most doubted first
  int dealt_ = 0;
};

// What a model says of schedules of one task, as CostModel::Predict.
using Predictor =
    std::function<std::vector<std::optional<Prediction>>(const std::vector<StateFeatures>& states)>;

// predicted(seconds=0.00011) on each proposal of which that many seconds are said; others keep
// what they have.
void NotePredictions(const Predictor& predict, std::vector<Proposal>& proposals);

}  // namespace schedulegym
