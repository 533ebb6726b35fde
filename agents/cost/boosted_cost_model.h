// BoostedCostModel: Ansor's cost model: boosted trees over the features of stored buffers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "agents/cost/boosted_trees.h"
#include "agents/parallel.h"
#include "env/base/hash.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// When Predict trains new trees before it predicts, from scratch and on all samples:
enum class TrainingCadence {
  kAlways,    // if any sample is new, as published
  kAdaptive,  // if samples grew by a fifth since the last training (TVM's adaptive_training)
};

// The features of a schedule that the trees read.
enum class ModelFeatures {
  kAnsor,      // Ansor's, as published
  kEstimated,  // those, and the analytical estimate's
};

// The training label. kSpeed: speed as a share of the task's best, as published. kLogSeconds: its
// logarithm, which is minus log-seconds; each success has the same weight. kCorrection: the
// logarithm of the speed over that of the analytical estimate, centred for each task. Its weight is
// the root of kSpeed's label; the trees need not learn what the estimate predicts.
enum class BoostedLabel : uint8_t { kSpeed, kLogSeconds, kCorrection };

// How training uses loaded trees, whose samples are not available: new trees replace them, or are
// added to correct them.
enum class BoostedAdaptation : uint8_t { kReplace, kResidual };

struct BoostedModelOptions {
  TrainingCadence cadence = TrainingCadence::kAlways;
  BoostingOptions trees;
  ModelFeatures features = ModelFeatures::kAnsor;
  BoostedLabel label = BoostedLabel::kSpeed;
  // For loaded trees: the method, and the least number of samples for a training.
  BoostedAdaptation adaptation = BoostedAdaptation::kReplace;
  int adapted_from = 1;
};

// Number of samples from which on trees trained in a search predict better than saved ones.
inline constexpr int kReplacedFrom = 101;

// Options for a search. `quick`: few shallow trees, trained adaptively, that replace loaded ones
// from kReplacedFrom samples on. Otherwise as published, trained before each prediction.
BoostedModelOptions TreesOfSearch(bool quick, ModelFeatures features);

// One model for all tasks. Predicts nothing before the first training. Scores are shares of the
// task's best speed at the last training, or of its best so far if it had none then. That best
// gives the seconds; without it there are none. With kCorrection scores are runs per second. The
// spread is that of the ensemble's prefixes (BoostedTrees::Scored).
class BoostedCostModel : public LearningModel, public ModelState {
 public:
  explicit BoostedCostModel(const BoostedModelOptions& options, const StopToken& stop = {})
      : options_(options), stop_(stop) {}

  // Starts from the saved trees of a file, and takes over their label. Throws InputError.
  void LoadFile(const std::string& path);
  // Starts from the trees of a text that ToText returned.
  void Load(std::string_view text) override;
  // Adds the samples of `other`. For a schedule in both models the seconds of `other` are kept.
  void Add(const BoostedCostModel& other);
  // The current trees and the number of samples they were trained on; nullopt without trees.
  struct Trained {
    std::string trees;
    int samples = 0;
  };
  std::optional<Trained> trained() const;
  // Restores the trees in a model that has the same samples. Throws InputError.
  void GoOn(const Trained& trained);
  // The trees as text for Load, first trained on all samples if these are enough; nullopt without
  // trees.
  std::optional<std::string> ToText();

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  // A repeated schedule updates its sample, but does not make a training due.
  void Learn(std::span<const MeasuredState> measured) override;
  ModelState* memory() override { return this; }
  TrainingProgress progress() const override { return {trees_.has_value(), seen_, trainings_}; }
  void TrainNow() override;
  std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const override;

 private:
  struct Sample {
    Key key;
    std::optional<double> seconds;
    std::vector<float> features;
    std::optional<ScheduleState> state;  // until a training computes its features
  };
  // The measurements of one task.
  struct TaskData {
    std::map<Key, size_t> numbers;  // positions of schedules in `samples`
    std::vector<Sample> samples;    // in the order of learning
    std::optional<double> least;
    std::optional<double> trained_least;  // at the last training in this model
  };

  std::string Kind() const override { return kBoostedKind; }
  std::optional<std::string> Save() override { return ToText(); }

  FeatureMatrix EmptyMatrix() const;
  bool MayTrain() const {
    return seen_ > seen_at_training_ && seen_ >= (was_loaded_ ? options_.adapted_from : 1);
  }
  bool IsDue() const;
  void Learn(TaskData& task, Sample sample);
  void Train(const StopToken& stop);
  void DescribeSamples(const StopToken& stop);
  // The target value of a sample and its weight in the loss, which is 0 for a failure.
  struct Label {
    double value = 0, weight = 0;
  };
  std::vector<Label> LabelsOf(const TaskData& task) const;
  // Requires trees.
  std::vector<BoostedTrees::Scored> Scores(std::span<const StateFeatures> states) const;
  // Converts a score to seconds; `least` is Least() of the task.
  std::optional<double> SecondsOf(double score, std::optional<double> least) const;
  // Seconds at which a score is 1; nullopt if no sample of the task succeeded.
  std::optional<double> Least(const Key& task) const;

  BoostedModelOptions options_;
  StopToken stop_;
  std::map<Key, TaskData> tasks_;
  bool was_loaded_ = false;
  int seen_ = 0;
  int seen_at_training_ = 0;
  int trainings_ = 0;
  WaitingThreads threads_;
  std::optional<BoostedTrees> trees_;
  std::optional<BoostedTrees> base_;  // loaded trees, which kResidual corrects
};

}  // namespace schedulegym
