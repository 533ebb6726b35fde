// FlexTensor's walks (flextensor/scheduler.py). After `warm` random places, turns by method:
// p:      takes a random remembered place with exp(-gamma (E - E*) / E*), otherwise the best one.
//         Measures all its new moves and remembers each with the same chance. If none is better,
//         the best place is retired. Then measures `parallel` random places.
// random: removes the `parallel` best remembered places; measures a move of each decision of each.
// q:      the same, with the chance max(epsilon exp(-decay turn), floor) a random move, otherwise a
//         network's. It learns from tanh(max(E - E', 0)) after each fifth of the trials; ours by
//         default from the logarithm of E / E', losses included, each fifth turn.
// Moves: the next divisor of a tile's level, a knob one value up or down. Retired places return
// after each twentieth of the trials; ours by default each fifth turn. Published: 400 places
// before, for q 200 (at most a third of the trials here, with a message), an end after 15 turns
// that change the best by less than 0.02 ms; the ten best are not measured again here. Ours by
// default: a tenth of the trials before, 16 moves of a place, no end.
#include "agents/local/flextensor.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "agents/local/flextensor_options.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr int kReturn = 5;  // turns after which retired places return

// The reward of a failed move.
constexpr double kWorstReward = -3;

// A move, and the time of the place before it.
struct Taken {
  FieldPlace from, to;
  double seconds = 0;
};

class FlextensorSearch : public TaskSearch {
 public:
  FlextensorSearch(const FlextensorOptions& options, PlaceBook book,
                   const DirectionsMaker& directions, Rng rng)
      : options_(options), book_(std::move(book)), rng_(rng) {
    if (options_.method != FlextensorMethod::kQ) return;
    directions_ = directions(book_.field(), options_.directions, rng_.Split());
  }

  // Returns proposals of one turn at a time.
  std::vector<Proposal> Propose(int count) override {
    const auto measured = static_cast<int>(book_.measured().size());
    std::vector<Proposal> proposals;
    if (measured < options_.warm) {
      AddDraws(std::min(count, options_.warm - measured), proposals);
      return proposals;
    }
    if (waiting_.empty() && draws_ == 0) {
      EndTurn();
      if (has_ended_) return {};
      BeginTurn();
    }
    while (!waiting_.empty() && std::ssize(proposals) < count) {
      std::optional<Proposal> next = book_.Claim(waiting_.front());
      waiting_.pop_front();
      if (!next) continue;
      asked_.push_back(next->key);
      proposals.push_back(*std::move(next));
    }
    const int draws = std::min(draws_, count - static_cast<int>(proposals.size()));
    AddDraws(draws, proposals);
    draws_ -= draws;
    if (proposals.empty()) AddDraws(1, proposals);
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  void AddDraws(int count, std::vector<Proposal>& proposals) {
    for (int i = 0; i < count; ++i) {
      std::optional<Proposal> draw = book_.Draw(rng_);
      if (!draw) return;
      asked_.push_back(draw->key);
      proposals.push_back(*std::move(draw));
    }
  }

  // The remembered places, the fastest first.
  std::vector<const MeasuredPlace*> Remembered() const {
    std::vector<const MeasuredPlace*> places;
    for (const MeasuredPlace* one : book_.Ranked()) {
      if (remembered_.contains(one->key) && !retired_.contains(one->key)) places.push_back(one);
    }
    return places;
  }

  bool Accepts(const MeasuredPlace& place) {
    const double best = book_.Best()->speed;
    return rng_.Chance(FlextensorAcceptance(1 / place.speed, 1 / best, options_.gamma));
  }

  void EndTurn() {
    const MeasuredPlace* best = book_.Best();
    if (best == nullptr) return;
    const MeasuredPlace* from = from_ ? book_.Find(*from_) : nullptr;
    bool is_better = from == nullptr;
    // The first turn includes everything measured before it.
    if (turns_ == 0) {
      for (const MeasuredPlace& one : book_.measured()) asked_.push_back(one.key);
    }
    for (const Key& key : asked_) {
      const MeasuredPlace* found = book_.Find(key);
      if (found == nullptr || !found->ok()) continue;
      is_better |= from != nullptr && found->speed > from->speed;
      if (turns_ == 0 || Accepts(*found)) remembered_.insert(key);
    }
    asked_.clear();
    TeachDirections();
    const std::vector<const MeasuredPlace*> remembered = Remembered();
    if (!is_better && options_.retires && !remembered.empty()) {
      retired_.insert(remembered[0]->key);
    }
    if (IsOver(options_.absence, returned_)) retired_.clear();
    ++turns_;
    const bool changed = std::abs(best->seconds - last_best_) >= options_.change * 1e-3;
    idle_ = changed ? 0 : idle_ + 1;
    last_best_ = best->seconds;
    has_ended_ = options_.stop > 0 && idle_ >= options_.stop;
  }

  void BeginTurn() {
    from_.reset();
    draws_ = options_.parallel;
    const std::vector<const MeasuredPlace*> remembered = Remembered();
    if (remembered.empty()) return;
    if (options_.method != FlextensorMethod::kP) {
      BeginDecisions(remembered);
      return;
    }
    const MeasuredPlace* from = remembered[rng_.Below(std::ssize(remembered))];
    if (!Accepts(*from)) from = remembered[0];
    from_ = from->key;
    std::vector<FieldPlace> moves = MovesOf(from->place);
    for (size_t i = moves.size(); i > 1; --i) std::swap(moves[i - 1], moves[rng_.Below(i)]);
    if (options_.moves > 0 && std::ssize(moves) > options_.moves) moves.resize(options_.moves);
    waiting_.assign(moves.begin(), moves.end());
  }

  void BeginDecisions(const std::vector<const MeasuredPlace*>& remembered) {
    const auto count = std::min<size_t>(remembered.size(), options_.parallel);
    for (size_t i = 0; i < count; ++i) {
      const FieldPlace& from = remembered[i]->place;
      const double seconds = 1 / remembered[i]->speed;
      remembered_.erase(remembered[i]->key);
      std::map<int, std::vector<FieldPlace>> by_decision;
      for (FieldPlace& move : MovesOf(from)) {
        const auto differ = std::ranges::mismatch(move.point, from.point);
        const auto knob = static_cast<int>(differ.in1 - move.point.begin());
        by_decision[book_.field().DecisionOf(from.sketch, knob)].push_back(std::move(move));
      }
      for (const auto& [decision, moves] : by_decision) {
        waiting_.push_back(moves[Chosen(from, moves)]);
        if (directions_) taken_.push_back({from, waiting_.back(), seconds});
      }
    }
  }

  size_t Chosen(const FieldPlace& from, const std::vector<FieldPlace>& moves) {
    const double epsilon =
        directions_ ? FlextensorEpsilon(options_.epsilon, options_.decay, options_.floor, turns_)
                    : 1;
    if (!directions_ || rng_.Chance(epsilon)) return rng_.Below(std::ssize(moves));
    return directions_->Choose(from, moves);
  }

  // Learns from the results of this turn's moves.
  void TeachDirections() {
    if (!directions_) return;
    for (const Taken& one : taken_) {
      const auto found = std::ranges::find(book_.measured(), one.to, &MeasuredPlace::place);
      if (found == book_.measured().end()) continue;
      directions_->Learn(one.from, one.to, RewardOf(one, *found), MovesOf(one.to));
    }
    taken_.clear();
    if (IsOver(options_.lesson, taught_)) directions_->Train();
  }

  // Call at the end of a turn. True if `trials` places were measured since `last`; with trials=0,
  // on every fifth turn. Counting begins with the first turn.
  bool IsOver(int trials, int& last) const {
    if (trials == 0) return (turns_ + 1) % kReturn == 0;
    const auto measured = static_cast<int>(book_.measured().size());
    if (turns_ > 0 && measured - last < trials) return false;
    last = measured;
    return turns_ > 0;
  }

  double RewardOf(const Taken& taken, const MeasuredPlace& found) const {
    if (options_.pays_logarithm) {
      return found.ok() ? std::log(taken.seconds * found.speed) : kWorstReward;
    }
    if (!found.ok()) return 0;
    // Converts the time before the move to the unit of the time after it.
    return FlextensorReward(1e3 * taken.seconds * found.speed * found.seconds, 1e3 * found.seconds);
  }

  // Returns the moves that were not proposed yet.
  std::vector<FieldPlace> MovesOf(const FieldPlace& from) const {
    std::vector<FieldPlace> moves = book_.field().DivisorMoves(from);
    std::ranges::move(book_.field().Steps(from), std::back_inserter(moves));
    std::erase_if(moves, [&](const FieldPlace& one) { return !book_.IsOpen(one); });
    return moves;
  }

  FlextensorOptions options_;
  PlaceBook book_;
  Rng rng_;
  std::unique_ptr<MoveDirections> directions_;  // null unless q
  std::vector<Taken> taken_;                    // in this turn
  std::set<Key> remembered_, retired_;
  std::optional<Key> from_;         // the place whose moves are measured
  std::deque<FieldPlace> waiting_;  // of this turn
  int draws_ = 0;                   // of this turn
  std::vector<Key> asked_;          // in this turn
  int turns_ = 0, idle_ = 0;
  int taught_ = 0, returned_ = 0;  // measurements at the last time
  double last_best_ = 0;
  bool has_ended_ = false;
};

}  // namespace

std::unique_ptr<Agent> MakeFlextensorAgent(const AgentContext& context,
                                           const DirectionsMaker& directions) {
  SpecReader reader(context.setup.agent, "agent");
  const FlextensorOptions options = ReadFlextensorOptions(reader, context);
  const int64_t retries = ReadRetries(reader, kFlextensor);
  reader.Finish();
  if (options.method == FlextensorMethod::kQ && !directions) {
    throw MachineError(std::string(kFlextensor) +
                       ": method=q learns in the agents' process, expected a " +
                       "build with the package libtorch-dev (Debian)");
  }
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<FlextensorSearch>(
        options, PlaceBook(context, task, retries, kFlextensor), directions, rng);
  });
}

}  // namespace schedulegym
