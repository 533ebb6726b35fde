// ScorerTraining: a network learns to score programs, batch by batch.
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
  int threads = 1;  // changes nothing but the time
};

struct TrainedEpoch {
  int epoch = 0;                // from 1
  double loss = 0;              // mean of its batches
  std::optional<double> pairs;  // of held-out tasks: mean share of pairs in the right order
};

class ScorerTraining {
 public:
  // Throws InputError for a model that does not exist, and for rows that no loss can learn from:
  // without a program or with equal labels in each task.
  ScorerTraining(const Spec& model, ProgramRows rows, const ScorerTrainingOptions& options);
  ~ScorerTraining();

  // Begins with the weights and scales of a model of the same options and shape, before any batch.
  void BeginFrom(const ScorerModel& model);

  // One batch; the epoch that ended with it, if one did. Not once it is over. Interrupted leaves
  // everything as it was before the batch.
  std::optional<TrainedEpoch> Step(const StopToken& stop = {});

  bool is_over() const { return is_over_; }
  // A loss or gradient was not finite: it ended with the weights of the best epoch before.
  bool has_diverged() const { return has_diverged_; }
  int64_t batches_done() const;
  int64_t batches() const;  // of all epochs, as long as patience lasts

  // The weights to predict with, and all that Resume needs.
  Checkpoint State();
  // Makes this training what the other one was: from then on both give equal weights, to the bit.
  // Throws InputError where model, seed or programs are others.
  void Resume(const Checkpoint& checkpoint);

 private:
  struct Part;

  void HoldOut(Rng& rng);
  void BeginEpoch();
  TrainedEpoch EndEpoch();
  // Adds to the gradients; none where it is not finite.
  std::optional<double> AddGradients(std::span<const int> programs, const StopToken& stop);
  // The seed of a part's dropout.
  uint64_t NoiseOf(int part) const;
  void Descend();
  // Of the loss of these scores, into the gradients; the loss.
  double GoBackward(std::span<const int> programs, const at::Tensor& by_head) const;
  struct HeldOut {
    std::optional<double> pairs, loss;  // none without a pair, or a program
  };
  HeldOut EvaluateHeldOut();
  void Choose();
  void FitLine();
  std::string DataText() const;

  ProgramRows rows_;
  ScorerTrainingOptions options_;
  Rng rng_;                         // at the beginning of the epoch
  std::vector<int> learned_;        // programs
  std::vector<int> learned_lists_;  // what is compared, or with lists=tree the tree
  std::vector<float> learned_labels_;
  std::vector<int> held_out_;  // programs, task after task
  ScorerModel chosen_;         // of the best epoch
  std::unique_ptr<Scorer> current_;
  std::optional<Adam> adam_;
  WaitingThreads crew_;
  std::vector<std::vector<int>> order_;  // of the epoch: positions in learned_
  int64_t epoch_ = 0, batch_ = 0;        // ended
  double epoch_loss_ = 0;
  std::optional<double> best_;
  int64_t epochs_since_best_ = 0;
  bool is_over_ = false, has_diverged_ = false;
};

// Trains to the end, or until `goes_on` is false, asked before each batch. The bytes of a file of
// kind kScorerKind.
std::string TrainScorer(const Spec& model, const ProgramSet& programs,
                        const ScorerTrainingOptions& options, const StopToken& stop = {},
                        const std::function<bool(const ScorerTraining&)>& goes_on = {});

}  // namespace schedulegym
