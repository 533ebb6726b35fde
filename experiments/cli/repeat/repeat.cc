// The command `repeat`: measured programs are drawn from a set and measured again, by task, beside
// the reference schedule of this machine. Measurements that a control puts in doubt are repeated
// once, as in a search. It ends with how far the speeds over the reference have moved. On another
// target the same programs are a second set of labels.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include "agents/learned/scorer/program_rows.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/program_data.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/text.h"
#include "env/measure/timing/clocks.h"
#include "env/schedule/loop_structure.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/repeat/repeat_store.h"
#include "experiments/cli/repeat/repeated_programs.h"

namespace schedulegym {
namespace {

constexpr int kMostRepeats = 2;

std::string PercentText(double share) { return FormatFixed(100 * share, 1) + " %"; }

// Measures batches of programs, and suspect ones again. Skips results in `kept` and adds new ones
// to it; null for neither.
class Repeater {
 public:
  Repeater(Measurer& measurer, const InterruptScope& interrupt, RepeatStore* kept)
      : measurer_(measurer), interrupt_(interrupt), kept_(kept) {}

  bool is_over() const { return *interrupt_.flag(); }
  int bad_controls() const { return bad_controls_; }

  // `states`: one for each of the programs, or none. `first` is the position of the first of them.
  void Measure(const std::vector<std::optional<ScheduleState>>& states,
               std::span<RepeatedProgram> programs, int64_t first) {
    std::vector<Asked> asked;
    for (size_t i = 0; i < states.size(); ++i) {
      if (!states[i]) continue;
      if (kept_ != nullptr) programs[i].again = kept_->Find(*states[i]);
      if (programs[i].again) continue;
      asked.push_back({&*states[i], &programs[i], first + static_cast<int64_t>(i)});
    }
    Take(asked);
    for (int repeat = 0; repeat < kMostRepeats && !is_over(); ++repeat) {
      const DeferredResults deferred = measurer_.TakeDeferredResults();
      for (const ControlMeasurement& control : deferred.controls) bad_controls_ += !control.good;
      if (kept_ != nullptr) kept_->KeepControls(deferred.controls);
      asked.clear();
      for (const Candidate& suspect : deferred.suspects) {
        Asked again = known_.at(StateKey(*suspect.state));
        again.state = &*suspect.state;
        asked.push_back(again);
      }
      if (asked.empty()) return;
      Take(asked);
    }
  }

 private:
  struct Asked {
    const ScheduleState* state;
    RepeatedProgram* repeated;
    int64_t index;
  };

  void Take(const std::vector<Asked>& asked) {
    if (asked.empty()) return;
    std::vector<Candidate> candidates;
    for (const Asked& one : asked) {
      known_.insert_or_assign(StateKey(*one.state), one);
      candidates.push_back({.state = *one.state, .end = [this] { return is_over(); }});
    }
    std::vector<Measurement> measurements = measurer_.Measure(candidates);
    for (size_t i = 0; i < asked.size(); ++i) {
      if (measurements[i].outcome == Outcome::kCutOff) continue;
      const Asked& one = asked[i];
      if (kept_ != nullptr) {
        kept_->Keep(*one.state, one.repeated->program, one.index, measurements[i]);
      }
      one.repeated->again = std::move(measurements[i]);
    }
  }

  Measurer& measurer_;
  const InterruptScope& interrupt_;
  RepeatStore* kept_;
  std::map<Key, Asked> known_;
  int bad_controls_ = 0;
};

class RepeatCommand : public Command {
 public:
  std::string name() const override { return "repeat"; }
  std::string help() const override {
    return "measures programs of a data set again, and says how far their speeds have moved";
  }

  void Declare(CLI::App& app) override {
    app.add_option(
           "FILE", data_,
           "files of programs (.points.gz), record stores, tables, or names of sets such as sample")
        ->required();
    app.add_option("--programs", programs_, "so many, drawn at random (default 100)")
        ->type_name("N");
    app.add_option("--tasks", tasks_, "of so many tasks, evenly spaced (default all)")
        ->type_name("N");
    app.add_option("--protocol", protocol_, "how they are timed (default collect)")
        ->type_name("SPEC");
    app.add_option("-o", file_, "where to write a row of each as CSV")->type_name("FILE");
  }

  int Run(Session& session) override {
    const Protocol protocol = session.ReadProtocol(protocol_);
    const Target target = session.MakeTarget();
    std::optional<OutputFile> file;
    if (!file_.empty()) file.emplace(file_);
    const int64_t count = ParseIntegerOption("--programs", programs_, 1);
    std::optional<int64_t> tasks;
    if (!tasks_.empty()) tasks = ParseIntegerOption("--tasks", tasks_, 1);
    set_ = ReadProgramData("FILE", data_);
    const int64_t most = std::ssize(set_.programs);
    if (tasks) {
      set_ = SampleOf(set_, static_cast<int>(std::min(*tasks, most)), static_cast<int>(most));
    }
    Rng rng(session.seed());
    for (MeasuredProgram& program :
         DrawPrograms(set_, static_cast<int>(std::min(count, most)), rng)) {
      repeated_.push_back({std::move(program), std::nullopt});
    }
    if (repeated_.empty()) throw InputError("FILE: found no measured program");
    const InterruptScope interrupt;
    const auto note = [&](const std::string& line) { session.report().Note(line); };
    InterruptibleMeasurer measurer(MeasurerOfHost(target, protocol, session.seed(), note),
                                   interrupt);
    const CalendarClock calendar;
    std::optional<RepeatStore> kept;
    if (session.has_store()) {
      kept.emplace(session.WriteStore(), MeasuringToolchain(target), session.seed(), calendar);
    }
    Repeater repeater(measurer, interrupt, kept ? &*kept : nullptr);
    MeasureAll(session, target, measurer.Width(), repeater);
    if (file) {
      file->Write(RepeatsToCsv(set_, repeated_));
      file->Commit();
    }
    Tell(session, target, repeater.bad_controls());
    return interrupt.exit_code().value_or(kExitOk);
  }

 private:
  void MeasureAll(Session& session, const Target& target, int width, Repeater& repeater) {
    Progress progress(session.report().err(), !session.report().quiet(), "repeat", session.clock());
    const auto all = std::span(repeated_);
    for (size_t begin = 0; begin < all.size() && !repeater.is_over();) {
      const int task = all[begin].program.task;
      size_t end = begin;
      while (end < all.size() && end - begin < static_cast<size_t>(width) &&
             all[end].program.task == task) {
        ++end;
      }
      const TaskInfo& info = set_.tasks[static_cast<size_t>(task)].info;
      progress.Update({.done = static_cast<int64_t>(begin),
                       .total = std::ssize(repeated_),
                       .work = info.workload});
      const auto programs = all.subspan(begin, end - begin);
      repeater.Measure(StatesOf(info, target, programs), programs, static_cast<int64_t>(begin));
      begin = end;
    }
    progress.Clear();
  }

  // On this target; none for a trace that is none here.
  static std::vector<std::optional<ScheduleState>> StatesOf(
      const TaskInfo& info, const Target& target, std::span<const RepeatedProgram> programs) {
    Task here = *TaskOf(info);
    here.target = target;
    const auto task = std::make_shared<const Task>(std::move(here));
    std::vector<std::optional<ScheduleState>> states;
    for (const RepeatedProgram& one : programs) {
      Result<ScheduleState> state = ReplayText(task, one.program.trace);
      states.push_back(state ? std::optional(*std::move(state)) : std::nullopt);
    }
    return states;
  }

  // The number of drawn programs that were measured on another target.
  int64_t CountForeign(const Target& target) const {
    return std::ranges::count_if(repeated_, [&](const RepeatedProgram& one) {
      return set_.tasks[static_cast<size_t>(one.program.task)].info.target != target.ToText();
    });
  }

  void Tell(Session& session, const Target& target, int bad_controls) const {
    const RepeatSummary summary = SummaryOf(repeated_);
    const int64_t foreign = CountForeign(target);
    const int64_t drawn = std::ssize(repeated_);
    const bool has_times = summary.successes > 0;
    JsonObject fields = {{"drawn", drawn},
                         {"measured", summary.measured},
                         {"alike", summary.alike},
                         {"successes", summary.successes},
                         {"median", has_times ? JsonValue(summary.median) : JsonValue()},
                         {"most", has_times ? JsonValue(summary.most) : JsonValue()},
                         {"largest", has_times ? JsonValue(summary.largest) : JsonValue()},
                         {"bad_controls", bad_controls},
                         {"foreign", foreign}};
    std::string text = "measured   " + std::to_string(summary.measured) + " of " +
                       std::to_string(drawn) + " drawn programs; " + std::to_string(summary.alike) +
                       " with the outcome of before\n";
    if (has_times) {
      text += "moved      by " + PercentText(summary.median) + " in the median, 95 % by at most " +
              PercentText(summary.most) + ", one by " + PercentText(summary.largest) +
              " (speed over the reference, " + std::to_string(summary.successes) + " programs)\n";
    }
    if (foreign > 0) {
      text += "target     " + std::to_string(foreign) + " were measured on another before\n";
    }
    session.report().Item("repeat", std::move(fields), text);
  }

  std::vector<std::string> data_;
  std::string programs_ = "100";
  std::string tasks_;
  std::string protocol_ = "collect";
  std::string file_;
  ProgramSet set_;
  std::vector<RepeatedProgram> repeated_;
};

}  // namespace

std::unique_ptr<Command> MakeRepeatCommand() { return std::make_unique<RepeatCommand>(); }

}  // namespace schedulegym
