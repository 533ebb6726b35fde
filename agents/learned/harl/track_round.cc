// Walks many tracks with one policy, in lock step. Each step:
// 1. one forward pass gives actions and values of all live tracks;
// 2. every `interval` steps PPO learns from the steps so far (ppo.h), with generalised advantages;
// 3. if the plan has fewer tracks, those with the least  r + discount * V(next) - V  of their
//    last step stop (HARL's adaptive stopping; copies of a place go first);
// 4. tracks act, and the model scores all new schedules at once.
// Reward: relative gain of the score, or its logarithm; -1 without a score. Scores below 1/1000 of
// the best start count as that (this project's choice, so that no ratio explodes).
// Cost: one evaluation and one action for each live track and step.
#include "agents/learned/harl/track_round.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "agents/learned/track_plan.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/gym/observations/builtin_observations.h"

namespace schedulegym {
namespace {

// As a share of the best score at the start: lower scores count alike, so that no ratio explodes.
// This project's choice.
constexpr double kLeastShare = 1e-3;
// Reward of a step to a schedule without a score: the least relative reward, as if all speed were
// lost. This project's choice.
constexpr double kLost = -1;

struct Track {
  int number = 0;  // identifies its path
  std::unique_ptr<EpisodeState> episode;
  std::optional<double> score;
  double reward = 0, value = 0;  // of the last step, and the critic's before it
};

class Round {
 public:
  Round(const TrackRoundParts& parts, const TrackRoundOptions& options, Rng& rng)
      : parts_(parts),
        options_(options),
        rng_(rng),
        rollout_(parts.sight.size(), parts.actions.heads()),
        rows_(parts.sight.size()),
        masks_(parts.actions.heads().columns()) {}

  TrackRoundReport Run(std::vector<std::unique_ptr<EpisodeState>> starts) {
    Begin(std::move(starts));
    for (size_t step = 0; step < options_.live.size(); ++step) {
      options_.stop.Check();
      Evaluation said = Ask();
      const int live = std::min(options_.live[step], static_cast<int>(tracks_.size()));
      if (live < std::ssize(tracks_)) {
        Stop(live, said);
        said = Ask();
      }
      const bool is_due = step > 0 && step % static_cast<size_t>(options_.interval) == 0;
      if (is_due && Teach(said)) said = Ask();
      Advance(said, static_cast<int>(step) + 1);
    }
    Teach(Ask());
    return std::move(report_);
  }

 private:
  Evaluation Ask() const { return parts_.policy.ppo.network().Evaluate(rows_, masks_); }

  void Begin(std::vector<std::unique_ptr<EpisodeState>> starts) {
    SG_CHECK(!starts.empty() && options_.interval >= 1, "tracks, and steps between lessons");
    for (std::unique_ptr<EpisodeState>& episode : starts) {
      tracks_.push_back({static_cast<int>(tracks_.size()), std::move(episode)});
    }
    const std::vector<std::optional<double>> scores = See();
    for (size_t i = 0; i < tracks_.size(); ++i) {
      tracks_[i].score = scores[i];
      floor_ = std::max(floor_, kLeastShare * scores[i].value_or(0));
      Note(tracks_[i], 0, 0);
    }
  }

  // Writes observations and masks of all tracks. Returns their scores.
  std::vector<std::optional<double>> See() {
    const int count = static_cast<int>(tracks_.size());
    rows_.Resize(count);
    masks_.Resize(count);
    ParallelFor(
        count, options_.threads, [&](int track) { SeeOne(track); }, options_.stop);
    if (options_.learns) parts_.policy.inputs.Learn(rows_);
    parts_.policy.inputs.Apply(rows_);
    return Scores();
  }

  void SeeOne(int track) {
    const EpisodeState& episode = *tracks_[static_cast<size_t>(track)].episode;
    parts_.sight.Write(episode, rows_[track]);
    std::vector<int8_t> legal(static_cast<size_t>(parts_.actions.actions()));
    episode.WriteMask(legal);
    parts_.actions.WriteMask(legal, masks_[track]);
  }

  std::vector<std::optional<double>> Scores() const {
    std::vector<ScheduleState> states;
    std::vector<size_t> owners;
    for (size_t i = 0; i < tracks_.size(); ++i) {
      const Result<ScheduleState>& state = tracks_[i].episode->state();
      if (!state) continue;
      states.push_back(*state);
      owners.push_back(i);
    }
    const std::vector<std::optional<double>> evaluated = parts_.evaluator(states);
    SG_CHECK(evaluated.size() == states.size(), "a score for each state");
    std::vector<std::optional<double>> scores(tracks_.size());
    for (size_t i = 0; i < owners.size(); ++i) scores[owners[i]] = evaluated[i];
    return scores;
  }

  void Note(const Track& track, int step, double gain) {
    const Key place = PlaceKey(*track.episode);
    report_.visits.push_back(
        {track.episode->sketch(), track.episode->point(), place, track.score, step, gain});
  }

  // Stops all but the `live` most promising tracks.
  void Stop(int live, const Evaluation& said) {
    std::vector<double> promises;
    std::set<Key> places;
    for (size_t i = 0; i < tracks_.size(); ++i) {
      const Track& track = tracks_[i];
      promises.push_back(track.reward + options_.advantage.discount * said.values[i] - track.value);
      const bool is_new = !options_.distinct || places.insert(PlaceKey(*track.episode)).second;
      if (!is_new) promises.back() = -std::numeric_limits<double>::infinity();
    }
    const std::vector<int> survivors = Survivors(promises, live);
    std::vector<Track> kept;
    for (size_t i = 0, next = 0; i < tracks_.size(); ++i) {
      const bool survives = next < survivors.size() && survivors[next] == static_cast<int>(i);
      if (!survives) {
        rollout_.End(tracks_[i].number, said.values[i], options_.advantage);
        continue;
      }
      CopyRow(static_cast<int>(i), static_cast<int>(next++));
      kept.push_back(std::move(tracks_[i]));
    }
    tracks_ = std::move(kept);
    rows_.Resize(live);
    masks_.Resize(live);
  }

  void CopyRow(int from, int to) {
    if (from == to) return;
    std::ranges::copy(rows_[from], rows_[to].begin());
    std::ranges::copy(masks_[from], masks_[to].begin());
  }

  // Learns from all steps since the last update. Returns whether it learned.
  bool Teach(const Evaluation& said) {
    for (size_t i = 0; i < tracks_.size(); ++i) {
      rollout_.End(tracks_[i].number, said.values[i], options_.advantage);
    }
    const PolicySamples samples = rollout_.Take();
    if (!options_.learns || report_.diverged || samples.rows.rows() == 0) return false;
    report_.last_lesson = parts_.policy.ppo.Learn(samples);
    report_.diverged = !report_.last_lesson;
    ++report_.lessons;
    return true;
  }

  void Advance(const Evaluation& said, int step) {
    std::vector<TrackStep> steps;
    const RowBatch rows = rows_;
    const MaskBatch masks = masks_;
    for (int track = 0; track < std::ssize(tracks_); ++track) {
      steps.push_back({rows[track], masks[track], Choose(said, track)});
      const auto logs = said.log_probabilities[track];
      steps.back().log_probability =
          LogProbability(parts_.actions.heads(), logs, steps.back().values);
      steps.back().value = said.values[static_cast<size_t>(track)];
    }
    ParallelFor(
        static_cast<int>(tracks_.size()), options_.threads,
        [&](int track) {
          const auto i = static_cast<size_t>(track);
          parts_.actions.Act(steps[i].values, *tracks_[i].episode);
        },
        options_.stop);
    const std::vector<std::optional<double>> scores = See();
    for (size_t i = 0; i < tracks_.size(); ++i) Pay(tracks_[i], steps[i], scores[i], step);
  }

  HeadValues Choose(const Evaluation& said, int track) {
    const ActionHeads& heads = parts_.actions.heads();
    if (!options_.acts) return UniformValues(heads, masks_[track], rng_);
    return DrawValues(heads, said.log_probabilities[track], masks_[track], rng_);
  }

  void Pay(Track& track, const TrackStep& step, std::optional<double> score, int number) {
    double gain = 0;
    track.reward = kLost;
    if (score) {
      const double before = Speed(track.score), after = Speed(score);
      gain = std::log(after / before);
      track.reward = options_.reward == TrackReward::kRelative ? (after - before) / before : gain;
      track.score = score;
    }
    track.value = step.value;
    rollout_.Add(track.number, step, track.reward);
    ++report_.steps;
    report_.visits.push_back({track.episode->sketch(), track.episode->point(),
                              PlaceKey(*track.episode), score, number, gain});
  }

  double Speed(std::optional<double> score) const {
    const double least = floor_ > 0 ? floor_ : 1;
    return std::max(score.value_or(0), least);
  }

  const TrackRoundParts& parts_;
  const TrackRoundOptions& options_;
  Rng& rng_;
  Rollout rollout_;
  RowBatch rows_;  // of the live tracks, scaled
  MaskBatch masks_;
  std::vector<Track> tracks_;
  double floor_ = 0;
  TrackRoundReport report_;
};

}  // namespace

TrackRoundOptions RoundOptions(const HarlOptions& options) {
  TrackRoundOptions round = {.advantage = options.advantage,
                             .interval = options.interval,
                             .reward = options.reward,
                             .acts = options.acts,
                             .distinct = options.distinct};
  round.live = options.stops ? StoppedTracks(options.visits, options.stopping)
                             : SteadyTracks(options.visits, options.tracks);
  return round;
}

TrackRoundReport RunTracks(const TrackRoundParts& parts, const TrackRoundOptions& options,
                           std::vector<std::unique_ptr<EpisodeState>> starts, Rng& rng) {
  return Round(parts, options, rng).Run(std::move(starts));
}

PolicyFeatures::PolicyFeatures(int knobs) {
  const std::string most = std::to_string(std::clamp(knobs, 1, 1024));
  for (const std::string& spec : {std::string("ansor(pooled=true)"), "knobs(most=" + most + ")"}) {
    parts_.push_back(MakeObservation(ParseSpec(spec).value()));
    size_ += parts_.back()->size();
  }
}

void PolicyFeatures::Write(const EpisodeState& episode, std::span<float> numbers) const {
  SG_CHECK(std::ssize(numbers) == size_, "a row of its size");
  const Result<ScheduleState>& state = episode.state();
  if (!state) {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    return;
  }
  const ObservationContext context = {.task = state->task(), .episode = episode};
  size_t first = 0;
  for (const auto& part : parts_) {
    const auto size = static_cast<size_t>(part->size());
    part->Write(context, numbers.subspan(first, size));
    first += size;
  }
}

}  // namespace schedulegym
