// The command `evaluate`: cost models on programs that were measured before. Each task's programs
// are replayed once and predicted by every model. A model without trees (`boosted`) is trained
// first: on the split --train of the same data, or with --folds on the other tasks of the evaluated
// split. Task i is in fold i mod N; tasks near one of the fold are left out of its training. The
// noise ceiling is a model that predicts by one half of the samples. Cost: replays, features (25 to
// 50 us a program and core) and predictions; O(n^2) pairs a task.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "agents/cost/network_model.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/program/workloads/program_split.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/evaluate/evaluation_report.h"
#include "experiments/cli/evaluate/offline_evaluation.h"
#include "experiments/cli/evaluate/offline_model.h"

namespace schedulegym {
namespace {

// Between two looks at the interrupt: a round of trees, or a task's programs.
constexpr int kWorkingSeconds = 30;
constexpr int kMostFolds = 100;
// Tasks whose predictions are timed, spread over the split, and the number of states in a call.
constexpr size_t kTimedTasks = 5;
constexpr int kBatch = 512;
// Of the programs: with fewer the ceiling would be that of few programs.
constexpr double kLeastWithHalves = 0.5;

// A model on all tasks: one, or one for each fold.
struct Contender {
  std::string name;
  std::vector<OfflineModel> folds;
  std::vector<EvaluatedTask> tasks;

  CostModel& ModelOf(size_t task) { return *folds[task % folds.size()].model; }
};

class EvaluateCommand : public Command {
 public:
  std::string name() const override { return "evaluate"; }
  std::string help() const override { return "evaluates cost models on measured programs"; }

  void Declare(CLI::App& app) override {
    app.add_option("MODEL", models_,
                   "analytical, random, a trained model of list models, a file that train or tune "
                   "--save-model wrote, or boosted, which is trained first")
        ->type_name("SPEC")
        ->required();
    app.add_option(
           "--data", data_,
           "files of programs (.points.gz), record stores, tables, logs of Ansor's or TenSet's "
           "(for tlp), or names of sets such as sample")
        ->type_name("FILE")
        ->required();
    app.add_option("--split", split_,
                   "evaluated: train, valid, networks, strange or all (default valid)")
        ->type_name("SPLIT");
    app.add_option("--space", space_, "programs of one search space (default all)")
        ->type_name("NAME");
    app.add_option("--train", train_,
                   "the split that a model without trees is trained on (default train)")
        ->type_name("SPLIT");
    app.add_option("--folds", folds_,
                   "train such a model this many times, each on the other tasks of the evaluated "
                   "split (default 0: use --train)")
        ->type_name("N");
    app.add_option("-o", file_, "where to write the rows as CSV")->type_name("FILE");
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    interrupt.Promise(kWorkingSeconds);
    const StopToken stop(interrupt.flag());
    CheckSplit("--split", split_);
    CheckSplit("--train", train_);
    const int64_t folds = ParseIntegerOption("--folds", folds_, 0);
    if (folds == 1 || folds > kMostFolds) {
      throw InputError("--folds: found " + folds_ + ", expected 0 or 2 to " +
                       std::to_string(kMostFolds));
    }
    std::optional<OutputFile> file;
    if (!file_.empty()) file.emplace(file_);
    try {
      contenders_ = MakeContenders(session, stop);
      set_ = ReadProgramData("--data", data_);
      for (const std::string& note : set_.notes) session.report().Warn(note);
      tasks_ = ChoosePrograms(set_, {split_, space_});
      const std::string note = NoteOnSplits(set_, split_);
      if (!note.empty()) session.report().Warn(note);
      RefuseForeign();
      Train(session, static_cast<int>(folds), stop);
      Evaluate(session, stop);
      Report(session, file ? &*file : nullptr);
    } catch (const Interrupted&) {
      return interrupt.exit_code().value_or(kExitFailed);
    }
    return interrupt.exit_code().value_or(kExitOk);
  }

 private:
  std::vector<Contender> MakeContenders(const Session& session, const StopToken& stop) const {
    std::vector<Contender> contenders;
    for (const std::string& word : models_) {
      const auto is_known = [&](const Contender& one) { return one.name == word; };
      if (std::ranges::any_of(contenders, is_known)) {
        throw InputError("MODEL: found '" + word + "' twice, expected it once");
      }
      contenders.push_back({word, {}, {}});
      contenders.back().folds.push_back(MakeOfflineModel(word, Rng(session.seed()), stop));
    }
    return contenders;
  }

  // To the models that cannot judge it.
  void RefuseForeign() const {
    for (const Contender& contender : contenders_) {
      CostModel& model = *contender.folds[0].model;
      if (model.traces() == nullptr) RefuseForeignTasks(contender.name, tasks_);
    }
  }

  // Those that have no trees.
  void Train(const Session& session, int folds, const StopToken& stop) {
    for (Contender& contender : contenders_) {
      if (contender.folds[0].untrained == nullptr) continue;
      std::vector<OfflineModel> trained;
      for (int fold = 0; fold < std::max(folds, 1); ++fold) {
        const std::vector<TaskPrograms> training =
            folds > 0 ? OthersOf(fold, folds) : TrainingTasks(contender.name);
        OfflineModel model = MakeOfflineModel(contender.name, Rng(session.seed()), stop);
        trained.push_back(WithTrees(contender.name, TrainTrees(training, *model.untrained, stop)));
      }
      contender.folds = std::move(trained);
    }
  }

  std::vector<TaskPrograms> TrainingTasks(const std::string& model) const {
    std::vector<TaskPrograms> training = ChoosePrograms(set_, {train_, space_});
    if (const auto overlap = FindOverlap(training, tasks_)) {
      throw InputError("model '" + model + "' would be evaluated on " + *overlap +
                       "; expected another --split or --train, or --folds 4");
    }
    return training;
  }

  std::vector<TaskPrograms> OthersOf(int fold, int folds) const {
    std::vector<TaskPrograms> training, tested;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      (static_cast<int>(i) % folds == fold ? tested : training).push_back(tasks_[i]);
    }
    std::erase_if(training, [&](const TaskPrograms& task) {
      return FindOverlap({&task, 1}, tested).has_value();
    });
    if (!training.empty() && !tested.empty()) return training;
    throw InputError("--folds: found " + std::to_string(tasks_.size()) +
                     " tasks, expected more, that differ by more than a tenth");
  }

  void Evaluate(Session& session, const StopToken& stop) {
    Progress progress(session.report().err(), !session.report().quiet(), "evaluate",
                      session.clock());
    const size_t step = std::max<size_t>(1, tasks_.size() / kTimedTasks);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      stop.Check();
      const bool is_foreign = IsForeign(tasks_[i].info);
      std::vector<KeyedState> states;
      if (!is_foreign) states = ReplaySuccesses(tasks_[i], stop);
      for (Contender& contender : contenders_) {
        contender.tasks.push_back(MeasuredTask(tasks_[i]));
        EvaluatedTask* task = &contender.tasks.back();
        if (is_foreign) {
          PredictTraces(tasks_[i], *contender.ModelOf(i).traces(), task);
        } else {
          Predict(states, contender.ModelOf(i), task);
          if (contender.folds[0].is_over_reference) AddSeconds(tasks_[i], task);
        }
      }
      if (i % step == 0 && !is_foreign) timed_.push_back(std::move(states));
      progress.Update({.done = static_cast<int64_t>(i + 1), .total = std::ssize(tasks_)});
    }
  }

  // All tasks, then the tasks of each network of the split `networks`.
  std::vector<TaskGroupMetrics> GroupsOf(std::vector<EvaluatedTask> tasks) const {
    std::vector<TaskGroupMetrics> networks;
    std::vector<double> weights(tasks.size());
    for (const SplitNetwork& network : SplitNetworks()) {
      if (split_ != "networks") break;
      std::vector<int64_t> counts;
      for (size_t i = 0; i < tasks.size(); ++i) {
        counts.push_back(CountIn(network, tasks_[i].info.workload));
        weights[i] += static_cast<double>(counts.back());
      }
      const std::vector<EvaluatedTask> own = TasksOfNetwork(tasks, counts);
      if (!own.empty()) networks.push_back({network.name, OfflineMetricsOf(own)});
    }
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (weights[i] > 0) tasks[i].weight = weights[i];
    }
    std::vector<TaskGroupMetrics> groups = {{"", OfflineMetricsOf(tasks)}};
    groups.insert(groups.end(), networks.begin(), networks.end());
    return groups;
  }

  void Report(Session& session, OutputFile* file) {
    std::vector<ModelReport> reports;
    for (Contender& contender : contenders_) {
      ModelReport report{contender.name, GroupsOf(contender.tasks), {}};
      for (const int count : {1, kBatch}) {
        if (timed_.empty()) continue;  // only foreign tasks were evaluated
        report.costs.push_back(MeasureCost(timed_, count, contender.ModelOf(0), session.clock()));
      }
      reports.push_back(std::move(report));
    }
    const double share = ShareWithHalves(tasks_);
    std::optional<ModelReport> ceiling;
    if (share >= kLeastWithHalves) {
      ceiling = ModelReport{kCeilingName, GroupsOf(NoiseCeiling(contenders_[0].tasks)), {}};
    } else {
      session.report().Note("no noise ceiling: the programs have fewer than two samples each");
    }
    const std::vector<EvaluationRow> rows = RowsOf(reports, ceiling);
    if (file != nullptr) {
      file->Write(RowsToCsv(rows));
      file->Commit();
    }
    for (const EvaluationRow& row : rows) session.report().Event("row", RowFields(row));
    Summarize(session, share);
    session.report().Text(EvaluationText(rows));
  }

  void Summarize(Session& session, double share) const {
    int64_t programs = 0, failures = 0;
    for (const TaskPrograms& task : tasks_) {
      programs += std::ssize(task.successes);
      failures += std::ssize(task.failures);
    }
    session.report().Event("summary", {{"split", split_},
                                       {"tasks", std::ssize(tasks_)},
                                       {"programs", programs},
                                       {"failures", failures},
                                       {"with_halves", share}});
    session.report().Text("split " + split_ + ": " + std::to_string(tasks_.size()) + " tasks, " +
                          std::to_string(programs) + " programs; " + std::to_string(failures) +
                          " failures are left out\n");
  }

  std::vector<std::string> models_, data_;
  std::string split_ = "valid", space_, train_ = "train", folds_ = "0", file_;
  ProgramSet set_;
  std::vector<TaskPrograms> tasks_;
  std::vector<Contender> contenders_;
  std::vector<std::vector<KeyedState>> timed_;
};

}  // namespace

std::unique_ptr<Command> MakeEvaluateCommand() { return std::make_unique<EvaluateCommand>(); }

}  // namespace schedulegym
