// ScorerTraining: trains a network to score programs, batch by batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/learned/policy/adam.h"
#include "agents/learned/scorer/program_rows.h"
#include "agents/learned/scorer/scorer_checkpoint.h"
#include "agents/parallel.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"

namespace schedulegym {

struct ScorerTrainingOptions {
  uint64_t seed = 0;
  int threads = 1;  // results do not depend on it
};

struct TrainedEpoch {
  int epoch = 0;                // from 1
  double loss = 0;              // mean of its batches
  std::optional<double> pairs;  // of held-out tasks: mean share of pairs in the right order
};

class ScorerTraining {
 public:
  // Throws InputError for an unknown model, and for rows that no loss can use: no programs, or
  // equal labels in each task.
  ScorerTraining(const Spec& model, ProgramRows rows, const ScorerTrainingOptions& options);
  ~ScorerTraining();

  // Sets weights and scales of a model of the same options and shape. Call it before any batch.
  void BeginFrom(const ScorerModel& model);

  // Trains one batch. Returns the epoch if it ended with this batch. Requires !is_over(). After
  // Interrupted the state is that before the batch.
  std::optional<TrainedEpoch> Step(const StopToken& stop = {});

  bool is_over() const { return is_over_; }
  // True if a loss or gradient was not finite: the weights are those of the best epoch before.
  bool has_diverged() const { return has_diverged_; }
  int64_t batches_done() const;
  int64_t batches() const;  // of all epochs, without early stopping

  // The chosen weights, and the state for Resume.
  Checkpoint State();
  // Restores a training: from then on both give equal weights, to the bit. Throws InputError if
  // model, seed or programs differ.
  void Resume(const Checkpoint& checkpoint);

 private:
  struct Part;

  void HoldOut(Rng& rng);
  void BeginEpoch();
  TrainedEpoch EndEpoch();
  // Adds gradients. Returns the loss; nullopt if loss or gradients are not finite.
  std::optional<double> AddGradients(std::span<const int> programs, const StopToken& stop);
  // The seed of a part's dropout.
  uint64_t NoiseOf(int part) const;
  void Descend();
  // Propagates the gradient of these scores' loss. Returns the loss.
  double GoBackward(std::span<const int> programs, const at::Tensor& by_head) const;
  struct HeldOut {
    std::optional<double> pairs, loss;  // nullopt without pairs, or programs
  };
  HeldOut EvaluateHeldOut();
  void Choose();
  void FitLine();
  std::string DataText() const;

  ProgramRows rows_;
  ScorerTrainingOptions options_;
  Rng rng_;                         // at the beginning of the epoch
  std::vector<int> learned_;        // programs
  std::vector<int> learned_lists_;  // group of comparison; with lists=tree the tree
  std::vector<float> learned_labels_;
  std::vector<int> held_out_;  // programs, task after task
  ScorerModel chosen_;         // of the best epoch
  std::unique_ptr<Scorer> current_;
  std::optional<Adam> adam_;
  WaitingThreads crew_;
  std::vector<std::vector<int>> order_;  // of this epoch: positions in learned_
  int64_t epoch_ = 0, batch_ = 0;        // ended
  double epoch_loss_ = 0;
  std::optional<double> best_;
  int64_t epochs_since_best_ = 0;
  bool is_over_ = false, has_diverged_ = false;
};

// Trains to the end, or until `goes_on`, called before each batch, returns false. Returns the bytes
// of a file of kind kScorerKind.
std::string TrainScorer(const Spec& model, const ProgramSet& programs,
                        const ScorerTrainingOptions& options, const StopToken& stop = {},
                        const std::function<bool(const ScorerTraining&)>& goes_on = {});

}  // namespace schedulegym
