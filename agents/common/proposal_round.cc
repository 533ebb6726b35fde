// Deals a round's schedules to trials: the best by score, the most uncertain (doubted), neighbours
// of measured ones, and random ones (strays), each up to its share; the best fill the rest. A
// schedule is dealt once, and only if the space admits it. Admission lowers a schedule, so several
// candidates are checked at a time, on all threads, and the results are kept. Shares are spread
// over the round: PartOf(s, n) is floor(s (dealt + n)) - floor(s dealt). Cost: one admission a
// schedule; ranking again is one prediction for each schedule left.
#include "agents/common/proposal_round.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agents/parallel.h"
#include "env/base/spec.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

std::string NoteOf(double seconds) { return Spec{"predicted", {{"seconds", {seconds}}}}.ToText(); }

}  // namespace

ProposalRound::ProposalRound(std::vector<ScoredState> best,
                             const std::vector<ScheduleState>& strays, const SearchSpace& space,
                             int threads, const StopToken& stop, int dealt)
    : space_(&space), threads_(threads), stop_(stop), strays_(ChoicesOf(strays)), dealt_(dealt) {
  for (ScoredState& one : best) best_.push_back({std::move(one)});
}

int ProposalRound::PartOf(double share, int count) const {
  return static_cast<int>(share * (dealt_ + count)) - static_cast<int>(share * dealt_);
}

void ProposalRound::RankAnew(const FeatureEvaluator& evaluator) {
  const std::vector<std::optional<double>> scores = evaluator(FeaturesOfBest());
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i]) best_[i].scored.score = *scores[i];
  }
  std::ranges::stable_sort(best_, std::greater<>(),
                           [](const Choice& one) { return one.scored.score; });
}

std::vector<StateFeatures> ProposalRound::FeaturesOfBest() {
  std::vector<StateFeatures> states;
  for (Choice& one : best_) {
    if (!one.features) one.features.emplace(one.scored.state);
    states.push_back(*one.features);
  }
  return states;
}

void ProposalRound::NoteDoubts(const FeatureEvaluator& doubts) {
  const std::vector<std::optional<double>> values = doubts(FeaturesOfBest());
  doubted_.clear();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    doubted_.push_back(best_[i]);
    doubted_.back().scored.score = *values[i];
  }
  std::ranges::stable_sort(doubted_, std::greater<>(),
                           [](const Choice& one) { return one.scored.score; });
}

std::vector<Proposal> ProposalRound::Deal(int count, const Mixture& mixture,
                                          const std::vector<Proposal>& neighbours,
                                          const std::set<Key>& seen) {
  std::vector<Choice> near;
  for (const Proposal& one : neighbours) near.push_back({{0, one.key, one.state}});
  Dealing dealing{{}, seen};
  Take(best_, count - mixture.random - mixture.local - mixture.doubted, dealing);
  Take(doubted_, count - mixture.random - mixture.local, dealing);
  Take(best_, count - mixture.random - mixture.local, dealing);
  Take(near, count - mixture.random, dealing);
  Take(strays_, count, dealing);
  Take(best_, count, dealing);
  dealt_ += static_cast<int>(dealing.dealt.size());
  return std::move(dealing.dealt);
}

std::vector<ProposalRound::Choice> ProposalRound::ChoicesOf(
    const std::vector<ScheduleState>& states) {
  std::vector<Choice> choices;
  for (const ScheduleState& state : states) choices.push_back({{0, StateKey(state), state}});
  return choices;
}

std::vector<ScoredState> ProposalRound::StatesOf(const std::vector<Choice>& choices) {
  std::vector<ScoredState> states;
  for (const Choice& choice : choices) states.push_back(choice.scored);
  return states;
}

// Takes choices until `most` are taken in all.
void ProposalRound::Take(std::vector<Choice>& choices, int most, Dealing& dealing) const {
  for (size_t i = 0; i < choices.size(); ++i) {
    const int lacking = most - static_cast<int>(dealing.dealt.size());
    if (lacking <= 0) return;
    Choice& choice = choices[i];
    if (dealing.known.count(choice.scored.key) > 0) continue;
    if (!choice.admitted) AskFrom(choices, i, lacking, dealing);
    if (!*choice.admitted) continue;
    dealing.known.insert(choice.scored.key);
    dealing.dealt.push_back({choice.scored.state, choice.scored.key});
  }
}

// Lowers several choices in parallel, which is faster than one by one until enough are admitted.
void ProposalRound::AskFrom(std::vector<Choice>& choices, size_t begin, int count,
                            const Dealing& dealing) const {
  std::vector<Choice*> asked;
  for (size_t i = begin; i < choices.size() && std::ssize(asked) < count; ++i) {
    Choice& choice = choices[i];
    if (!choice.admitted && dealing.known.count(choice.scored.key) == 0) asked.push_back(&choice);
  }
  std::vector<char> admitted(asked.size());
  ParallelFor(
      static_cast<int>(asked.size()), threads_,
      [&](int i) { admitted[i] = static_cast<char>(space_->Admit(asked[i]->scored.state).ok()); },
      stop_);
  for (size_t i = 0; i < asked.size(); ++i) asked[i]->admitted = admitted[i] != 0;
}

void NotePredictions(const Predictor& predict, std::vector<Proposal>& proposals) {
  if (proposals.empty()) return;
  std::vector<StateFeatures> states;
  for (const Proposal& one : proposals) states.emplace_back(one.state);
  const std::vector<std::optional<Prediction>> predictions = predict(states);
  for (size_t i = 0; i < proposals.size(); ++i) {
    if (!predictions[i] || !predictions[i]->seconds) continue;
    proposals[i].note = NoteOf(*predictions[i]->seconds);
  }
}

}  // namespace schedulegym
