// The command `simulate`: task schedulers on recorded or drawn curves. Runs are pairs of problem
// and seed, spread over threads, each reproducible from its two numbers. Problems are the recorded
// curves, or drawn: networks of recorded curves with new counts, or curves of a generator
// (`drawn(...)`). All schedulers play each run. An interrupt keeps the runs that are whole.
// Cost: runs * schedulers * (turns * cost of a choice).
#include <CLI/CLI.hpp>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "agents/parallel.h"
#include "agents/schedulers/dynatune/dynatune.h"
#include "agents/schedulers/simulation/curve_file.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/pictures/network_view.h"
#include "experiments/cli/simulate_report.h"
#include "experiments/cli/spec_list.h"

namespace schedulegym {
namespace {

constexpr const char* kDrawn = "drawn";

// Of `drawn(trials=300, ...)`.
DrawnCurveOptions ReadDrawn(const Spec& spec) {
  constexpr int64_t kMostTrials = 100'000, kMostBatch = 4096;
  SpecReader reader(spec, "curves");
  DrawnCurveOptions options;
  const auto integer = [&](const char* key, int value, int64_t most) {
    const int64_t number = reader.Integer(key, value);
    if (number >= 1 && number <= most) return static_cast<int>(number);
    throw InputError("curves 'drawn': key '" + std::string(key) + "' is " + std::to_string(number) +
                     ", expected 1 to " + std::to_string(most));
  };
  const auto chance = [&](const char* key, double value, double most) {
    const double number = reader.Number(key, value);
    if (number >= 0 && number <= most) return number;
    throw InputError("curves 'drawn': key '" + std::string(key) + "' is " + FormatDouble(number) +
                     ", expected 0.0 to " + FormatDouble(most));
  };
  options.trials = integer("trials", options.trials, kMostTrials);
  options.batch = integer("batch", options.batch, kMostBatch);
  options.jump = chance("jump", options.jump, 1);
  options.plateau = chance("plateau", options.plateau, 1);
  options.failures = chance("failures", options.failures, 0.9);
  options.alike = chance("alike", options.alike, 1);
  reader.Finish();
  return options;
}

class SimulateCommand : public Command {
 public:
  std::string name() const override { return "simulate"; }
  std::string help() const override { return "task schedulers on recorded or drawn curves"; }

  void Declare(CLI::App& app) override {
    app.add_option("--schedulers", schedulers_, "specs, with commas")
        ->type_name("LIST")
        ->required();
    app.add_option("--curves", curves_,
                   "files that tune --curves-out wrote, compressed with gzip or not, or "
                   "drawn(trials=300, batch=16, jump=0.3, "
                   "plateau=0.3, failures=0.1, alike=0.3)")
        ->type_name("FILE")
        ->required();
    const auto keep = [&app](const char* name, std::optional<std::string>& word, const char* help) {
      return app.add_option_function<std::string>(
          name, [&word](const std::string& typed) { word = typed; }, help);
    };
    keep("--problems", problems_,
         "networks of 6 to 20 of the tasks with drawn weights (default: all tasks, as often as "
         "their search had them)")
        ->type_name("N");
    app.add_option("--seeds", seeds_, "of the schedulers' chance, for each (default 1)")
        ->type_name("K");
    app.add_option("--half", half_,
                   "which tasks of the files: all, development, heldout; split once, by their "
                   "names (default all)")
        ->type_name("HALF");
    keep("--trials", trials_, "of each problem (default all that its curves have)")->type_name("N");
    keep("--seconds", seconds_,
         "simulated, of each problem (default half of what its curves took, or endless where "
         "--trials is given)")
        ->type_name("S");
    app.add_option("--picture", picture_,
                   "where to draw, as SVG, the first problem: each scheduler's latency over time, "
                   "and what the first of them saw of each task's curve and made of it")
        ->type_name("FILE");
    app.add_option("--fit-seconds", fit_seconds_,
                   "simulated, that each curve takes which a scheduler fits (default 0); a "
                   "constant, so that runs repeat")
        ->type_name("S");
    keep("--threads", threads_, "runs at a time (default the machine's cores)")->type_name("N");
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    ReadSchedulers(session);
    ReadCurves();
    if (!drawn_) CheckCurves(problems_ ? recorded_ : WholeProblem(recorded_, budget_).curves);
    const int64_t problems = problems_ ? ParseIntegerOption("--problems", *problems_, 1) : 1;
    const int64_t seeds = ParseIntegerOption("--seeds", seeds_, 1);
    if (problems > kMostRuns / seeds) {
      throw InputError("--problems: found " + std::to_string(problems) + " with " +
                       std::to_string(seeds) + " seeds, expected at most " +
                       std::to_string(kMostRuns) + " runs");
    }
    CheckSchedulers(session);
    NoteOrigin(session);
    std::optional<OutputFile> picture;
    if (!picture_.empty()) picture.emplace(picture_);
    interrupt.Promise(kThinkingSeconds);
    const std::vector<SimulatedRow> rows = PlayAll(session, problems * seeds, seeds, interrupt);
    Report(session, rows);
    if (picture && !rows.empty())
      Draw(session, rows.front(), StopToken(interrupt.flag()), *picture);
    if (interrupt.exit_code()) return *interrupt.exit_code();
    return kExitOk;
  }

 private:
  static constexpr int64_t kMostRuns = 1'000'000;

  void ReadSchedulers(Session& session) {
    for (const std::string& text : SplitSpecs(schedulers_)) {
      specs_.push_back(RequireSpec("--schedulers", text));
      for (const std::string& line : OldNamesOfScheduler(specs_.back())) {
        session.report().Warn(line);
      }
      names_.push_back(specs_.back().ToText());
      if (std::count(names_.begin(), names_.end(), names_.back()) > 1) {
        throw InputError("--schedulers: found '" + names_.back() + "' twice, expected it once");
      }
    }
    if (trials_) budget_.trials = ParseIntegerOption("--trials", *trials_, 1);
    if (seconds_) budget_.seconds = ParsePositiveOption("--seconds", *seconds_);
    budget_.fit_seconds = ParseAmountOption("--fit-seconds", fit_seconds_);
  }

  void ReadCurves() {
    const std::optional<CurveHalf> half = ParseCurveHalf(half_);
    if (!half) throw InputError(UnknownName("half", half_, {"all", "development", "heldout"}));
    const Result<Spec> spec = ParseSpec(curves_.front());
    if (curves_.size() == 1 && spec && spec->name == kDrawn) {
      if (*half != CurveHalf::kAll) throw InputError("--half: it goes with files alone");
      drawn_ = ReadDrawn(*spec);
      return;
    }
    recorded_ = HalfOf(ReadCurveFiles(curves_), *half);
    if (recorded_.empty()) throw InputError("--half: found no tasks in the half '" + half_ + "'");
    if (problems_) recorded_ = WithLatency(recorded_);
  }

  // Without --problems all curves must be of one problem; drawn problems get new counts.
  void CheckCurves(const std::vector<RecordedCurve>& curves) const {
    if (WithLatency(curves).empty()) {
      throw InputError("--curves: found no task that ever succeeded, expected at least one");
    }
    if (problems_) return;
    const size_t networks = curves[0].facts.counts.size();
    for (const RecordedCurve& curve : curves) {
      if (curve.facts.counts.size() == networks) continue;
      throw InputError("--curves: found searches of " + std::to_string(networks) + " and of " +
                       std::to_string(curve.facts.counts.size()) +
                       " networks together, expected searches of as many (or --problems N, which "
                       "draws weights)");
    }
  }

  // Notes that the curves were not measured.
  void NoteOrigin(Session& session) const {
    const auto is_model = [](const RecordedCurve& curve) { return curve.measure != "host"; };
    const auto first = std::find_if(recorded_.begin(), recorded_.end(), is_model);
    if (first == recorded_.end()) return;
    const auto count = std::count_if(first, recorded_.end(), is_model);
    session.report().Note(std::to_string(count) + " of " + std::to_string(recorded_.size()) +
                          " curves were not measured: speeds are those of " + first->measure);
  }

  // Bad ones are refused before anything runs.
  void CheckSchedulers(const Session& session) const {
    const SchedulerContext context = ProblemAt(session, 0).Context(0);
    for (const Spec& spec : specs_) MakeTaskScheduler(spec, context);
  }

  Problem ProblemAt(const Session& session, int64_t index) const {
    Rng rng(session.seed());
    for (int64_t i = 0; i < index; ++i) rng.Next();
    if (drawn_) return DrawProblem(*drawn_, budget_, rng.Split());
    return problems_ ? DrawProblem(recorded_, budget_, rng.Split())
                     : WholeProblem(recorded_, budget_);
  }

  int Threads() const {
    const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
    const int64_t threads = threads_ ? ParseIntegerOption("--threads", *threads_, 1) : cores;
    return static_cast<int>(std::clamp<int64_t>(threads, 1, std::max<int64_t>(cores, 1)));
  }

  // Those that an interrupt left whole.
  std::vector<SimulatedRow> PlayAll(Session& session, int64_t runs, int64_t seeds,
                                    const InterruptScope& interrupt) const {
    Progress progress(session.report().err(), !session.report().quiet(), "simulate",
                      session.clock());
    std::vector<std::optional<SimulatedRow>> played(static_cast<size_t>(runs));
    std::mutex mutex;
    int64_t done = 0;
    ParallelFor(static_cast<int>(runs), Threads(), [&](int index) {
      if (*interrupt.flag()) return;
      played[index] = Play(session, index / seeds, index % seeds, interrupt);
      const std::lock_guard lock(mutex);
      interrupt.Promise(kThinkingSeconds);
      progress.Update({.done = ++done, .total = runs, .seconds = {}, .best = ""});
    });
    std::vector<SimulatedRow> rows;
    for (std::optional<SimulatedRow>& row : played) {
      if (row) rows.push_back(std::move(*row));
    }
    return rows;
  }

  std::optional<SimulatedRow> Play(const Session& session, int64_t index, int64_t seed,
                                   const InterruptScope& interrupt) const {
    Problem problem = ProblemAt(session, index);
    auto comparison = Compare(problem, specs_, session.seed() + static_cast<uint64_t>(seed),
                              session.clock(), interrupt.flag());
    if (!comparison) return std::nullopt;
    SimulatedRow row = {index, seed, {}, problem.curves.size(), std::move(*comparison)};
    if (!problems_) row.curves = std::move(problem.curves);
    return row;
  }

  void Report(Session& session, const std::vector<SimulatedRow>& rows) const {
    for (const SimulatedRow& row : rows) {
      for (size_t i = 0; i < names_.size(); ++i) {
        session.report().Event("row", SimulatedRowFields(row, names_, i));
      }
    }
    if (rows.empty()) return;
    const std::vector<SchedulerSummary> summaries = Summarize(rows, names_);
    for (const SchedulerSummary& summary : summaries) {
      session.report().Event("summary", SchedulerSummaryFields(summary));
    }
    session.report().Text(SimulationText(summaries));
  }

  // A row's problem, which is made again.
  void Draw(Session& session, const SimulatedRow& row, const StopToken& stop,
            OutputFile& file) const {
    const Problem problem = ProblemAt(session, row.problem);
    const Trajectory& first = row.comparison.runs.front().trajectory;
    NetworkView view = {
        .title = std::to_string(problem.curves.size()) + " tasks, problem " +
                 std::to_string(row.problem) + ", tasks as " + names_.front() + " saw them",
        .trajectories = {},
        .tasks =
            PicturedTasksOf(problem.curves, first.order, specs_.front(), session.seed(), stop)};
    const double horizon = row.comparison.horizon;
    for (size_t i = 0; i < names_.size(); ++i) {
      view.trajectories.push_back({names_[i], row.comparison.runs[i].trajectory.points, horizon});
    }
    view.trajectories.push_back({"oracle", row.comparison.oracle.points, horizon});
    file.Write(NetworkPicture(view));
    file.Commit();
    session.report().Note("picture in '" + file.path() + "'");
  }

  std::string schedulers_, seeds_ = "1", fit_seconds_ = "0", half_ = "all", picture_;
  std::vector<std::string> curves_;
  std::optional<std::string> problems_, trials_, seconds_, threads_;
  std::vector<Spec> specs_;
  std::vector<std::string> names_;
  SimulatedBudget budget_;
  std::optional<DrawnCurveOptions> drawn_;
  std::vector<RecordedCurve> recorded_;
};

}  // namespace

std::unique_ptr<Command> MakeSimulateCommand() { return std::make_unique<SimulateCommand>(); }

}  // namespace schedulegym
