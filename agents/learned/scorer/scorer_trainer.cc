#include "agents/learned/scorer/scorer_trainer.h"

#include <optional>
#include <utility>

#include "agents/learned/scorer/program_rows.h"
#include "agents/learned/scorer/scorer_training.h"
#include "env/base/clock.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Described between two looks at the clock: some 20 ms.
constexpr int64_t kProgramsAtOnce = 256;

ProgramSet ReadAll(const ModelTrainingRequest& request) {
  ProgramSet all;
  for (const std::string& file : request.files) Append(ReadPrograms(file), &all);
  return PartOf(all, request.split, request.space);
}

class ScorerTrainer : public ModelTrainer {
 public:
  explicit ScorerTrainer(const ModelTrainingRequest& request)
      : request_(request),
        options_(ReadScorerOptions(request.model)),
        description_(std::in_place, ReadAll(request), options_, request.threads, request.spaces) {
    if (!request.from.empty()) from_ = ReadScorerFile(request.from);
  }

  ModelTrainingReport Train(double seconds) override {
    const double end = clock_.Now() + seconds;
    ModelTrainingReport report;
    do {
      training_ ? Learn(report) : Describe();
    } while (!(training_ && training_->is_over()) && clock_.Now() < end);
    report.is_describing = !training_;
    report.done = training_ ? training_->batches_done() : description_->done();
    report.total = training_ ? training_->batches() : description_->total();
    report.is_over = training_ && training_->is_over();
    report.diverged = training_ && training_->has_diverged();
    return report;
  }

  void Save(const std::string& path) override {
    if (!training_) throw InputError("found no batch learned from yet, expected one to save");
    WriteScorerFile(path, training_->State());
  }

 private:
  void Describe() {
    description_->Describe(kProgramsAtOnce);
    if (description_->done() < description_->total()) return;
    training_.emplace(request_.model, description_->Take(),
                      ScorerTrainingOptions{request_.seed, request_.threads});
    description_.reset();
    if (from_) training_->Resume(*from_);
    from_.reset();
  }

  void Learn(ModelTrainingReport& report) {
    if (training_->is_over()) return;
    const std::optional<TrainedEpoch> ended = training_->Step();
    if (ended) report.epochs.push_back({ended->epoch, ended->loss, ended->pairs});
  }

  ModelTrainingRequest request_;
  ScorerOptions options_;
  SteadyClock clock_;
  std::optional<Checkpoint> from_;
  std::optional<ProgramDescription> description_;  // until all are described
  std::optional<ScorerTraining> training_;         // from then on
};

}  // namespace

std::unique_ptr<ModelTrainer> MakeScorerTrainer(const ModelTrainingRequest& request) {
  return std::make_unique<ScorerTrainer>(request);
}

}  // namespace schedulegym
