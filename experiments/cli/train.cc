// The command `train`: an agent's policy learns on drawn shapes from a model's estimates.
// Each round draws one of the kinds and a shape around it (up to 8 draws, then the kind as it is;
// none that is near to a test task of programs-v1), and lets the trainer, in a process of its own,
// play on it. 100 rounds in a row without a result are an InputError. Ends by rounds, seconds
// (600 by default) or an interrupt, and saves the policy either way. With --data a cost model
// learns instead (evaluate/train_model.h).
#include <CLI/CLI.hpp>

#include <cmath>
#include <optional>
#include <utility>

#include "agents/learned/scorer/scorer_options.h"
#include "agents/tuner/search_request.h"
#include "assembly/catalog.h"
#include "assembly/processes/hosted_agents.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/program/workloads/program_split.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/evaluate/train_model.h"
#include "experiments/cli/spec_list.h"
#include "experiments/cli/tensorboard_log.h"
#include "experiments/cli/train_report.h"

namespace schedulegym {
namespace {

// Default kinds of shapes: for each operator of convolution networks the first layer, which needs
// the largest inputs, and matrix products.
constexpr const char* kUsualKinds =
    "matmul(m=256,n=256,k=256),conv1d(l=128,ci=64,co=64,k=3,s=1,p=1),"
    "conv2d(h=28,w=28,ci=64,co=64,k=3,s=1,p=1),conv3d(d=8,h=28,w=28,ci=32,co=32,k=3,s=1,p=1),"
    "conv2d_transpose(h=16,w=16,ci=64,co=64,k=4,s=2,p=1),"
    "conv2d(h=112,w=112,ci=3,co=32,k=7,s=2,p=3),depthwise(h=28,w=28,c=128,k=3,s=1,p=1)";
constexpr double kUsualSeconds = 600;
// Of one kind, until it is taken as it is.
constexpr int kDraws = 8;
// Limit of rounds in a row without a result.
constexpr int kMostMisses = 100;
constexpr int kParts = 10;

// A round, and the workload that it is on.
struct NamedRound {
  std::string workload;
  TrainedRound round;
};

// As TensorBoard groups them.
JsonObject ScalarsOf(const TrainedRound& round) {
  return {{"speed/step", std::exp(round.step)},
          {"speed/best", std::exp(round.best)},
          {"policy/entropy", round.entropy},
          {"policy/visits", round.visits}};
}

// Rounds on tasks that are drawn around some.
class Lessons {
 public:
  Lessons(Trainer& trainer, std::vector<std::shared_ptr<const Task>> kinds, Rng rng)
      : trainer_(trainer), kinds_(std::move(kinds)), rng_(rng) {}

  NamedRound Next() {
    for (int miss = 0; miss < kMostMisses; ++miss) {
      const auto& kind = kinds_[static_cast<size_t>(rng_.Below(std::ssize(kinds_)))];
      for (int draw = 0; draw <= kDraws; ++draw) {
        const auto task = draw < kDraws ? DrawTask(kind, rng_) : kind;
        if (NearTest(splits_, task->name)) continue;
        if (const auto round = trainer_.Train(task)) return {task->name, *round};
      }
    }
    throw InputError(
        "train: found no schedule to begin with, expected other --workloads, away from tasks that "
        "models are tested on");
  }

 private:
  Trainer& trainer_;
  std::vector<std::shared_ptr<const Task>> kinds_;
  std::vector<ProgramSplit> splits_ = ProgramSplits();
  Rng rng_;
};

class TrainCommand : public Command {
 public:
  std::string name() const override { return "train"; }
  std::string help() const override {
    return "trains a policy on random shapes, or a cost model on measured programs";
  }

  void Declare(CLI::App& app) override {
    app.add_option("AGENT", agent_,
                   "whose policy: harl, with its options; with --data a cost model: boosted, "
                   "boosted(label=log-seconds), tuna, mlp, tlp, pacm, recursive, stages, "
                   "oneshot_net")
        ->type_name("SPEC")
        ->required();
    app.add_option(
           "--workloads", workloads_,
           "around which shapes are drawn, specs with commas, .dag files, networks; numbers "
           "below 8 stay, and what is near a test task is not drawn (default seven layers of "
           "convolution networks)")
        ->type_name("LIST");
    const auto keep = [&app](const char* name, std::optional<std::string>& word, const char* help) {
      return app.add_option_function<std::string>(
          name, [&word](const std::string& typed) { word = typed; }, help);
    };
    keep("--space", space_, "whose schedules (default schedulegym; of --data all)")
        ->type_name("SPEC");
    keep("--seconds", seconds_,
         "how long (default 600, or endless where --rounds or --data is given)")
        ->type_name("S");
    keep("--rounds", rounds_, "how many at most; repeats with the seed")->type_name("N");
    app.add_option(
           "--data", training_.data,
           "measured programs: files (.points.gz), record stores, tables, logs of Ansor's or "
           "TenSet's (for tlp), or names of sets such as sample; trains a cost model")
        ->type_name("FILE");
    keep("--split", split_, "of --data: train, valid, strange or all (default train)")
        ->type_name("SPLIT");
    app.add_option("--from", training_.from,
                   "of --data: a network's file of the same data, options and seed, whose training "
                   "goes on")
        ->type_name("FILE");
    app.add_option("--tensorboard", tensorboard_,
                   "where to write the numbers of each round for TensorBoard; needs the Python "
                   "package tensorboard")
        ->type_name("FOLDER");
    app.add_option("-o", file_,
                   "where the policy is left: harl(policy=FILE); or the cost model: "
                   "ansor(model=FILE)")
        ->type_name("FILE")
        ->required();
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    ReadBudget();
    if (!training_.data.empty()) return TrainOnData(session, interrupt);
    if (IsScorer(RequireSpec("AGENT", agent_).name)) {
      throw InputError("train " + agent_ +
                       ": a network learns from programs, expected --data FILE");
    }
    if (split_) throw InputError("--split: it goes with --data alone");
    if (!training_.from.empty()) throw InputError("--from: it goes with --data alone");
    const Spec agent = RequireSpec("AGENT", agent_);
    const Spec space_spec = RequireSpec("--space", space_.value_or(kUsualSpace));
    const auto space = BuiltinCatalog().spaces.Find(space_spec)(space_spec);
    const auto kinds = Kinds(session);
    WarnOfTests(session.report(), kinds);
    OutputFile file(file_, KeptFile::kLearned);
    std::optional<TensorBoardLog> log;
    if (!tensorboard_.empty()) log.emplace(tensorboard_);
    Rng rng(session.seed());
    const TrainerContext context = {agent, *space, kinds, rng.Split()};
    interrupt.Promise(kThinkingSeconds);
    const auto trainer = MakeHostedTrainer(context, session.clock());
    Lessons lessons(*trainer, kinds, rng.Split());
    const double begin = session.clock().Now();
    const std::vector<TrainedRound> rounds = Train(session, lessons, interrupt, log);
    interrupt.Promise(kSavingSeconds);
    trainer->Save(file.temporary_path());
    file.Commit();
    Tell(session.report(), rounds, session.clock().Now() - begin);
    return interrupt.exit_code().value_or(kExitOk);
  }

 private:
  void ReadBudget() {
    if (rounds_) most_rounds_ = ParseIntegerOption("--rounds", *rounds_, 1);
    if (seconds_) most_seconds_ = ParsePositiveOption("--seconds", *seconds_);
    if (!rounds_ && !seconds_ && training_.data.empty()) most_seconds_ = kUsualSeconds;
  }

  int TrainOnData(Session& session, const InterruptScope& interrupt) {
    if (rounds_ || workloads_ != kUsualKinds) {
      throw InputError("--data: it does not go with --rounds or --workloads");
    }
    training_.seconds = most_seconds_.value_or(training_.seconds);
    training_.model = agent_;
    training_.split = split_.value_or(training_.split);
    training_.space = space_.value_or("");
    training_.file = file_;
    return TrainModel(session, training_, interrupt);
  }

  std::vector<std::shared_ptr<const Task>> Kinds(const Session& session) const {
    std::vector<std::shared_ptr<const Task>> kinds;
    for (const CountedTask& task : LoadTasks(SplitSpecs(workloads_), session.MakeTarget()).tasks) {
      kinds.push_back(task.task);
    }
    return kinds;
  }

  static void WarnOfTests(Report& report, const std::vector<std::shared_ptr<const Task>>& kinds) {
    std::vector<TrainedTask> trained;
    for (const auto& kind : kinds) trained.push_back({kind->name, kind->dag.ToText()});
    if (const auto leak = FindLeak(trained)) {
      report.Warn("--workloads: found " + *leak +
                  ", on which models are tested; shapes within a tenth of it are not trained on");
    }
  }

  std::vector<TrainedRound> Train(Session& session, Lessons& lessons,
                                  const InterruptScope& interrupt,
                                  std::optional<TensorBoardLog>& log) const {
    Report& report = session.report();
    Progress progress(report.err(), !report.quiet(), "train", session.clock());
    const double begin = session.clock().Now();
    std::vector<TrainedRound> rounds;
    bool has_diverged = false;
    const auto goes_on = [&] {
      const double elapsed = session.clock().Now() - begin;
      return !interrupt.exit_code() && std::ssize(rounds) < most_rounds_.value_or(INT64_MAX) &&
             elapsed < most_seconds_.value_or(elapsed + 1);
    };
    while (goes_on()) {
      interrupt.Promise(kThinkingSeconds);
      const auto [workload, round] = lessons.Next();
      rounds.push_back(round);
      report.Event("round", {{"round", std::ssize(rounds)},
                             {"workload", workload},
                             {"step", std::exp(round.step)},
                             {"best", std::exp(round.best)},
                             {"entropy", round.entropy}});
      if (log) log->Add(std::ssize(rounds), ScalarsOf(round));
      if (round.diverged && !std::exchange(has_diverged, true)) {
        progress.Clear();
        report.Warn("a loss was not finite: the policy learned no more in round " +
                    std::to_string(rounds.size()) + ", and goes on");
      }
      progress.Update({.done = std::ssize(rounds),
                       .total = most_rounds_.value_or(0),
                       .seconds = most_seconds_,
                       .best = "a step " + FormatFixed(std::exp(round.step), 3)});
    }
    return rounds;
  }

  void Tell(Report& report, const std::vector<TrainedRound>& rounds, double seconds) const {
    int64_t visits = 0;
    for (const TrainedRound& round : rounds) visits += round.visits;
    report.Event("done", {{"rounds", std::ssize(rounds)},
                          {"visits", visits},
                          {"elapsed", seconds},
                          {"policy", file_}});
    report.Text(TrainingText(PartsOf(rounds, kParts)) + std::to_string(rounds.size()) +
                " rounds, " + std::to_string(visits) + " schedules, " + FormatFixed(seconds, 1) +
                " s; policy in '" + file_ + "'");
  }

  std::string agent_, workloads_ = kUsualKinds, file_, tensorboard_;
  std::optional<std::string> space_, split_, seconds_, rounds_;
  ModelTraining training_;
  std::optional<int64_t> most_rounds_;
  std::optional<double> most_seconds_;
};

}  // namespace

std::unique_ptr<Command> MakeTrainCommand() { return std::make_unique<TrainCommand>(); }

}  // namespace schedulegym
