// Chameleon's adaptive exploration: from 128 places episodes of at most 500 steps; an action moves
// every knob by -1, 0 or +1, clamped, and an episode ends once three quarters of the knobs stayed
// or are at a border. PPO learns from the steps' rewards (clip 0.2, entropy 0.3, value 1, discount
// 0.9, lambda 0.99, Adam 1e-3 with epsilon 1e-5; actor and critic of two layers of 20, tanh, heads
// over a temperature of 0.1) by three steps of 32 rows after each episode. The result is the best
// open places of all visited ones. Not published: heads are linear, without layers of their own; a
// knob that the sketch lacks stays. Ours by default: temperature 1, gradients cut at 0.5.
// Published: a step's reward is the score of the place, so longer walks have higher returns. Cost:
// a forward and a score for each step of each episode.
#include "agents/learned/tuners/policy_explorer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/learned/tuners/place_rows.h"

namespace schedulegym {
namespace {

constexpr int kDirections = 3;  // down, stay, up
constexpr int kImprovedBatch = 256;

PolicySamples Drawn(const PolicySamples& all, int count, Rng& rng) {
  PolicySamples drawn{RowBatch(all.rows.columns(), count),
                      MaskBatch(all.masks.columns(), count),
                      Batch<int64_t>(all.values.columns(), count),
                      {},
                      {},
                      {}};
  for (int i = 0; i < count; ++i) {
    const auto row = static_cast<int>(rng.Below(all.rows.rows()));
    std::ranges::copy(all.rows[row], drawn.rows[i].begin());
    std::ranges::copy(all.masks[row], drawn.masks[i].begin());
    std::ranges::copy(all.values[row], drawn.values[i].begin());
    drawn.log_probabilities.push_back(all.log_probabilities[row]);
    drawn.advantages.push_back(all.advantages[row]);
    drawn.targets.push_back(all.targets[row]);
  }
  return drawn;
}

}  // namespace

bool EndsEpisode(int still, int knobs, double share) { return still >= share * knobs; }

void PolicyExplorer::MakePolicy(const KnobField& field, Rng& rng) {
  for (int sketch = 0; sketch < field.sketches(); ++sketch) {
    for (int knob = 0; knob < field.knobs(sketch).dimensions(); ++knob) {
      heads_.emplace(field.ColumnOf(sketch, knob), static_cast<int>(heads_.size()));
    }
  }
  NetworkShape shape;
  shape.inputs = field.columns();
  shape.heads = ActionHeads(std::vector<int>(std::max<size_t>(heads_.size(), 1), kDirections));
  shape.hidden = {options_.hidden, options_.hidden};
  shape.activation = Activation::kTanh;
  shape.temperature = options_.temperature;
  PpoOptions ppo;
  ppo.actor_rate = ppo.critic_rate = options_.rate;
  ppo.value_weight = 1;
  ppo.entropy_weight = options_.entropy;
  ppo.clip = options_.clip;
  ppo.epsilon = options_.adam_eps;
  ppo.longest_gradient =
      options_.longest_gradient > 0 ? std::optional(options_.longest_gradient) : std::nullopt;
  ppo.epochs = options_.is_together ? options_.lessons : 1;
  ppo.batch = options_.is_together ? std::max(options_.batch, kImprovedBatch) : options_.batch;
  policy_.emplace(shape, ppo, rng.Split());
}

std::vector<FieldPlace> PolicyExplorer::Starts(const PlaceBook& book, Rng& rng) const {
  std::vector<FieldPlace> starts;
  const std::vector<const MeasuredPlace*> order = book.Ranked();
  const auto episodes = static_cast<size_t>(options_.episodes);
  const auto leaders = static_cast<size_t>(options_.leaders * options_.episodes);
  for (size_t i = 0; i < std::min(order.size(), leaders); ++i) starts.push_back(order[i]->place);
  for (size_t draw = 0; draw < 2 * episodes && starts.size() < episodes; ++draw) {
    std::optional<FieldPlace> place = book.field().Draw(rng);
    if (place) starts.push_back(*std::move(place));
  }
  return starts;
}

std::vector<ScoredPlace> PolicyExplorer::Explore(const PlaceBook& book, Surrogate& surrogate,
                                                 int count, Rng& rng) {
  if (!policy_) MakePolicy(book.field(), rng);
  BestPlaces best(book, count);
  const std::vector<FieldPlace> starts = Starts(book, rng);
  const size_t group = options_.is_together ? std::max<size_t>(starts.size(), 1) : 1;
  for (size_t begin = 0; begin < starts.size(); begin += group) {
    const size_t end = std::min(starts.size(), begin + group);
    RunEpisodes(book, surrogate, std::span(starts).subspan(begin, end - begin), best, rng);
  }
  return best.Take();
}

void PolicyExplorer::RunEpisodes(const PlaceBook& book, Surrogate& surrogate,
                                 std::span<const FieldPlace> starts, BestPlaces& best, Rng& rng) {
  std::vector<Track> tracks;
  const std::vector<double> first = surrogate.Score(book, starts);
  for (size_t i = 0; i < starts.size(); ++i) {
    best.Offer(first[i], starts[i]);
    tracks.push_back({starts[i], first[i], !std::isfinite(first[i])});
  }
  Rollout rollout(book.field().columns(), policy_->network().shape().heads);
  for (int step = 0; step < options_.steps; ++step) {
    book.stop().Check();
    if (!Step(book, surrogate, tracks, rollout, best, rng)) break;
  }
  for (size_t i = 0; i < tracks.size(); ++i) {
    rollout.End(static_cast<int>(i), 0, options_.advantage);
  }
  if (rollout.steps() > 0) Teach(rollout.Take(), rng);
}

bool PolicyExplorer::Step(const PlaceBook& book, Surrogate& surrogate, std::vector<Track>& tracks,
                          Rollout& rollout, BestPlaces& best, Rng& rng) {
  const KnobField& field = book.field();
  const ActionHeads& heads = policy_->network().shape().heads;
  std::vector<int> active;
  for (size_t i = 0; i < tracks.size(); ++i) {
    if (!tracks[i].has_ended) active.push_back(static_cast<int>(i));
  }
  const auto count = static_cast<int>(active.size());
  if (count == 0) return false;
  RowBatch rows(field.columns(), count);
  MaskBatch masks(heads.columns(), count);
  for (int i = 0; i < count; ++i) {
    const FieldPlace& place = tracks[active[i]].place;
    std::ranges::copy(PolicyRow(field, place), rows[i].begin());
    FillMask(field, place, masks[i]);
  }
  const Evaluation said = policy_->network().Evaluate(rows, masks);
  std::vector<FieldPlace> next;
  std::vector<HeadValues> actions;
  std::vector<int> still(active.size());
  for (int i = 0; i < count; ++i) {
    actions.push_back(DrawValues(heads, said.log_probabilities[i], masks[i], rng));
    next.push_back(Moved(field, tracks[active[i]].place, actions.back(), still[i]));
  }
  const std::vector<double> scores = surrogate.Score(book, next);
  for (int i = 0; i < count; ++i) {
    Track& track = tracks[active[i]];
    best.Offer(scores[i], next[i]);
    const double log = LogProbability(heads, said.log_probabilities[i], actions[i]);
    rollout.Add(active[i], {rows[i], masks[i], actions[i], log, said.values[i]},
                options_.pays_gain ? scores[i] - track.score : scores[i]);
    const auto knobs = static_cast<int>(next[i].point.size());
    track = {std::move(next[i]), scores[i], EndsEpisode(still[i], knobs, options_.end)};
  }
  return true;
}

FieldPlace PolicyExplorer::Moved(const KnobField& field, const FieldPlace& from,
                                 const HeadValues& values, int& still) const {
  FieldPlace to = from;
  still = 0;
  for (size_t knob = 0; knob < to.point.size(); ++knob) {
    const auto number = static_cast<int>(knob);
    const int most = field.knobs(from.sketch).size_of(number) - 1;
    const int head = heads_.at(field.ColumnOf(from.sketch, number));
    to.point[knob] = std::clamp(from.point[knob] + values[head] - 1, 0, most);
    const bool is_at_border = to.point[knob] == 0 || to.point[knob] == most;
    if (to.point[knob] == from.point[knob] || is_at_border) ++still;
  }
  return field.Exists(to) ? to : from;
}

void PolicyExplorer::FillMask(const KnobField& field, const FieldPlace& place,
                              std::span<uint8_t> mask) const {
  // A knob that the sketch lacks stays.
  for (size_t head = 0; head * kDirections < mask.size(); ++head) mask[head * kDirections + 1] = 1;
  for (int knob = 0; knob < field.knobs(place.sketch).dimensions(); ++knob) {
    const auto head = static_cast<size_t>(heads_.at(field.ColumnOf(place.sketch, knob)));
    std::ranges::fill(mask.subspan(head * kDirections, kDirections), uint8_t{1});
  }
}

void PolicyExplorer::Teach(PolicySamples samples, Rng& rng) {
  if (options_.is_together) {
    policy_->Learn(samples);
    return;
  }
  Normalise(samples.advantages);
  for (int lesson = 0; lesson < options_.lessons; ++lesson) {
    policy_->Learn(Drawn(samples, options_.batch, rng));
  }
}

}  // namespace schedulegym
