#include "agents/decisions/round_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agents/common/best_states.h"
#include "agents/parallel.h"

namespace schedulegym {
namespace {

constexpr int kAttempts = 2;      // rounds tried for one answer
constexpr int kHeapFactor = 2;    // states kept for each proposal
constexpr int kRandomFactor = 3;  // states drawn for each random proposal
constexpr int kLeastDraws = 64;   // fewest draws if all are random
constexpr int kMostBarren = 3;    // rounds in a row without a new schedule

}  // namespace

RoundSearch::RoundSearch(const DecisionSearchContext& ground, const RoundOptions& options,
                         std::unique_ptr<PlaceVisitor> visitor)
    : ground_(ground),
      options_(options),
      visitor_(std::move(visitor)),
      rollout_(ground_.space, WorthBy(ground_, Worth::kLogSpeed), SearchThreads(*ground_.task),
               ground_.stop) {}

std::vector<Proposal> RoundSearch::Propose(int count) {
  if (options_.waits && ground_.model->Waits()) return Draw(count);
  std::vector<Proposal> proposals;
  for (int attempt = 0; attempt < kAttempts && std::ssize(proposals) < count; ++attempt) {
    const int lacking = count - static_cast<int>(proposals.size());
    const int era = ground_.model->Era();
    if (round_ && era != era_) {
      round_->RankAnew(WorthByFeatures(ground_, Worth::kLogSpeed));
    }
    const bool is_new = !round_;
    if (is_new) round_ = Visit(std::max(options_.round, lacking));
    if (options_.doubted > 0 && (is_new || era != era_)) {
      round_->NoteDoubts(DoubtByFeatures(ground_));
    }
    era_ = era;
    std::vector<Proposal> dealt = Deal(lacking);
    const bool is_over = std::ssize(dealt) < lacking || round_->dealt() >= options_.round;
    if (is_over) round_.reset();
    std::ranges::move(dealt, std::back_inserter(proposals));
  }
  return proposals;
}

std::vector<Proposal> RoundSearch::Draw(int count) {
  const int threads = SearchThreads(*ground_.task);
  std::vector<Proposal> proposals;
  for (int barren = 0; barren < kMostBarren && std::ssize(proposals) < count; ++barren) {
    const int lacking = count - static_cast<int>(proposals.size());
    std::vector<ScheduleState> states;
    for (DrawnState& one : DrawStates(ground_.space, ground_.task, std::max(lacking, kLeastDraws),
                                      threads, ground_.rng, ground_.stop)) {
      states.push_back(std::move(one.state));
    }
    ProposalRound drawn({}, states, ground_.space, threads, ground_.stop);
    for (Proposal& one : drawn.Deal(lacking, {.random = lacking}, {}, ground_.memory.seen)) {
      one.note = "drawn";
      ground_.memory.seen.insert(one.key);
      proposals.push_back(std::move(one));
      barren = -1;
    }
  }
  return proposals;
}

ProposalRound RoundSearch::Visit(int count) {
  rollout_.Collect(kHeapFactor * count, ground_.memory.seen);
  visitor_->Visit(rollout_);
  const int threads = SearchThreads(*ground_.task);
  // Draws enough for a whole round even if the space refuses the best ones.
  const int drawn = std::max(count, static_cast<int>(kRandomFactor * options_.epsilon * count));
  std::vector<ScheduleState> strays;
  for (DrawnState& one :
       DrawStates(ground_.space, ground_.task, drawn, threads, ground_.rng, ground_.stop)) {
    strays.push_back(std::move(one.state));
  }
  return {rollout_.best(), strays, ground_.space, threads, ground_.stop};
}

std::vector<Proposal> RoundSearch::Deal(int count) {
  ProposalRound::Mixture mixture;
  mixture.random = round_->PartOf(options_.epsilon, count);
  mixture.local = std::min(count - mixture.random, round_->PartOf(options_.local, count));
  mixture.doubted =
      std::min(count - mixture.random - mixture.local, round_->PartOf(options_.doubted, count));
  const std::vector<Proposal> neighbours =
      ground_.memory.Neighbours(ground_.space, mixture.local, false, ground_.rng, ground_.stop);
  std::vector<Proposal> dealt = round_->Deal(count, mixture, neighbours, ground_.memory.seen);
  for (const Proposal& proposal : dealt) ground_.memory.seen.insert(proposal.key);
  return dealt;
}

std::vector<TreeView> RoundSearch::Views() const {
  return visitor_->Views(rollout_, ground_.task->name);
}

}  // namespace schedulegym
