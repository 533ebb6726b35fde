// The kind of files that hold measured programs, `.points.gz`: compressed JSON lines.
#include "env/base/gzip.h"
#include "env/base/text.h"
#include "env/measure/store/program_set.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/json_change.h"
#include "tests/fuzz/files/line_fuzz.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

// Programs of two tasks, a few of which failed.
std::string PointsText(uint64_t seed) {
  Rng rng(seed);
  const LineFuzz fuzz;
  ProgramSet set;
  for (int i = 0; i < 2; ++i) set.tasks.push_back({*fuzz.records()[i].task, i == 0 ? "train" : ""});
  for (int i = 0; i < 8; ++i) {
    MeasuredProgram program = {.task = i % 2, .space = "ansor", .part = "bred", .host = "box"};
    program.trace = fuzz.records()[i].trace;
    if (i % 4 == 3) program.outcome = Outcome::kCompileError;
    if (program.outcome == Outcome::kOk) {
      program.seconds = 1e-3 * (1 + rng.Uniform());
      program.ratio = {1 + rng.Uniform(), 0.5, 3};
      program.samples = {1e-3f, 2e-3f};
    }
    set.programs.push_back(std::move(program));
  }
  return ProgramsToText(set);
}

// Changes a line or whole lines; sometimes the compressed bytes.
std::string ChangedPoints(const std::vector<std::string>& seeds, Rng& rng) {
  std::vector<std::string> lines = SplitLines(Gunzip(AnyOf(seeds, rng), kProgramsFile.most_bytes));
  const auto at = static_cast<size_t>(rng.Chance(0.3) ? 0 : rng.Below(std::ssize(lines)));
  const std::string before = lines[at];
  if (rng.Chance(0.8)) {
    lines[at] = ChangedJson(before, rng);
  } else if (rng.Chance(0.5)) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), before);
  } else {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::string bytes = Join(lines, "\n") + "\n";
  if (rng.Chance(0.8)) bytes = Gzip(bytes);
  if (rng.Chance(0.1)) ChangeBytes(bytes, rng);
  return bytes;
}

Reading ReadPoints(const std::string& path) {
  const auto read = [&] {
    ProgramSet set = ReadPrograms(path);
    const std::string text = ProgramsToText(set);
    if (ProgramsToText(ProgramsFromText(text, path)) != text) {
      throw std::logic_error("a set is another one once it is written and read");
    }
    (void)SampleOf(set, 1, 1);
    ProgramSet all;
    Append(set, &all);
  };
  return ReadOrRefuse(read, {"line 1:", "cannot read", "is empty"});
}

}  // namespace

FileTarget MakePointsTarget() {
  FileTarget target = {.kind = "points", .suffix = std::string(kProgramsEnding)};
  for (uint64_t seed = 0; seed < 2; ++seed) target.seeds.push_back(Gzip(PointsText(seed)));
  target.change = ChangedPoints;
  target.read = ReadPoints;
  return target;
}

}  // namespace schedulegym
