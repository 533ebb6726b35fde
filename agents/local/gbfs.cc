// G-BFS: 1. measure the start; 2. take the fastest place of the queue, draw rho of its legal moves
// without replacement, measure the new ones, and put them into the queue, which all sketches share;
// the newest of equal ones is first; 3. repeat. A move carries a factor, mostly a prime, from one
// level of a tile to another. Published: only tiles move, a place is taken once, a failure is a
// place of speed 0, and an empty queue ends the search; here it goes on at random. Ours by default:
// other knobs move by one value, a place stays until its moves are used up, failures are not taken,
// and `restart` trials without a gain begin anew at a random place. Cost: O(measured) a turn.
#include "agents/local/gbfs.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

struct GbfsOptions {
  bool stays = true;  // a place, until its moves are used up; failures are not taken
  int rho = 5;
  bool from_origin = true;
  bool others = true;
  int restart = 32;
};

class GbfsSearch : public TaskSearch {
 public:
  GbfsSearch(const GbfsOptions& options, PlaceBook book, Rng rng)
      : options_(options), book_(std::move(book)), rng_(rng) {}

  // Proposes the moves of one place: the next place depends on their results.
  std::vector<Proposal> Propose(int count) override {
    if (options_.from_origin && next_origin_ < book_.field().sketches()) {
      std::vector<Proposal> origins = Origins(count);
      if (!origins.empty()) return origins;
    }
    if (!IsStale()) {
      for (const MeasuredPlace* place : Queue()) {
        std::vector<Proposal> moves = Expand(*place, count);
        if (!moves.empty()) return moves;
      }
    }
    begin_ = book_.measured().size();
    std::optional<Proposal> draw = book_.Draw(rng_);
    if (!draw) return {};
    return {*std::move(draw)};
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  std::vector<Proposal> Origins(int count) {
    std::vector<Proposal> origins;
    while (next_origin_ < book_.field().sketches() && std::ssize(origins) < count) {
      std::optional<Proposal> origin = book_.Claim(book_.field().Origin(next_origin_++));
      if (origin) origins.push_back(*std::move(origin));
    }
    return origins;
  }

  // Returns whether the last gain since the start or restart is at least `restart` trials ago.
  bool IsStale() const {
    if (options_.restart == 0) return false;
    const std::vector<MeasuredPlace>& measured = book_.measured();
    size_t gain = begin_;
    for (size_t i = begin_; i < measured.size(); ++i) {
      if (measured[i].speed > measured[gain].speed) gain = i;
    }
    return measured.size() > gain + options_.restart;
  }

  // Returns places by falling speed, the newest of equal ones first.
  std::vector<const MeasuredPlace*> Queue() const {
    std::vector<const MeasuredPlace*> queue;
    for (size_t i = book_.measured().size(); i-- > begin_;) {
      const MeasuredPlace& one = book_.measured()[i];
      const bool may = one.ok() || !options_.stays;
      if (may && !spent_.contains(one.place)) queue.push_back(&one);
    }
    std::ranges::stable_sort(queue, std::greater<>(), &MeasuredPlace::speed);
    return queue;
  }

  std::vector<Proposal> Expand(const MeasuredPlace& from, int count) {
    std::vector<FieldPlace> moves = book_.field().FactorMoves(from.place);
    if (options_.others)
      std::ranges::move(book_.field().Steps(from.place), std::back_inserter(moves));
    if (options_.stays) std::erase_if(moves, [&](const auto& one) { return !book_.IsOpen(one); });
    if (!options_.stays || moves.empty()) spent_.insert(from.place);
    std::vector<Proposal> proposals;
    for (int drawn = 0; drawn < options_.rho && !moves.empty(); ++drawn) {
      if (std::ssize(proposals) >= count) break;
      const auto at = moves.begin() + rng_.Below(std::ssize(moves));
      std::optional<Proposal> move = book_.Claim(*at);
      moves.erase(at);
      if (move) proposals.push_back(*std::move(move));
      if (!move && options_.stays) --drawn;  // another move in its place
    }
    return proposals;
  }

  GbfsOptions options_;
  PlaceBook book_;
  Rng rng_;
  int next_origin_ = 0;
  std::set<FieldPlace> spent_;
  size_t begin_ = 0;  // number of places measured before the restart
};

GbfsOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  GbfsOptions options;
  const bool improved = reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  options.stays = reader.Choice("queue", improved ? "stays" : "once", {"stays", "once"}) == "stays";
  options.rho = ranged.Integer("rho", options.rho, 1, 100'000);
  const std::string start = improved ? "random" : "origin";
  options.from_origin = reader.Choice("start", start, {"origin", "random"}) == "origin";
  options.others = reader.Flag("others", improved);
  options.restart = ranged.Integer("restart", improved ? 32 : 0, 0, 1'000'000);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeGbfsAgent(const AgentContext& context) {
  const std::string who = "agent gbfs";
  SpecReader reader(context.setup.agent, "agent");
  const GbfsOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<GbfsSearch>(options, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
