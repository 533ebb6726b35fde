// The program `schedulegym-fuzz`: random schedules against the naive program, random computations,
// long sums in parts, changed files against their readers, or random bytes against the decoders of
// the wire, until something breaks.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

#include "env/base/fault.h"
#include "env/measure/timing/clocks.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "experiments/cli/common/progress.h"
#include "tests/fuzz/computations/computation_command.h"
#include "tests/fuzz/computations/crash_note.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/fuzz/computations/split_reductions.h"
#include "tests/fuzz/files/file_command.h"
#include "tests/fuzz/frame_fuzz.h"

namespace schedulegym {
namespace {

// Used instead of a workload: a random computation for each seed.
constexpr const char* kRandom = "random";

// From this number on, a run in which all was refused fails: it has tested nothing.
constexpr int64_t kMany = 100;

struct Options {
  uint64_t seed = 0;
  int64_t count = 100;
  std::string workload;
  std::string target = "llvm";
  std::string folder = ".";
  double seconds = 20;  // of frames
};

class Fuzzer {
 public:
  explicit Fuzzer(const Options& options)
      : options_(options), target_(MakeTarget(ParseTarget())), backend_(MakeBackend(target_)) {
    if (!options.workload.empty()) {
      workloads_.push_back(options.workload);
      return;
    }
    const Suite smoke = FindSuite("smoke").value();
    for (const SuiteCase& entry : smoke.cases) workloads_.push_back(entry.workload.ToText());
  }

  // Returns the number of schedules that failed.
  int64_t Run() {
    const SteadyClock clock;
    Progress progress(stderr, true, "fuzz", clock);
    for (int64_t i = 0; i < options_.count; ++i) {
      progress.Update({.done = i, .total = options_.count});
      Try(options_.seed + static_cast<uint64_t>(i));
    }
    progress.Clear();
    Report();
    if (options_.count >= kMany && outcomes_["right"] == 0 && failures_ == 0) {
      ++failures_;
      std::cout << "FAIL: nothing was right, so that nothing was compared" << std::endl;
    }
    return failures_;
  }

 private:
  Spec ParseTarget() const { return Parse("target", options_.target); }

  static Spec Parse(const std::string& what, const std::string& text) {
    const auto spec = ParseSpec(text);
    if (!spec) throw InputError(what + " '" + text + "': " + spec.error().message);
    return *spec;
  }

  const Differential& DifferentialOf(const std::string& workload) {
    auto& known = differentials_[workload];
    if (!known) {
      const ComputeDag dag = MakeWorkload(Parse("workload", workload));
      known = std::make_unique<Differential>(
          std::make_shared<const Task>(Task{dag, target_, workload}), 1);
    }
    return *known;
  }

  // A seed determines its schedule, independent of other schedules.
  void Try(uint64_t seed) {
    const std::string& workload = workloads_[seed % workloads_.size()];
    if (workload != kRandom) return Try(seed, DifferentialOf(workload), workload);
    Rng rng(seed ^ 0x5eed);
    const ComputeDag dag = RandomComputation(rng);
    const Differential differential(std::make_shared<const Task>(Task{dag, target_, kRandom}),
                                    seed);
    const std::string file = options_.folder + "/fuzz-" + std::to_string(seed) + ".dag";
    std::ofstream(file) << dag.ToText();
    const int64_t failures = failures_;
    Try(seed, differential, file);
    if (failures_ == failures) std::remove(file.c_str());
  }

  void Try(uint64_t seed, const Differential& differential, const std::string& workload) {
    Rng rng(seed);
    const ScheduleState state = RandomSchedule(differential.task(), rng);
    const std::string file = options_.folder + "/fuzz-" + std::to_string(seed) + ".trace";
    const std::string failure = "FAIL seed " + std::to_string(seed) + ": --workload '" + workload +
                                "' --trace " + file + ": ";
    SetCrashNote({.file = file, .text = state.TraceText(), .line = failure + "crash\n"});
    DifferentialTrial trial;
    try {
      trial = differential.Run(state, *backend_);
    } catch (const std::logic_error& bug) {
      trial = {TrialVerdict::kWrong, bug.what()};
    }
    CountKinds(state, kinds_);
    intricate_ += IsIntricate(state);
    if (trial.verdict == TrialVerdict::kRight || trial.verdict == TrialVerdict::kTooLarge) {
      ++outcomes_[trial.message.empty() ? "right" : trial.message];
      return;
    }
    ++failures_;
    std::ofstream(file) << state.TraceText();
    std::cout << failure << trial.message << std::endl;
  }

  void Report() const {
    std::cout << options_.count << " schedules, " << intricate_ << " of them intricate, "
              << failures_ << " failed\n";
    for (const auto& [outcome, count] : outcomes_)
      std::cout << "  " << count << " " << outcome << "\n";
    for (size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
      std::cout << "  " << kinds_[kind] << " " << KindName(kind) << "\n";
    }
  }

  Options options_;
  Target target_;
  std::unique_ptr<Backend> backend_;
  std::vector<std::string> workloads_;
  std::map<std::string, std::unique_ptr<Differential>> differentials_;
  std::map<std::string, int64_t> outcomes_;
  KindCounts kinds_{};
  int64_t intricate_ = 0;
  int64_t failures_ = 0;
};

int RunReductions(const Options& options, const SplitReductionOptions& reductions) {
  const SteadyClock clock;
  Progress progress(stderr, true, "fuzz reductions", clock);
  const auto spec = ParseSpec(options.target);
  if (!spec) throw InputError("target '" + options.target + "': " + spec.error().message);
  const SplitReductionReport report = CheckSplitReductions(
      *MakeBackend(MakeTarget(*spec)), reductions,
      [&](int64_t done, int64_t total) { progress.Update({.done = done, .total = total}); });
  progress.Clear();
  for (const std::string& diagnostic : report.diagnostics)
    std::cout << "FAIL " << diagnostic << "\n";
  std::cout << report.schedules << " schedules of sums of " << reductions.length << ", "
            << report.factored << " of them with partial sums (" << report.lane_wise
            << " in the lanes of vectors), " << report.refused << " refused\n"
            << report.planted << " wrong parts, " << report.missed << " missed\n";
  if (report.schedules + report.planted == 0) std::cout << "FAIL nothing was compared\n";
  return report.ok() ? 0 : 1;
}

// Fuzzes streams instead of schedules.
int RunFrames(const Options& options) {
  const SteadyClock clock;
  Progress progress(stderr, true, "fuzz frames", clock);
  const FrameFuzzReport report =
      FuzzFrames(options.seed, options.seconds, clock, [&](int64_t done, int64_t) {
        progress.Update({.done = done, .seconds = options.seconds});
        return true;
      });
  progress.Clear();
  std::cout << report.executions << " streams, " << report.refused << " of them refused, "
            << report.frames << " frames, " << report.messages << " messages, "
            << static_cast<int64_t>(static_cast<double>(report.executions) / report.seconds)
            << " streams/s\n";
  if (!report.diagnostic && report.messages == 0) {
    std::cout << "FAIL: no message was decoded" << std::endl;
    return 1;
  }
  if (!report.diagnostic) return 0;
  const std::string file = options.folder + "/fuzz-frames-" + std::to_string(options.seed) + ".bin";
  std::ofstream(file, std::ios::binary) << *report.diagnostic;
  std::cout << "FAIL " << file << ": " << report.message << "\n";
  return 1;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Random schedules, each compared with the naive program; exit code 1 if one fails.");
  app.add_option("--seed", options.seed, "of the first schedule; the next has the next one");
  app.add_option("--count", options.count, "how many schedules")->check(CLI::PositiveNumber);
  app.add_option("--workload", options.workload,
                 "a spec, a .dag file, or random; by default those of smoke");
  app.add_option("--target", options.target, "llvm or interpreter");
  app.add_option("--folder", options.folder, "where traces of failures are written");
  FileCommand file_command;
  const CLI::App* files = file_command.Declare(app);
  CLI::App* frames = app.add_subcommand("frames", "random bytes against the decoders of the wire");
  frames->add_option("--seconds", options.seconds, "how long")->check(CLI::PositiveNumber);
  frames->fallthrough();  // --seed and --folder
  ComputationOptions computation_options;
  CLI::App* computations = app.add_subcommand(
      "computations",
      "random computations, each under its reference schedule and random ones; exit code 1 if one "
      "is wrong, over 5 % are refused, an operation is rare in some type and form, or nothing was "
      "compared");
  computations->add_option("--seed", computation_options.seed, "of the first computation");
  computations->add_option("--count", computation_options.count, "how many computations")
      ->check(CLI::PositiveNumber);
  computations->add_option("--target", computation_options.target, "llvm or interpreter");
  computations->add_option("--folder", computation_options.folder, "where failures are written");
  SplitReductionOptions reduction_options;
  CLI::App* reductions = app.add_subcommand(
      "reductions", "long sums in parts, right ones and such with one part a thousandth off");
  reductions->add_option("--seed", reduction_options.seed, "of all chance");
  reductions->add_option("--length", reduction_options.length, "of each sum")
      ->check(CLI::PositiveNumber);
  reductions->add_option("--count", reduction_options.schedules, "how many right schedules");
  reductions->add_option("--planted", reduction_options.planted, "how many wrong ones");
  reductions->add_option("--target", options.target, "llvm or interpreter");
  CLI11_PARSE(app, argc, argv);
  try {
    if (files->parsed()) return file_command.Run();
    InstallCrashNote();
    if (frames->parsed()) return RunFrames(options);
    if (reductions->parsed()) return RunReductions(options, reduction_options);
    if (computations->parsed()) return RunComputations(computation_options) > 0 ? 1 : 0;
    return Fuzzer(options).Run() > 0 ? 1 : 0;
  } catch (const InputError& fault) {
    std::cerr << "schedulegym-fuzz: " << fault.what() << "\n";
    return 2;
  } catch (const MachineError& fault) {
    std::cerr << "schedulegym-fuzz: " << fault.what() << "\n";
    return 3;
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
