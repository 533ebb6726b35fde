// Lessons: PPO on tracks of a small environment in lock step, as in HARL.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "agents/learned/policy/ppo.h"
#include "agents/learned/rollout.h"

namespace schedulegym {

// The environment of one track: rows, masks and rewards.
class SmallWorld {
 public:
  virtual ~SmallWorld() = default;
  virtual NetworkShape Shape() const = 0;
  virtual void Start(Rng& rng) = 0;
  virtual void See(std::span<float> row, std::span<uint8_t> mask) const = 0;
  // Returns the reward.
  virtual double Act(const HeadValues& values, Rng& rng) = 0;
  virtual bool HasEnded() const { return false; }
};

// Tracks in lock step, with `steps` steps between two updates, as in HARL.
template <typename World>
class Lessons {
 public:
  Lessons(const World& world, int tracks, int steps, const PpoOptions& options, uint64_t seed)
      : steps_(steps),
        rng_(seed),
        worlds_(static_cast<size_t>(tracks), world),
        ppo_(world.Shape(), options, Rng(seed)) {
    for (World& each : worlds_) each.Start(rng_);
  }

  const ActorCritic& network() const { return ppo_.network(); }

  void Learn(int lessons, const AdvantageOptions& advantage) {
    for (int lesson = 0; lesson < lessons; ++lesson) ASSERT_TRUE(ppo_.Learn(Collect(advantage)));
  }

 private:
  struct Seen {
    RowBatch rows;
    MaskBatch masks;
  };

  Seen See() const {
    const NetworkShape& shape = network().shape();
    const int tracks = static_cast<int>(worlds_.size());
    Seen seen = {RowBatch(shape.inputs, tracks), MaskBatch(shape.heads.columns(), tracks)};
    for (int track = 0; track < tracks; ++track) {
      worlds_[static_cast<size_t>(track)].See(seen.rows[track], seen.masks[track]);
    }
    return seen;
  }

  // Ended worlds restart; the steps of each track are a separate path.
  PolicySamples Collect(const AdvantageOptions& advantage) {
    Rollout rollout(network().shape().inputs, network().shape().heads);
    const int tracks = static_cast<int>(worlds_.size());
    for (int step = 0; step < steps_; ++step) {
      const Seen seen = See();
      const Evaluation said = network().Evaluate(seen.rows, seen.masks);
      for (int track = 0; track < tracks; ++track) {
        Advance(track, seen, said, rollout);
        World& world = worlds_[static_cast<size_t>(track)];
        if (!world.HasEnded()) continue;
        rollout.End(track, 0, advantage);
        world.Start(rng_);
      }
    }
    const std::vector<float> values = network().Values(See().rows);
    for (int track = 0; track < tracks; ++track) {
      rollout.End(track, values[static_cast<size_t>(track)], advantage);
    }
    return rollout.Take();
  }

  void Advance(int track, const Seen& seen, const Evaluation& said, Rollout& rollout) {
    const ActionHeads& heads = network().shape().heads;
    const auto logs = said.log_probabilities[track];
    TrackStep step = {seen.rows[track], seen.masks[track]};
    step.values = DrawValues(heads, logs, step.mask, rng_);
    step.log_probability = LogProbability(heads, logs, step.values);
    step.value = said.values[static_cast<size_t>(track)];
    rollout.Add(track, step, worlds_[static_cast<size_t>(track)].Act(step.values, rng_));
  }

  int steps_;
  Rng rng_;
  std::vector<World> worlds_;
  Ppo ppo_;
};

struct Said {
  MaskBatch mask;
  RowBatch log_probabilities;
  float value = 0;
};

template <typename World>
Said Ask(const ActorCritic& network, const World& world) {
  RowBatch row(network.shape().inputs, 1);
  MaskBatch mask(network.shape().heads.columns(), 1);
  world.See(row[0], mask[0]);
  const Evaluation evaluation = network.Evaluate(row, mask);
  return {mask, evaluation.log_probabilities, evaluation.values[0]};
}

}  // namespace schedulegym
