// Tuner options: the options of the learned tuners, without LibTorch.
#pragma once

#include <string>

#include "agents/agent.h"
#include "agents/plan/plan_options.h"
#include "agents/plan/synthesis.h"

namespace schedulegym {

inline constexpr const char* kNa2cParameters =
    "mode=improved, states=6, steps=3, epsilon=0.1, elite=8, others=true, sign=paper, reward=log, "
    "masked=true, start=random, rate=0.001, hidden=128, retries=1000";
inline constexpr const char* kNa2cDescription =
    "an actor and its critic walk from the fastest places by moves of factors between levels of "
    "tiles; mode=faithful is the published one";
inline constexpr const char* kChameleonParameters =
    "mode=improved, explorer=ppo, choose=kmeans, synthesis=mode, plan=64, early=16, epsilon=0.05, "
    "local=0.2, labels=log, episodes=128, steps=50, batch=32, rate=0.001, reward=gain, "
    "together=true, leaders=0.25, clip=0.2, entropy=0.3, gamma=0.9, lambda=0.99, temperature=1.0, "
    "adam_eps=1e-08, max_grad_norm=0.5, lessons=3, hidden=20, end=0.75, threshold=2.5, "
    "clusters=all, passes=100, spare=2, chains=128, scaled=true, persistent=true, retries=1000";
inline constexpr const char* kChameleonDescription =
    "a policy walks under regression trees, and of what it finds the centres of clusters are "
    "measured; mode=faithful is the published one";

inline constexpr const char* kValueParameters =
    "model=pretrained_stages, width=1, draws=512, retries=1000";
inline constexpr const char* kValueDescription =
    "decides stage by stage by a network of train stages, greedily or by a beam, and "
    "measures what that ends in (Steiner's value learning)";

// N-A2C's (Zhang et al., "Compiler-level matrix multiplication optimization", 2019; microsoft/nni,
// opevo/src/algorithms/na2c.py).
struct Na2cOptions {
  bool pays_logarithm = true;  // of speed over the best before; published: GFLOP per second
  bool is_masked = true;       // draws no illegal moves; published: such moves stay
  bool starts_at_origin = false;
  int states = 6;  // collected for each update
  int steps = 3;   // of a walk
  double epsilon = 0.1;
  int elite = 8;             // number of fastest places to start from; published: 1
  bool moves_others = true;  // also moves knobs that are not tiles; published: false
  bool has_code_sign = false;
  double rate = 1e-3;
  int hidden = 128;
};
// Throws InputError, as does ReadChameleonOptions.
Na2cOptions ReadNa2cOptions(SpecReader& reader, const std::string& who);

// Chameleon's (Ahn et al., ICLR 2020; anony-sub/chameleon).
struct ChameleonOptions {
  bool walks_by_policy = true;  // else by annealing
  bool has_clusters = true;     // else measures the best found
  Synthesis synthesis = Synthesis::kMode;
  bool clusters_all = true;  // by all knobs; published: the two with most values
  PlanOptions plan;
  AnnealingChains chains;
  bool has_log_labels = true;
  int episodes = 128;
  int steps = 500;
  int batch = 32;
  double rate = 1e-3;
  bool pays_gain = true, is_together = true;
  double leaders = 0.25;
  double clip = 0.2, entropy = 0.3, gamma = 0.9, lambda = 0.99;  // of PPO
  double temperature = 1, adam_eps = 1e-8, longest_gradient = 0.5;
  int lessons = 3, hidden = 20;
  double end = 0.75;
  int passes = 100;        // of k-means
  double threshold = 2.5;  // loss of the clusters before over that of more clusters
};
ChameleonOptions ReadChameleonOptions(SpecReader& reader);

struct ValueOptions {
  std::string model = "pretrained_stages";  // or the file of `train stages`
  int width = 1;                            // prefixes kept after each stage
  int draws = 512;                          // random schedules to decide stages by; 0: by knobs
  int64_t retries = 1000;
};
// Reads a whole spec.
ValueOptions ReadValueOptions(const Spec& spec);

// Check a whole spec, so that errors are reported before a process starts.
void CheckNa2cSpec(const Spec& spec);
void CheckChameleonSpec(const Spec& spec);

}  // namespace schedulegym
