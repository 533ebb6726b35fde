// N-A2C (Zhang et al., 2019; microsoft/nni, opevo/src/algorithms/na2c.py):
// 1. walk `steps` moves from the fastest place, each drawn by the actor, with probability epsilon
//    from all; collect places that were not proposed, until `states` are there;
// 2. measure them; with reward r and the critic's value v of the place before the move, A = r - v,
//    one step on the sum of -log p A + (r - v)^2; go to 1.
// The code's loss has +log p A, by which good moves become rarer (sign=code). Published: one shared
// layer of 128, Adam 1e-3, r the throughput in GFLOP a second, a failure 0; drawn moves that are
// illegal stay where they are. The published collection never ends once the neighbourhood is
// exhausted; both modes then draw at random. Ours by default: r the logarithm of speed over the
// best before, masked moves, walks from the eight fastest places.
// Cost: a forward of one row a step.
#include "agents/learned/tuners/na2c.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/fresh_agent.h"
#include "agents/common/place_book.h"
#include "agents/learned/policy/ppo.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/tuners/place_rows.h"
#include "agents/learned/tuners/tuner_options.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Walks that find nothing new end a collection.
constexpr int kIdleWalks = 20;
constexpr double kMostReward = 3;  // either way, of logarithms

// The move that led to a place.
struct Move {
  std::vector<float> row;
  std::vector<uint8_t> mask;
  int slot = 0;
  float log_probability = 0;
};

int MostSlots(const KnobField& field, bool others) {
  size_t most = 1;
  for (int sketch = 0; sketch < field.sketches(); ++sketch) {
    most = std::max(most, field.MoveSlots(field.Origin(sketch), others).size());
  }
  return static_cast<int>(most);
}

Ppo MakePolicy(const Na2cOptions& options, int inputs, int slots, Rng rng) {
  NetworkShape shape;
  shape.inputs = inputs;
  shape.heads = ActionHeads({slots});
  shape.hidden = {options.hidden};
  shape.shared_trunk = true;
  PpoOptions ppo;
  ppo.actor_rate = ppo.critic_rate = options.rate;
  ppo.value_weight = 1;
  ppo.entropy_weight = 0;
  ppo.clip = 0.5;  // the ratio is 1, so nothing is cut
  ppo.epochs = 1;
  ppo.batch = options.states;
  ppo.longest_gradient = std::nullopt;
  ppo.normalised = false;
  return {shape, ppo, rng};
}

class Na2cSearch : public TaskSearch {
 public:
  Na2cSearch(const Na2cOptions& options, PlaceBook book, Rng rng)
      : options_(options),
        book_(std::move(book)),
        rng_(rng),
        slots_(MostSlots(book_.field(), options.moves_others)),
        policy_(MakePolicy(options, book_.field().columns(), slots_, rng_.Split())) {}

  std::vector<Proposal> Propose(int count) override {
    if (waiting_.empty()) {
      Teach();
      Collect();
    }
    std::vector<Proposal> proposals;
    while (!waiting_.empty() && std::ssize(proposals) < count) {
      proposals.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  void Collect() {
    const MeasuredPlace* best = book_.Best();
    if (best == nullptr) return CollectByChance(options_.starts_at_origin ? 1 : options_.states);
    speed_before_ = best->speed;
    for (int idle = 0; std::ssize(waiting_) < options_.states && idle < kIdleWalks; ++idle) {
      book_.stop().Check();
      const size_t before = waiting_.size();
      MoveFromElite();
      if (waiting_.size() > before) idle = 0;
    }
    if (waiting_.empty()) CollectByChance(options_.states);
  }

  // As published the first place has each extent in its outermost level.
  void CollectByChance(int count) {
    if (options_.starts_at_origin && book_.measured().empty()) {
      std::optional<Proposal> origin = book_.Claim(book_.field().Origin(0));
      if (origin) return waiting_.push_back(*std::move(origin));
    }
    for (int i = 0; i < count; ++i) {
      std::optional<Proposal> next = book_.Draw(rng_);
      if (!next) return;
      next->note = "walk(from=chance)";
      waiting_.push_back(*std::move(next));
    }
  }

  void MoveFromElite() {
    const std::vector<const MeasuredPlace*> order = book_.Ranked();
    const auto elite = std::min<int64_t>(std::ssize(order), options_.elite);
    // Faster places start more walks.
    FieldPlace place = order[std::min(rng_.Below(elite), rng_.Below(elite))]->place;
    for (int step = 0; step < options_.steps && std::ssize(waiting_) < options_.states; ++step) {
      const auto slots = book_.field().MoveSlots(place, options_.moves_others);
      std::optional<Move> move = Draw(place, slots);
      if (!move) return;
      const bool stays = move->slot >= std::ssize(slots) || !slots[static_cast<size_t>(move->slot)];
      if (stays) continue;
      place = *slots[static_cast<size_t>(move->slot)];
      std::optional<Proposal> next = book_.IsOpen(place) ? book_.Claim(place) : std::nullopt;
      if (!next) continue;
      next->note = "walk(from=policy)";
      moves_.insert_or_assign(next->key, *std::move(move));
      waiting_.push_back(*std::move(next));
    }
  }

  // Returns nullopt if no move is legal.
  std::optional<Move> Draw(const FieldPlace& place,
                           const std::vector<std::optional<FieldPlace>>& slots) {
    Move move;
    move.row = PolicyRow(book_.field(), place);
    move.mask.assign(static_cast<size_t>(slots_), options_.is_masked ? 0 : 1);
    for (size_t i = 0; i < slots.size(); ++i) {
      if (slots[i]) move.mask[i] = 1;
    }
    const ActionHeads& heads = policy_.network().shape().heads;
    if (!heads.IsOpen(move.mask)) return std::nullopt;
    RowBatch rows(static_cast<int>(move.row.size()), 1);
    std::ranges::copy(move.row, rows[0].begin());
    MaskBatch masks(slots_, 1);
    std::ranges::copy(move.mask, masks[0].begin());
    const Evaluation said = policy_.network().Evaluate(rows, masks);
    const HeadValues values = rng_.Chance(options_.epsilon)
                                  ? UniformValues(heads, move.mask, rng_)
                                  : DrawValues(heads, said.log_probabilities[0], move.mask, rng_);
    move.slot = values[0];
    move.log_probability = said.log_probabilities[0][static_cast<size_t>(move.slot)];
    return move;
  }

  double RewardOf(const MeasuredPlace& place) const {
    if (options_.pays_logarithm) {
      if (!place.ok()) return -kMostReward;
      return std::clamp(std::log(place.speed / speed_before_), -kMostReward, kMostReward);
    }
    if (!place.ok() || place.seconds <= 0) return 0;
    return CountFlops(book_.field().task()->dag) / place.seconds / 1e9;
  }

  // Learns from the measurements of the last collection.
  void Teach() {
    std::vector<std::pair<const Move*, double>> lessons;
    for (const auto& [key, move] : moves_) {
      const MeasuredPlace* place = book_.Find(key);
      if (place != nullptr) lessons.emplace_back(&move, RewardOf(*place));
    }
    if (!lessons.empty()) {
      const auto count = static_cast<int>(lessons.size());
      PolicySamples samples{RowBatch(book_.field().columns(), count),
                            MaskBatch(slots_, count),
                            Batch<int64_t>(1, count),
                            {},
                            {},
                            {}};
      for (int i = 0; i < count; ++i) {
        const Move& move = *lessons[i].first;
        std::ranges::copy(move.row, samples.rows[i].begin());
        std::ranges::copy(move.mask, samples.masks[i].begin());
        samples.values[i][0] = move.slot;
        samples.log_probabilities.push_back(move.log_probability);
        samples.targets.push_back(static_cast<float>(lessons[i].second));
      }
      const std::vector<float> values = policy_.network().Values(samples.rows);
      for (int i = 0; i < count; ++i) {
        const float advantage = samples.targets[i] - values[i];
        samples.advantages.push_back(options_.has_code_sign ? -advantage : advantage);
      }
      policy_.Learn(samples);  // samples that are not finite are skipped
    }
    moves_.clear();
  }

  Na2cOptions options_;
  PlaceBook book_;
  Rng rng_;
  int slots_;
  Ppo policy_;
  std::deque<Proposal> waiting_;
  std::map<Key, Move> moves_;  // of this collection
  double speed_before_ = 1;    // the best before it
};

}  // namespace

std::unique_ptr<Agent> MakeNa2cAgent(const AgentContext& context) {
  const std::string who = "agent na2c";
  SpecReader reader(context.setup.agent, "agent");
  const Na2cOptions options = ReadNa2cOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  UseOneTorchThread();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<Na2cSearch>(options, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
