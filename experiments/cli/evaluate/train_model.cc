#include "experiments/cli/evaluate/train_model.h"

#include <cstdint>

#include "agents/learned/scorer/scorer_options.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/evaluate/offline_model.h"
#include "experiments/cli/evaluate/train_network.h"

namespace schedulegym {
namespace {

// Between two looks at the interrupt: a round of trees.
constexpr int kTrainingSeconds = 30;

}  // namespace

int TrainModel(Session& session, const ModelTraining& training, const InterruptScope& interrupt) {
  const Result<Spec> spec = ParseSpec(training.model);
  if (spec && IsScorer(spec->name)) return TrainNetwork(session, *spec, training, interrupt);
  if (!training.from.empty() || training.seconds < std::numeric_limits<double>::infinity()) {
    throw InputError("train " + training.model +
                     ": found --from or --seconds, expected them with a network: mlp, tlp, pacm, "
                     "recursive, stages, oneshot_net");
  }
  const StopToken stop(interrupt.flag());
  OfflineModel model = MakeOfflineModel(training.model, Rng(session.seed()), stop);
  if (model.untrained == nullptr) {
    throw InputError(
        "train: model '" + training.model +
        "' learns nothing, expected a network, tuna, or boosted or boosted(...) without a file");
  }
  CheckSplit("--split", training.split);
  const ProgramSet set = ReadProgramData("--data", training.data);
  for (const std::string& note : set.notes) session.report().Warn(note);
  const std::vector<TaskPrograms> tasks = ChoosePrograms(set, {training.split, training.space});
  const std::string note = NoteOnSplits(set, training.split);
  if (!note.empty()) session.report().Warn(note);
  RefuseForeignTasks(training.model, tasks);
  RefuseTestTasks(tasks);
  OutputFile file(training.file, KeptFile::kLearned);
  interrupt.Promise(kTrainingSeconds);
  const double begin = session.clock().Now();
  try {
    file.Write(
        ToBytes({model.untrained->memory()->Kind(), TrainTrees(tasks, *model.untrained, stop)}));
  } catch (const Interrupted&) {
    session.report().Warn("interrupted: '" + training.file + "' is as it was");
    return interrupt.exit_code().value_or(kExitFailed);
  }
  file.Commit();
  const int64_t programs = model.untrained->progress().samples;
  const double elapsed = session.clock().Now() - begin;
  session.report().Event("done", {{"model", training.file},
                                  {"programs", programs},
                                  {"tasks", std::ssize(tasks)},
                                  {"elapsed", elapsed}});
  session.report().Text(std::to_string(programs) + " programs of " + std::to_string(tasks.size()) +
                        " tasks, " + FormatFixed(elapsed, 1) + " s; model in '" + training.file +
                        "'");
  return kExitOk;
}

}  // namespace schedulegym
