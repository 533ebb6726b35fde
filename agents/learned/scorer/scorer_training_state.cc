// The state of a training: the chosen model's entries (scorer_checkpoint.h), and under `training.`
// the current weights, Adam's moments, the stream at the epoch's beginning, counts (epochs, batches
// of the epoch, epochs since the best, Adam's steps, over, diverged), sums (loss of the epoch, the
// best value), and a digest of the programs. Equal states give bit-identical weights.
#include <bit>
#include <utility>

#include "agents/learned/checkpoint_parts.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/score_line.h"
#include "agents/learned/scorer/scorer_training.h"
#include "env/base/fault.h"
#include "env/base/hash.h"

namespace schedulegym {
namespace {

constexpr size_t kMostForLine = 4096;  // programs for the line from scores to labels

}  // namespace

void ScorerTraining::FitLine() {
  std::vector<int> programs, tasks;
  std::vector<float> labels;
  const size_t stride = std::max<size_t>(1, learned_.size() / kMostForLine);
  for (size_t i = 0; i < learned_.size(); i += stride) {
    programs.push_back(learned_[i]);
    tasks.push_back(rows_.tasks[static_cast<size_t>(learned_[i])]);
    labels.push_back(static_cast<float>(
        rows_.SpeedOf(chosen_.options.label, rows_.labels[static_cast<size_t>(learned_[i])])));
  }
  const std::vector<float> scores =
      ScorePrograms(*chosen_.scorer, rows_, programs, chosen_.scale, options_.threads);
  chosen_.line = FitScoreLine(scores, labels, tasks);
}

// Returns a text of everything that must be equal to resume a training.
std::string ScorerTraining::DataText() const {
  Hasher hasher;
  for (const float value : rows_.labels) hasher.Add(std::bit_cast<uint32_t>(value));
  for (const int task : rows_.tasks) hasher.Add(static_cast<uint64_t>(task));
  for (const float value : rows_.values) hasher.Add(std::bit_cast<uint32_t>(value));
  return std::to_string(rows_.size()) + " programs, seed " + std::to_string(options_.seed) +
         ", digest " + hasher.KeyValue().ToText();
}

Checkpoint ScorerTraining::State() {
  if (epoch_ == 0 && !has_diverged_) Choose();
  FitLine();
  Checkpoint checkpoint;
  PutScorer(checkpoint, chosen_);
  checkpoint.Put("training.data", DataText());
  PutTensors(checkpoint, "training.weights", current_->parameters());
  PutTensors(checkpoint, "training.buffers", current_->buffers());
  if (adam_) {
    PutTensors(checkpoint, "training.first", adam_->first_moments());
    PutTensors(checkpoint, "training.second", adam_->second_moments());
  }
  PutRng(checkpoint, "training.rng", rng_);
  const auto word = [](int64_t value) { return static_cast<uint64_t>(value); };
  checkpoint.Put("training.counts",
                 Checkpoint::Words{{6},
                                   {word(epoch_), word(batch_), word(epochs_since_best_),
                                    word(adam_ ? adam_->steps() : 0), word(is_over_ ? 1 : 0),
                                    word(has_diverged_ ? 1 : 0)}});
  std::vector<double> sums = {epoch_loss_};
  if (best_) sums.push_back(*best_);
  checkpoint.Put("training.sums", Checkpoint::Doubles{{std::ssize(sums)}, sums});
  return checkpoint;
}

void ScorerTraining::Resume(const Checkpoint& checkpoint) {
  const auto check = [](const char* what, const std::string& found, const std::string& expected) {
    if (found == expected) return;
    throw InputError(std::string("the checkpoint's ") + what + ": found " + found + ", expected " +
                     expected);
  };
  check("model", checkpoint.Text("model"), chosen_.spec.ToText());
  check("data", checkpoint.Text("training.data"), DataText());
  const std::vector<uint64_t>& counts = checkpoint.WordsOf("training.counts");
  const std::vector<double>& sums = checkpoint.Numbers("training.sums");
  const bool fits = counts.size() == 6 && counts[1] < order_.size() && counts[0] < (1U << 30) &&
                    (sums.size() == 1 || sums.size() == 2);
  if (!fits) throw InputError("the checkpoint's counts are no place in a training");
  ScorerModel chosen = ReadScorer(checkpoint);
  rng_ = ReadRng(checkpoint, "training.rng");
  FillTensors(checkpoint, "training.weights", current_->parameters());
  FillTensors(checkpoint, "training.buffers", current_->buffers());
  if (adam_) {
    FillTensors(checkpoint, "training.first", adam_->first_moments());
    FillTensors(checkpoint, "training.second", adam_->second_moments());
    adam_->set_steps(static_cast<int64_t>(counts[3]));
  }
  chosen_ = std::move(chosen);
  BeginEpoch();
  epoch_ = static_cast<int64_t>(counts[0]);
  batch_ = static_cast<int64_t>(counts[1]);
  epochs_since_best_ = static_cast<int64_t>(counts[2]);
  is_over_ = counts[4] != 0;
  has_diverged_ = counts[5] != 0;
  epoch_loss_ = sums[0];
  best_ = sums.size() == 2 ? std::optional(sums[1]) : std::nullopt;
}

}  // namespace schedulegym
