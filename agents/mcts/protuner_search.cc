// ProTuner (Haj-Ali et al., arXiv 2005.13685, and its released Halide fork). For each decision of a
// schedule:
// 1. grow 16 fresh trees from here (15 random, 1 greedy), by iterations or seconds, on predicted
//    cost alone;
// 2. each tree offers its root's best child with the best schedule below it;
// 3. measure these schedules, as far as the decision's share of trials allows, and take the child
//    of the fastest, or of the least predicted cost if none is measured.
// A descent takes at most a third of the task's trials; without a measurement it measures its 10
// best. Decisions with one choice are skipped. Stops after 3 descents that find nothing new.
// Cost: iterations * trees completions a decision.
#include "agents/mcts/protuner_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include "agents/common/best_states.h"
#include "agents/mcts/shown_trees.h"
#include "agents/parallel.h"

namespace schedulegym {
namespace {

// Most schedules that are measured after a descent without measurements: the number that the
// released code keeps and times again.
constexpr int kKept = 10;
// A descent takes at most this part of the task's trials.
constexpr int64_t kDescentPart = 3;
// Rollouts between two checks of the clock.
constexpr int kSlice = 64;
// Schedules drawn where a descent found none to measure.
constexpr int kMostDraws = 100;
// Ends the search after this many descents that find nothing new.
constexpr int kMostBarren = 3;

}  // namespace

ProtunerSearch::ProtunerSearch(const DecisionSearchContext& ground,
                               std::shared_ptr<const TreePlace> root, int decisions,
                               const ProtunerOptions& options)
    : ground_(ground),
      root_(std::move(root)),
      decisions_(decisions),
      options_(options),
      rollout_(ground_.space, WorthBy(ground_, Worth::kMinusSeconds), SearchThreads(*ground_.task),
               ground_.stop) {
  BeginDescent();
}

void ProtunerSearch::BeginDescent() {
  proposed_ = 0;
  made_ = 0;
  place_ = root_;
  SkipSingles();
  rollout_.Collect(kKept, ground_.memory.seen);
}

// Takes decisions that have only one choice.
void ProtunerSearch::SkipSingles() {
  for (; place_ && place_->choices() == 1; ++made_) place_ = place_->After(0);
}

std::vector<Proposal> ProtunerSearch::Propose(int count) {
  while (waiting_.empty()) {
    if (!candidates_.empty()) Decide();
    if (barren_ == kMostBarren) return {};
    if (waiting_.empty()) Search();
  }
  std::vector<Proposal> proposals;
  for (; !waiting_.empty() && std::ssize(proposals) < count; waiting_.pop_front()) {
    proposals.push_back(std::move(waiting_.front()));
  }
  barren_ = 0;
  return proposals;
}

void ProtunerSearch::Search() {
  if (!place_ || place_->choices() == 0) return EndDescent();
  ensemble_.emplace(place_, options_.ensemble, rollout_, ground_.rng.Split());
  Grow();
  candidates_ = CandidatesOf(*ensemble_);
  rollout_.Keep(BestSamplesOf(ensemble_->trees()));
  if (candidates_.empty()) return EndDescent();
  int left = Allowance();
  for (const Candidate& candidate : candidates_) {
    if (left == 0) break;
    if (ground_.memory.seen.contains(candidate.best.key)) continue;
    if (!ground_.space.Admit(candidate.best.state)) continue;
    Enqueue(candidate.best);
    --left;
  }
}

void ProtunerSearch::Grow() {
  if (options_.seconds == 0) {
    ensemble_->Advance(options_.iterations);
    return;
  }
  const double end = ground_.clock->Now() + options_.seconds;
  int rolled = 0;
  while (rolled < options_.iterations) {
    const int some = ensemble_->Advance(std::min(options_.iterations - rolled, kSlice));
    rolled += some;
    if (some == 0 || ground_.clock->Now() >= end) break;
  }
}

void ProtunerSearch::Enqueue(Proposal proposal) {
  ground_.memory.seen.insert(proposal.key);
  waiting_.push_back(std::move(proposal));
  ++proposed_;
}

// Returns the candidates, best first; each schedule once.
std::vector<ProtunerSearch::Candidate> ProtunerSearch::CandidatesOf(
    const TreeEnsemble& ensemble) const {
  std::vector<Candidate> candidates;
  std::set<Key> known;
  for (const SearchTree& tree : ensemble.trees()) {
    const std::optional<int> chosen = ChooseAtRoot(tree, options_.root);
    if (!chosen) continue;
    const SearchTree::Edge& edge = tree.root().edges[*chosen];
    const SearchTree::Node& child = tree.node(edge.child);
    Candidate candidate{edge.choice, *child.best, ProposalOf(rollout_.state(*child.best_sample))};
    if (known.insert(candidate.best.key).second) candidates.push_back(std::move(candidate));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  return candidates;
}

int64_t ProtunerSearch::Left() const {
  return std::max<int64_t>(*ground_.trials / kDescentPart - proposed_, 0);
}

int ProtunerSearch::Allowance() const {
  if (!ground_.trials) return options_.measured;
  const int64_t each = Left() / std::max(decisions_ - made_, 1);
  return static_cast<int>(std::min<int64_t>(options_.measured, each));
}

// Compares by measured seconds if a candidate has any, otherwise by predicted ones.
void ProtunerSearch::Decide() {
  int choice = candidates_.front().choice;
  std::optional<double> least;
  for (const Candidate& candidate : candidates_) {
    const auto found = ground_.memory.measured.find(candidate.best.key);
    if (options_.measured == 0 || found == ground_.memory.measured.end()) continue;
    if (least && *found->second.seconds >= *least) continue;
    least = found->second.seconds;
    choice = candidate.choice;
  }
  candidates_.clear();
  Take(choice);
}

void ProtunerSearch::Take(int choice) {
  place_ = place_->After(choice);
  ++made_;
  SkipSingles();
  if (!place_ || place_->choices() == 0) EndDescent();
}

void ProtunerSearch::EndDescent() {
  // The last decision's candidates included the end, if it was legal.
  if (proposed_ == 0 && place_ && place_->choices() == 0) {
    const std::vector<RolloutRequest> end = {{place_}};
    rollout_.Roll(end, ground_.rng);
  }
  if (proposed_ == 0) ProposeKept();
  barren_ = proposed_ == 0 ? barren_ + 1 : 0;
  candidates_.clear();
  BeginDescent();
}

// Proposes the best of the descent, or a random schedule if the space refuses all of them.
void ProtunerSearch::ProposeKept() {
  const int64_t part = ground_.trials ? std::max<int64_t>(Left(), 1) : kKept;
  const int64_t most = std::min<int64_t>(part, kKept);
  for (const ScoredState& one : rollout_.best()) {
    if (proposed_ == most) break;
    if (ground_.space.Admit(one.state)) Enqueue({one.state, one.key});
  }
  const int threads = SearchThreads(*ground_.task);
  const int draws = proposed_ == 0 ? kMostDraws : 0;
  for (DrawnState& one : DrawStates(ground_.space, ground_.task, draws, threads, ground_.rng)) {
    Proposal proposal = ProposalOf(std::move(one.state));
    if (proposed_ == most || ground_.memory.seen.contains(proposal.key)) continue;
    if (ground_.space.Admit(proposal.state)) Enqueue(std::move(proposal));
  }
}

std::vector<TreeView> ProtunerSearch::Views() const {
  if (!ensemble_) return {};
  return ViewsOf(ensemble_->trees(), rollout_, ground_.task->name, "minus predicted seconds");
}

}  // namespace schedulegym
