#include "experiments/cli/evaluate/train_network.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "agents/model_trainer.h"
#include "assembly/processes/hosted_models.h"
#include "assembly/program_data.h"
#include "env/base/output_file.h"
#include "env/measure/store/ansor_programs.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

// Of work between two looks at an interrupt.
constexpr double kSliceSeconds = 0.2;

void PrintEpoch(Report& report, const ModelEpoch& epoch) {
  JsonObject fields = {{"epoch", static_cast<int64_t>(epoch.epoch)}, {"loss", epoch.loss}};
  std::string text =
      "epoch " + std::to_string(epoch.epoch) + ": loss " + FormatFixed(epoch.loss, 4);
  if (epoch.pairs) {
    fields.push_back({"pairs", *epoch.pairs});
    text += ", pairs of held-out tasks " + FormatFixed(*epoch.pairs, 4);
  }
  report.Event("epoch", std::move(fields));
  report.Text(text);
}

// To its end, its seconds' or an interrupt; how many epochs ended.
int64_t TrainEpochs(Session& session, ModelTrainer& trainer, double seconds,
                    const InterruptScope& interrupt, ModelTrainingReport* last) {
  Report& report = session.report();
  Progress progress(report.err(), !report.quiet(), "train", session.clock());
  const double begin = session.clock().Now();
  int64_t epochs = 0;
  do {
    interrupt.Promise(kThinkingSeconds);
    *last = trainer.Train(kSliceSeconds);
    progress.Update({.done = last->done, .total = last->total});
    if (!last->epochs.empty()) progress.Clear();
    for (const ModelEpoch& epoch : last->epochs) PrintEpoch(report, epoch);
    epochs += std::ssize(last->epochs);
  } while (!last->is_over && !interrupt.exit_code() &&
           (last->is_describing || session.clock().Now() - begin < seconds));
  progress.Clear();
  return epochs;
}

}  // namespace

int TrainNetwork(Session& session, const Spec& model, const ModelTraining& training,
                 const InterruptScope& interrupt) {
  Report& report = session.report();
  CheckSplit("--split", training.split);
  OutputFile file(training.file, KeptFile::kLearned);
  interrupt.Promise(kThinkingSeconds);
  const double begin = session.clock().Now();
  const std::vector<std::string> files = ProgramFiles(training.data);
  for (const std::string& one : files) {
    if (!IsAnsorLog(one)) continue;
    for (const std::string& note : ReadAnsorLog(one).notes) report.Warn(note);
  }
  const auto trainer = MakeHostedModelTrainer(
      {.model = model,
       .files = files,
       .split = training.split,
       .space = training.space,
       .from = training.from,
       .seed = session.seed(),
       .threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))},
      session.clock());
  ModelTrainingReport last;
  const int64_t epochs = TrainEpochs(session, *trainer, training.seconds, interrupt, &last);
  if (last.diverged) {
    report.Warn("a loss was not finite: training ended with the weights of the best epoch before");
  }
  if (last.is_describing) {
    report.Warn("interrupted: '" + training.file + "' is as it was");
    return interrupt.exit_code().value_or(kExitFailed);
  }
  interrupt.Promise(kSavingSeconds);
  trainer->Save(file.temporary_path());
  file.Commit();
  const double elapsed = session.clock().Now() - begin;
  report.Event("done", {{"model", training.file}, {"epochs", epochs}, {"elapsed", elapsed}});
  report.Text(std::to_string(epochs) + " epochs, " + FormatFixed(elapsed, 1) + " s; model in '" +
              training.file + "'");
  return interrupt.exit_code().value_or(kExitOk);
}

}  // namespace schedulegym
