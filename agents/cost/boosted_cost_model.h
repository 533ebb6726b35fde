// BoostedCostModel: Ansor's cost model: boosted trees over the features of stored buffers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "agents/cost/boosted_trees.h"
#include "agents/parallel.h"
#include "env/base/hash.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// When it trains anew, from nothing, on all it has seen: before it judges, if
enum class TrainingCadence {
  kAlways,    // anything is new, as published
  kAdaptive,  // there is a fifth more than last time (TVM's adaptive_training)
};

// By what it knows a schedule.
enum class ModelFeatures {
  kAnsor,      // Ansor's, as published
  kEstimated,  // those, and the analytical estimate's
};

// What its trees are trained on: the part of the best speed of a task, as published, or the
// logarithm of it, which is minus log-seconds, each success with the same weight.
enum class BoostedLabel : uint8_t { kSpeed, kLogSeconds };

// One model for all tasks. Judges nothing before it has learned. Scores are parts of the speed of
// the best that it knew of a task at its last training, or knows now where it knew none, which
// tells seconds where there is one; their spread is the disagreement of the trees' beginnings
// (BoostedTrees::Scored).
class BoostedCostModel : public CostModel {
 public:
  BoostedCostModel(TrainingCadence cadence, const BoostingOptions& options,
                   ModelFeatures features = ModelFeatures::kAnsor, const StopToken& stop = {},
                   BoostedLabel label = BoostedLabel::kSpeed)
      : cadence_(cadence), options_(options), features_(features), stop_(stop), label_(label) {}

  // Begins with trees that were saved. A training, which knows nothing of what they were trained
  // on, replaces them once it has at least so many samples. Throws InputError.
  void Load(const std::string& path, int least_samples = 1);
  // The same of a text that ToText made.
  void LoadText(std::string_view text, int least_samples = 1);
  // Learns whatever `other` has learned, too, of a schedule that both know what that one has.
  void Add(const BoostedCostModel& other);
  // The trees as they are, and on how many samples they were trained; none where there are none.
  struct Trained {
    std::string trees;
    int samples = 0;
  };
  std::optional<Trained> trained() const;
  // Makes them what they were, of a model that has learned the same. Throws InputError.
  void GoOn(const Trained& trained);
  // Trees to be loaded again, trained on all samples if these are enough; none where there are
  // none.
  std::optional<std::string> ToText();

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  // Nothing is trained for what it hears of a schedule again.
  void Learn(std::span<const MeasuredState> measured) override;
  // Trains on whatever is new, if that is enough, whatever the cadence.
  void TrainNow();
  // How often it was trained, and on how many samples it would be now.
  int trainings() const { return trainings_; }
  int samples() const { return seen_; }

 private:
  struct Sample {
    Key key;
    std::optional<double> seconds;
    std::vector<float> features;
    std::optional<ScheduleState> state;  // until its features are asked for, by a training
  };
  // What was measured of one task.
  struct TaskData {
    std::map<Key, size_t> numbers;  // of its schedules among the samples
    std::vector<Sample> samples;    // in the order of learning
    std::optional<double> least;
    std::optional<double> trained_least;  // at the last training, of trees that it trained itself
  };

  FeatureMatrix EmptyMatrix() const;
  bool MayTrain() const { return seen_ > seen_at_training_ && seen_ >= least_samples_; }
  bool IsDue() const;
  void Learn(TaskData& task, Sample sample);
  void Train(const StopToken& stop);
  void DescribeSamples(const StopToken& stop);
  // By trees that there are.
  std::vector<BoostedTrees::Scored> Scores(std::span<const StateFeatures> states) const;
  // The seconds that scores of the task are parts of; none where nothing of it succeeded.
  std::optional<double> Least(const Key& task) const;

  TrainingCadence cadence_;
  BoostingOptions options_;
  ModelFeatures features_;
  StopToken stop_;
  BoostedLabel label_;
  std::map<Key, TaskData> tasks_;
  int least_samples_ = 1;
  int seen_ = 0;
  int seen_at_training_ = 0;
  int trainings_ = 0;
  WaitingThreads threads_;
  std::optional<BoostedTrees> trees_;
};

}  // namespace schedulegym
