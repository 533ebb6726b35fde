// Describes all programs, then trains. With iterations=N the network `stages` is trained N times
// more (value_iteration.h): a beam by the current weights adds schedules on each of `kPlaces`
// places, then a training begins from these weights. An interrupted run leaves the file of its
// current training; --from would need all iterations again, so it is refused.
#include "agents/learned/stages/scorer_trainer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agents/cost/model_registry.h"
#include "agents/learned/scorer/program_rows.h"
#include "agents/learned/scorer/scorer_training.h"
#include "agents/learned/stages/value_iteration.h"
#include "env/base/clock.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Programs described between two checks of the clock: some 20 ms.
constexpr int64_t kProgramsAtOnce = 256;
// For an iteration: tasks in a space, and the beam's width. Not published.
constexpr int kPlaces = 16, kWidth = 32;

ProgramSet ReadAll(const ModelTrainingRequest& request) {
  ProgramSet all;
  for (const std::string& file : request.files) Append(ReadPrograms(file), &all);
  return PartOf(all, request.split, request.space);
}

// Foreign tasks have no numbers: without the option `task` their networks get none.
ModelTrainingRequest For(const ProgramSet& set, ModelTrainingRequest request) {
  const auto is_foreign = [](const ProgramTask& task) { return IsForeign(task.info); };
  std::vector<SpecOption>& options = request.model.options;
  const bool is_named = std::ranges::count(options, "task", &SpecOption::key) > 0;
  if (!is_named && std::ranges::any_of(set.tasks, is_foreign)) {
    options.push_back({"task", SpecValue{Spec{"none", {}}}});
  }
  return request;
}

class ScorerTrainer : public ModelTrainer {
 public:
  explicit ScorerTrainer(const ModelTrainingRequest& request)
      : ScorerTrainer(request, ReadAll(request)) {}
  ScorerTrainer(const ModelTrainingRequest& request, ProgramSet set)
      : request_(For(set, request)),
        options_(ReadScorerOptions(request_.model)),
        description_(std::in_place, std::move(set), options_, request.threads, request.spaces) {
    if (options_.iterations > 0) CheckEvaluator();
    if (request.from.empty()) return;
    if (options_.iterations > 0) {
      throw InputError("model stages: found iterations=" + std::to_string(options_.iterations) +
                       " with --from, expected iterations=0");
    }
    from_ = ReadScorerFile(request.from);
  }

  ModelTrainingReport Train(double seconds) override {
    const double end = clock_.Now() + seconds;
    ModelTrainingReport report;
    do {
      training_ ? Learn(report) : Describe();
    } while (!IsOver() && clock_.Now() < end);
    report.is_describing = !training_;
    report.done = training_ ? training_->batches_done() : description_->done();
    report.total = training_ ? training_->batches() : description_->total();
    report.is_over = IsOver();
    report.diverged = training_ && training_->has_diverged();
    return report;
  }

  void Save(const std::string& path) override {
    if (!training_) throw InputError("found no batch learned from yet, expected one to save");
    WriteScorerFile(path, training_->State());
  }

 private:
  // Checks the evaluator for each task, before the first training.
  void CheckEvaluator() const {
    for (int i = 0; i < std::ssize(description_->programs().tasks); ++i) {
      CheckEvaluatorFits(options_.evaluator, description_->task(i)->target);
    }
  }

  void Describe() {
    description_->Describe(kProgramsAtOnce);
    if (description_->done() < description_->total()) return;
    const bool goes_on = options_.iterations > 0;
    training_.emplace(request_.model, goes_on ? description_->Rows() : description_->Take(),
                      ScorerTrainingOptions{request_.seed, request_.threads});
    if (!goes_on) description_.reset();
    if (from_) training_->Resume(*from_);
    from_.reset();
  }

  void Learn(ModelTrainingReport& report) {
    if (IsOver()) return;
    if (training_->is_over()) return Iterate();
    const std::optional<TrainedEpoch> ended = training_->Step();
    if (!ended) return;
    last_epoch_ = epochs_before_ + ended->epoch;
    report.epochs.push_back({last_epoch_, ended->loss, ended->pairs});
  }

  bool IsOver() const {
    return training_ && training_->is_over() &&
           (iteration_ == options_.iterations || training_->has_diverged());
  }

  // After a training: adds the schedules of one more place, and after the last place starts the
  // next training.
  void Iterate() {
    if (!values_) {
      values_ = ReadScorer(training_->State());
      evaluator_ = MakeCostModel({EvaluatorSpec(options_.evaluator), Rng(request_.seed)});
      Rng rng(request_.seed + static_cast<uint64_t>(iteration_));
      places_ = DrawPlaces(description_->programs(), kPlaces, rng);
    }
    if (!places_.empty()) {
      const auto space = request_.spaces(RequireSpec("space", places_.back().space));
      AddCompletions(places_.back(), kWidth, *values_, *evaluator_, *space, request_.threads,
                     &*description_);
      places_.pop_back();
      return;
    }
    ++iteration_;
    epochs_before_ = last_epoch_;
    training_.emplace(request_.model, description_->Rows(),
                      ScorerTrainingOptions{request_.seed, request_.threads});
    training_->BeginFrom(*values_);
    values_.reset();
  }

  ModelTrainingRequest request_;
  ScorerOptions options_;
  SteadyClock clock_;
  std::optional<Checkpoint> from_;
  std::optional<ProgramDescription> description_;  // until all are described, or with iterations
  std::optional<ScorerTraining> training_;         // from then on
  int epochs_before_ = 0, last_epoch_ = 0, iteration_ = 0;
  std::optional<ScorerModel> values_;  // between two trainings
  std::unique_ptr<CostModel> evaluator_;
  std::vector<StagePlace> places_;  // still to be searched
};

}  // namespace

std::unique_ptr<ModelTrainer> MakeScorerTrainer(const ModelTrainingRequest& request) {
  return std::make_unique<ScorerTrainer>(request);
}

}  // namespace schedulegym
