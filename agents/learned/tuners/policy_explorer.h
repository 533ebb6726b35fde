// PolicyExplorer: a policy walks tracks over places, and learns from a surrogate's scores.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "agents/learned/policy/ppo.h"
#include "agents/learned/rollout.h"
#include "agents/plan/best_places.h"

namespace schedulegym {

// Chameleon's (Ahn et al., ICLR 2020; anony-sub/chameleon, rl_optimizer.py).
struct PolicyExplorerOptions {
  int episodes = 128;
  int steps = 500;
  int batch = 32;     // rows of a step of learning
  int lessons = 3;    // such steps after an episode
  int hidden = 20;    // width of the two layers of actor and critic
  double end = 0.75;  // share of the knobs that stay where an episode ends
  double rate = 1e-3;
  // All episodes walk side by side and teach once; published are episodes one after another, each
  // of which teaches.
  bool is_together = true;
  bool pays_gain = true;  // of the score by each step; published is the score of each place
  double leaders = 0.25;  // share of the episodes that start at the best measured; published 0
  double clip = 0.2;      // of PPO, as published, and so are these
  double entropy = 0.3;
  double temperature = 1;         // of the heads; published 0.1
  double adam_eps = 1e-8;         // published 1e-5
  double longest_gradient = 0.5;  // 0, as published: not cut
  AdvantageOptions advantage = {.discount = 0.9, .lambda = 0.99};
};

// Whether an episode ends: at least this share of the knobs stayed or are at a border.
bool EndsEpisode(int still, int knobs, double share = 0.75);

class PolicyExplorer : public Explorer {
 public:
  explicit PolicyExplorer(const PolicyExplorerOptions& options) : options_(options) {}

  std::vector<ScoredPlace> Explore(const PlaceBook& book, Surrogate& surrogate, int count,
                                   Rng& rng) override;

 private:
  struct Track {
    FieldPlace place;
    double score = 0;
    bool has_ended = false;
  };

  void MakePolicy(const KnobField& field, Rng& rng);
  std::vector<FieldPlace> Starts(const PlaceBook& book, Rng& rng) const;
  void RunEpisodes(const PlaceBook& book, Surrogate& surrogate, std::span<const FieldPlace> starts,
                   BestPlaces& best, Rng& rng);
  // One step of all tracks that have not ended; false where there is none.
  bool Step(const PlaceBook& book, Surrogate& surrogate, std::vector<Track>& tracks,
            Rollout& rollout, BestPlaces& best, Rng& rng);
  // One move of all knobs at once; counts those that stay.
  FieldPlace Moved(const KnobField& field, const FieldPlace& from, const HeadValues& values,
                   int& still) const;
  void FillMask(const KnobField& field, const FieldPlace& place, std::span<uint8_t> mask) const;
  void Teach(PolicySamples samples, Rng& rng);

  PolicyExplorerOptions options_;
  std::map<int, int> heads_;  // by column of a knob
  std::optional<Ppo> policy_;
};

}  // namespace schedulegym
