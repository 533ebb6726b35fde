// How a network that was trained on other tasks learns in a search:
//   tune: its current weights are trained for some more epochs (TenSet: Zheng et al., NeurIPS 2021
//     Datasets, fine-tunes by ten steps of plain descent);
//   momentum: the weights that predict, T, begin as the slow ones, S, at each training; then S
//     becomes m S + (1 - m) T (Pruner: Gu et al., ASPLOS 2025; its code has m = 0.99).
// A training is due after a fifth more measured schedules than at the last one, and at least 16
// more, or by the model's options (NetworkTuning). Labels are shares of the task's best speed so
// far. The seed is the number of the training. Cost: of a training 10 * samples forward and
// backward passes.
#include "agents/learned/scorer/adapting_model.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "agents/cost/same_kind.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/scorer/scorer_training.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

ScorerModel CopyOf(const ScorerModel& model) {
  Checkpoint checkpoint;
  PutScorer(checkpoint, model);
  return ReadScorer(checkpoint);
}

// Returns the spec with the options of a training in a search.
Spec TrainingSpec(Spec spec, const NetworkTuning& tuning) {
  std::vector<std::pair<const char*, SpecValue>> own = {
      {"epochs", SpecValue{int64_t{tuning.epochs}}},
      {"patience", SpecValue{int64_t{tuning.epochs}}},
      {"held_out", SpecValue{int64_t{0}}}};
  if (tuning.rate > 0) own.emplace_back("rate", SpecValue{tuning.rate});
  if (tuning.method != TuningMethod::kSame) {
    const bool is_sgd = tuning.method == TuningMethod::kSgd;
    own.emplace_back("optimiser", SpecValue{Spec{is_sgd ? "sgd" : "adam", {}}});
    if (is_sgd) own.emplace_back("decay", SpecValue{int64_t{0}});
  }
  for (const auto& option : own) {
    std::erase_if(spec.options, [&](const SpecOption& one) { return one.key == option.first; });
    spec.options.push_back({option.first, option.second});
  }
  return spec;
}

class AdaptingModel : public LearningModel, private ModelState {
 public:
  AdaptingModel(ScorerModel model, const StopToken& stop) : slow_(std::move(model)), stop_(stop) {
    Predictor(CopyOf(slow_));
  }

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    if (IsDue()) Train();
    return predictor_->Predict(states);
  }

  void Learn(std::span<const MeasuredState> measured) override {
    for (const MeasuredState& one : measured) {
      TaskSamples& task = tasks_[TaskKey(one.state.task())];
      if (!task.task) task.task = one.state.shared_task();
      const auto [sample, is_new] = task.samples.try_emplace(one.key);
      sample->second = {one.state, {}, one.seconds};
      if (is_new) ++samples_;
      ++seen_;
    }
  }

  ModelState* memory() override { return this; }
  TrainingProgress progress() const override { return {true, samples_, trainings_}; }
  void TrainNow() override {
    if (Learns() && seen_ > seen_at_training_) Train();
  }

  std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const override {
    auto all = std::make_unique<AdaptingModel>(CopyOf(slow_), stop_);
    all->saved_ = saved_;
    all->Add(*this);
    for (const LearningModel* other : others) {
      all->Add(SameKind(*this, *other));
    }
    return all;
  }

 private:
  struct Sample {
    std::optional<ScheduleState> state;  // until it is described
    ProgramValues values;
    std::optional<double> seconds;
  };
  struct TaskSamples {
    std::shared_ptr<const Task> task;
    std::map<Key, Sample> samples;
  };

  std::string Kind() const override { return kScorerKind; }
  std::optional<std::string> Save() override {
    TrainNow();
    return saved_.empty() ? std::nullopt : std::optional(saved_);
  }
  void Load(std::string_view text) override {
    slow_ = ReadScorer(ParseCheckpoint(text, "model"));
    Predictor(CopyOf(slow_));
    saved_ = text;
  }

  bool Learns() const { return slow_.options.adaptation != NetworkAdaptation::kNone; }
  bool IsDue() const {
    const int64_t more = seen_ - seen_at_training_;
    const NetworkTuning& tuning = slow_.options.tuning;
    return Learns() && more >= tuning.least_new &&
           (tuning.part == 0 || more * tuning.part >= seen_at_training_);
  }

  void Predictor(ScorerModel model) { predictor_ = MakeScorerCostModel(std::move(model), stop_); }

  void Add(const AdaptingModel& other) {
    for (const auto& [key, from] : other.tasks_) {
      TaskSamples& to = tasks_[key];
      to.task = from.task;
      for (const auto& [state, sample] : from.samples) {
        samples_ += to.samples.insert_or_assign(state, sample).second ? 1 : 0;
        ++seen_;
      }
    }
  }

  ProgramRows Rows() {
    ProgramRows rows = EmptyRows(slow_.options);
    rows.targets = slow_.targets;
    for (auto& [key, task] : tasks_) {
      const int position = AddTask(*task.task, slow_.options, /*may_add_head=*/false, &rows);
      double best = 0;  // none yet
      for (const auto& [state, sample] : task.samples) {
        if (sample.seconds && (best == 0 || *sample.seconds < best)) best = *sample.seconds;
      }
      for (auto& [state, sample] : task.samples) {
        if (sample.state) {
          sample.values = DescribeState(StateFeatures(*sample.state), slow_.options);
        }
        sample.state.reset();
        const double label = sample.seconds ? best / *sample.seconds : 0;
        AddProgram(sample.values, position, static_cast<float>(label), &rows);
      }
    }
    return rows;
  }

  // Interrupted leaves the weights unchanged.
  void Train() {
    ProgramRows rows = Rows();
    const auto [least, most] = std::ranges::minmax(rows.labels);
    seen_at_training_ = seen_;
    if (least == most) return;
    const ScorerTrainingOptions options = {.seed = static_cast<uint64_t>(trainings_),
                                           .threads = SearchThreads(*tasks_.begin()->second.task)};
    std::optional<ScorerTraining> training;
    try {
      training.emplace(TrainingSpec(slow_.spec, slow_.options.tuning), std::move(rows), options);
    } catch (const InputError&) {
      return;  // equal labels in each task
    }
    training->BeginFrom(slow_);
    const int batches = slow_.options.tuning.steps;
    for (int step = 0; !training->is_over() && (batches == 0 || step < batches); ++step) {
      training->Step(stop_);
    }
    ScorerModel fast = ReadScorer(training->State());
    fast.spec = slow_.spec;
    fast.options = slow_.options;
    const bool is_slow = slow_.options.adaptation == NetworkAdaptation::kMomentum;
    const double kept = is_slow ? slow_.options.momentum : 0;
    MoveTowards(slow_.scorer->parameters(), fast.scorer->parameters(), kept);
    MoveTowards(slow_.scorer->buffers(), fast.scorer->buffers(), kept);
    Checkpoint checkpoint;
    PutScorer(checkpoint, fast);
    saved_ = ToBytes(checkpoint);
    ++trainings_;
    Predictor(std::move(fast));
  }

  ScorerModel slow_;
  StopToken stop_;
  std::unique_ptr<CostModel> predictor_;
  std::map<Key, TaskSamples> tasks_;
  std::string saved_;  // the last weights that were trained or loaded
  int samples_ = 0, trainings_ = 0;
  int64_t seen_ = 0, seen_at_training_ = 0;
};

}  // namespace

void MoveTowards(const std::vector<at::Tensor>& slow, const std::vector<at::Tensor>& fast,
                 double kept) {
  SG_CHECK(slow.size() == fast.size(), "weights of one network");
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < slow.size(); ++i) {
    slow[i].copy_(slow[i] * kept + fast[i] * (1 - kept));
  }
}

std::unique_ptr<LearningModel> MakeAdaptingModel(ScorerModel model, const StopToken& stop) {
  return std::make_unique<AdaptingModel>(std::move(model), stop);
}

}  // namespace schedulegym
