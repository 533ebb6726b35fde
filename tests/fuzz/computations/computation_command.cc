#include "tests/fuzz/computations/computation_command.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "env/base/fault.h"
#include "env/measure/timing/clocks.h"
#include "experiments/cli/common/progress.h"
#include "tests/fuzz/computations/computation_bar.h"
#include "tests/fuzz/computations/computation_fuzz.h"
#include "tests/fuzz/computations/crash_note.h"

namespace schedulegym {
namespace {

// Halves do not compile for CPUs; the interpreter supports them.
constexpr double kInterpretedHalves = 0.3;

Target TargetNamed(const std::string& text) {
  const auto spec = ParseSpec(text);
  if (!spec) throw InputError("target '" + text + "': " + spec.error().message);
  return MakeTarget(*spec);
}

// The files of a failure, and the line that reports it.
CrashNote NoteOf(const ComputationOptions& options, const FuzzedSchedule& schedule,
                 const std::string& message) {
  const std::string seed = std::to_string(schedule.seed);
  CrashNote note = {options.folder + "/fuzz-" + seed + ".dag", schedule.dag};
  note.line = "FAIL seed " + seed + ": " + note.file;
  if (!schedule.trace.empty()) {
    note.more_file = options.folder + "/fuzz-" + seed + ".trace";
    note.more_text = schedule.trace;
    note.line += " --trace " + note.more_file;
  }
  note.line += ": " + message + "\n";
  return note;
}

void Report(const ComputationCounts& counts) {
  std::printf("%ld computations (%ld exact on integers, %ld with bounds on reals)\n",
              counts.computations, counts.exact, counts.bounded);
  std::printf("%ld cells of reals in a sample, %ld of them without a finite bound (%.1f %%)\n",
              counts.cells, counts.unbounded,
              100.0 * static_cast<double>(counts.unbounded) /
                  static_cast<double>(std::max<int64_t>(counts.cells, 1)));
  std::printf("%ld schedules: %ld right, %ld refused (%.2f %%), %ld wrong\n", counts.schedules,
              counts.right, counts.refused, 100 * counts.RefusedShare(), counts.wrong);
  for (const auto& [reason, count] : counts.reasons) {
    std::printf("  %ld refused: %s\n", count, reason.c_str());
  }
  std::printf("right schedules by operation, type and form:\n%s",
              OperationTable(counts.operations).c_str());
}

}  // namespace

int64_t RunComputations(const ComputationOptions& options) {
  const Target target = TargetNamed(options.target);
  GrammarOptions grammar;
  if (target.backend == BackendKind::kInterpreter) grammar.halves = kInterpretedHalves;
  const ComputationFuzz fuzz(MakeBackend(target), grammar);
  ComputationCounts counts;
  const SteadyClock clock;
  Progress progress(stderr, true, "fuzz computations", clock);
  for (int64_t i = 0; i < options.count; ++i) {
    progress.Update({.done = i, .total = options.count});
    const auto diagnostics =
        fuzz.Try(options.seed + static_cast<uint64_t>(i), counts,
                 [&](const FuzzedSchedule& next) { SetCrashNote(NoteOf(options, next, "crash")); });
    for (const FuzzDiagnostic& diagnostic : diagnostics) {
      const CrashNote note = NoteOf(options, diagnostic.schedule, diagnostic.message);
      std::ofstream(note.file) << note.text;
      if (!note.more_file.empty()) std::ofstream(note.more_file) << note.more_text;
      std::printf("%s", note.line.c_str());
      std::fflush(stdout);
    }
  }
  progress.Clear();
  Report(counts);
  const std::vector<std::string> shortfalls = ShortfallsOf(counts);
  for (const std::string& shortfall : shortfalls) std::printf("FAIL: %s\n", shortfall.c_str());
  return counts.wrong + std::ssize(shortfalls);
}

}  // namespace schedulegym
