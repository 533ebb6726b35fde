// FlexTensor's walks (flextensor/scheduler.py). After `warm` places by chance, turns of:
// p:      a remembered place by chance, kept with exp(-gamma (E - E*) / E*), else the best one; all
//         new moves of it are measured, each remembered with the same chance; where none is better,
//         the best is retired; then `parallel` places by chance.
// random: of the `parallel` best remembered places, which leave, one move of each decision.
// Moves: the next divisor of a tile's level, a knob one value up or down. Every fifth turn the
// retired return. Published: 400 places before (a third of the trials at most here, with a line
// that says so), an end after 15 turns that change the best by less than 0.02 ms; the ten best are
// not measured again here. Ours by default: a tenth of the trials before, 16 moves of a place, no
// end.
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
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr int kReturn = 5;                // turns after which what was retired returns
constexpr double kLeastChange = 0.02e-3;  // seconds, of the best
constexpr int kWarm = 400, kMostParts = 3, kWarmPart = 10;

struct FlextensorOptions {
  bool improved = true;
  bool is_random = false;
  int warm = kWarm;
  double gamma = 0.5;
  int parallel = 1;
  int moves = 0;
  bool retires = true;
  int stop = 0;
};

class FlextensorSearch : public TaskSearch {
 public:
  FlextensorSearch(const FlextensorOptions& options, PlaceBook book, Rng rng)
      : options_(options), book_(std::move(book)), rng_(rng) {}

  // Of one turn at a time.
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

  // What is remembered, the fastest first.
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
    // Of the first turn, all that was measured before it.
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
    const std::vector<const MeasuredPlace*> remembered = Remembered();
    if (!is_better && options_.retires && !remembered.empty()) {
      retired_.insert(remembered[0]->key);
    }
    ++turns_;
    if (turns_ % kReturn == 0) retired_.clear();
    const bool changed = std::abs(best->seconds - last_best_) >= kLeastChange;
    idle_ = changed ? 0 : idle_ + 1;
    last_best_ = best->seconds;
    has_ended_ = options_.stop > 0 && idle_ >= options_.stop;
  }

  void BeginTurn() {
    from_.reset();
    draws_ = options_.parallel;
    const std::vector<const MeasuredPlace*> remembered = Remembered();
    if (remembered.empty()) return;
    if (options_.is_random) {
      BeginRandom(remembered);
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

  void BeginRandom(const std::vector<const MeasuredPlace*>& remembered) {
    const auto count = std::min<size_t>(remembered.size(), options_.parallel);
    for (size_t i = 0; i < count; ++i) {
      const FieldPlace& from = remembered[i]->place;
      remembered_.erase(remembered[i]->key);
      std::map<int, std::vector<FieldPlace>> by_decision;
      for (FieldPlace& move : MovesOf(from)) {
        const auto differ = std::ranges::mismatch(move.point, from.point);
        const auto knob = static_cast<int>(differ.in1 - move.point.begin());
        by_decision[book_.field().DecisionOf(from.sketch, knob)].push_back(std::move(move));
      }
      for (const auto& [decision, moves] : by_decision) {
        waiting_.push_back(moves[rng_.Below(std::ssize(moves))]);
      }
    }
  }

  // Those that were not proposed yet.
  std::vector<FieldPlace> MovesOf(const FieldPlace& from) const {
    std::vector<FieldPlace> moves = book_.field().DivisorMoves(from);
    std::ranges::move(book_.field().Steps(from), std::back_inserter(moves));
    std::erase_if(moves, [&](const FieldPlace& one) { return !book_.IsOpen(one); });
    return moves;
  }

  FlextensorOptions options_;
  PlaceBook book_;
  Rng rng_;
  std::set<Key> remembered_, retired_;
  std::optional<Key> from_;         // whose moves are measured
  std::deque<FieldPlace> waiting_;  // of this turn
  int draws_ = 0;                   // of this turn
  std::vector<Key> asked_;          // in this turn
  int turns_ = 0, idle_ = 0;
  double last_best_ = 0;
  bool has_ended_ = false;
};

// As much as there is of the budget for each task: a part of it.
int ReadWarm(RangedReader& ranged, const AgentContext& context, bool improved) {
  const std::optional<Budget>& budget = context.setup.budget;
  const int64_t tasks = std::max<int64_t>(std::ssize(context.setup.tasks), 1);
  int warm = improved ? kWarm / kWarmPart : kWarm;
  if (budget && improved) {
    warm = static_cast<int>(std::min<int64_t>(budget->trials / tasks / kWarmPart, kWarm));
  }
  warm = ranged.Integer("warm", warm, 0, 1'000'000);
  if (!budget) return warm;
  const auto most = static_cast<int>(std::min<int64_t>(budget->trials / tasks / kMostParts, warm));
  if (most < warm && context.say) {
    context.say("agent flextensor: warm=" + std::to_string(warm) + " is above a third of the " +
                "trials of a task; " + std::to_string(most) + " are drawn");
  }
  return most;
}

FlextensorOptions ReadOptions(SpecReader& reader, const std::string& who,
                              const AgentContext& context) {
  RangedReader ranged(reader, who);
  FlextensorOptions options;
  options.improved = reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  const bool improved = options.improved;
  options.is_random = reader.Choice("method", "p", {"p", "random"}) == "random";
  options.warm = ReadWarm(ranged, context, improved);
  options.gamma = ranged.Number("gamma", options.gamma, 0, 1e6);
  options.parallel = ranged.Integer("parallel", options.parallel, 1, 100'000);
  options.moves = ranged.Integer("moves", improved ? 16 : 0, 0, 1'000'000);
  options.retires = reader.Flag("retire", true);
  options.stop = ranged.Integer("stop", improved ? 0 : 15, 0, 1'000'000);
  return options;
}

}  // namespace

double FlextensorAcceptance(double seconds, double best, double gamma) {
  return std::exp(-gamma * (seconds - best) / best);
}

std::unique_ptr<Agent> MakeFlextensorAgent(const AgentContext& context) {
  const std::string who = "agent flextensor";
  SpecReader reader(context.setup.agent, "agent");
  const FlextensorOptions options = ReadOptions(reader, who, context);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<FlextensorSearch>(options, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
