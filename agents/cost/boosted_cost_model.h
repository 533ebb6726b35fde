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

// What its trees are trained on: the part of the best speed of a task, as published; the logarithm
// of it, which is minus log-seconds, each success with the same weight; or how much faster than the
// analytical estimate says, as a logarithm, centred for each task, with the root of the part of the
// best speed as weight. What the estimate knows need not be learned then.
enum class BoostedLabel : uint8_t { kSpeed, kLogSeconds, kCorrection };

// What a training does with trees that were loaded, of whose samples it knows nothing: new ones
// take their place, or new ones are added that correct them.
enum class BoostedAdaptation : uint8_t { kReplace, kResidual };

struct BoostedModelOptions {
  TrainingCadence cadence = TrainingCadence::kAlways;
  BoostingOptions trees;
  ModelFeatures features = ModelFeatures::kAnsor;
  BoostedLabel label = BoostedLabel::kSpeed;
  // Of trees that were loaded, and samples from which on a training changes them.
  BoostedAdaptation adaptation = BoostedAdaptation::kReplace;
  int adapted_from = 1;
};

// Samples from which on trees that a search trained are worth more than saved ones.
inline constexpr int kReplacedFrom = 101;

// The trees of a search: few and shallow, trained now and then, in the place of saved ones from
// kReplacedFrom on; or as published, trained always.
BoostedModelOptions TreesOfSearch(bool quick, ModelFeatures features);

// One model for all tasks. Judges nothing before it has learned. Scores are parts of the speed of
// the best that it knew of a task at its last training, or knows now where it knew none, which
// tells seconds where there is one; of kCorrection they are runs a second; their spread is the
// disagreement of the trees' beginnings (BoostedTrees::Scored).
class BoostedCostModel : public LearningModel, public ModelState {
 public:
  explicit BoostedCostModel(const BoostedModelOptions& options, const StopToken& stop = {})
      : options_(options), stop_(stop) {}

  // Begins with the trees of a file that were saved, whose label it takes over. Throws InputError.
  void LoadFile(const std::string& path);
  // With those of a text that ToText made.
  void Load(std::string_view text) override;
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
    std::optional<ScheduleState> state;  // until its features are asked for, by a training
  };
  // What was measured of one task.
  struct TaskData {
    std::map<Key, size_t> numbers;  // of its schedules among the samples
    std::vector<Sample> samples;    // in the order of learning
    std::optional<double> least;
    std::optional<double> trained_least;  // at the last training, of trees that it trained itself
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
  // What the trees are to predict of a task's samples, and its weight; no weight of a failure.
  struct Label {
    double value = 0, weight = 0;
  };
  std::vector<Label> LabelsOf(const TaskData& task) const;
  // By trees that there are.
  std::vector<BoostedTrees::Scored> Scores(std::span<const StateFeatures> states) const;
  // Of the seconds that the task's scores are parts of.
  std::optional<double> SecondsOf(double score, std::optional<double> least) const;
  // The seconds that scores of the task are parts of; none where nothing of it succeeded.
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
  std::optional<BoostedTrees> base_;  // that were loaded, and are corrected
};

}  // namespace schedulegym
