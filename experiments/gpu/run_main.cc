// The program `run` of a bundle: `run [--seconds N] [--only GROUP,...] [--peers NAME,...]
// [--first N] [--results FILE]` runs the cases in the folder `cases` beside it. Rows go to standard
// output, one line of JSON each, and to results.jsonl beside it where that folder can be written.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "experiments/gpu/bundle_run.h"
#include "experiments/gpu/option_words.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr double kSecondsBetweenWrites = 1;

struct RunOptions {
  BundleRunOptions bundle;
  std::optional<std::string> results;  // without: beside the program; "none": nowhere
};

// The rows in a file, as outputs are written (OutputFile). A regular file is replaced about once a
// second, so that it holds whole rows at any time; anything else is written to once.
class RowsFile {
 public:
  // Throws InputError where it cannot be written.
  explicit RowsFile(std::string place) : place_(std::move(place)) {
    const OutputFile writable(place_);
    std::error_code error;
    const fs::file_status status = fs::status(place_, error);
    is_replaced_ = fs::is_regular_file(status) || !fs::exists(status);
  }

  void Add(const std::string& line) {
    rows_ += line;
    const double now = clock_.Now();
    if (!is_replaced_ || now - written_ < kSecondsBetweenWrites) return;
    Finish();
    written_ = clock_.Now();
  }
  void Finish() const { WriteOutput(place_, rows_); }

 private:
  std::string place_, rows_;
  bool is_replaced_ = true;
  SteadyClock clock_;
  double written_ = clock_.Now();
};

// Standard output only, where no file was asked for and the folder is not writable.
std::optional<RowsFile> ResultsOf(const std::optional<std::string>& asked, const fs::path& folder) {
  if (asked == "none") return std::nullopt;
  try {
    return std::optional<RowsFile>(std::in_place, asked.value_or(folder / "results.jsonl"));
  } catch (const InputError& error) {
    if (asked) throw;
    std::fprintf(stderr, "warning: %s; rows go to standard output alone\n", error.what());
    return std::nullopt;
  }
}

constexpr const char* kUsage =
    "usage: run [OPTION VALUE]...\n\n"
    "Runs the cases beside it on this machine's card. Prints a line of JSON a row. Exit code: 0\n"
    "where all cases passed, 1 where one failed, 3 where none could run.";

// nullopt after help.
std::optional<RunOptions> Parse(const std::vector<std::string>& words, CheckedOutput& out) {
  RunOptions made;
  BundleRunOptions& options = made.bundle;
  const WordOption known[] = {
      {"--seconds", "N", "no case begins after this time (default 600)",
       [&](const std::string& value) { options.seconds = SecondsOf("--seconds", value); }},
      {"--only", "GROUP,...",
       "groups of rows: check, equal, planted, peer, best, bench, sanitizer (default all)",
       [&](const std::string& value) {
         options.groups = ListOfKnown(
             "--only", value,
             {"check", "equal", "planted", "peer", "best", "bench", "sanitizer", "faulty"});
       }},
      {"--peers", "NAME,...", "the vendor's libraries to time (default cublas,cudnn)",
       [&](const std::string& value) {
         options.cases.peers = ListOfKnown("--peers", value, {"cublas", "cudnn"});
       }},
      {"--first", "N", "so many cases of these groups (default all)",
       [&](const std::string& value) { options.first = CountOf("--first", value, 1); }},
      {"--restart", "N", "a new process after so many cases (default 2000)",
       [&](const std::string& value) {
         options.cases_of_process = CountOf("--restart", value, 1);
       }},
      {"--results", "FILE", "where rows are written to, or none (default results.jsonl beside it)",
       [&](const std::string& value) {
         if (value.empty()) throw InputError("--results: found an empty name, expected a file");
         made.results = value;
       }}};
  if (PrintedHelp(out, kUsage, words, known)) return std::nullopt;
  ReadOptionWords(words, known);
  return made;
}

int Run(const std::string& program, const std::vector<std::string>& words, CheckedOutput& out) {
  std::optional<RunOptions> parsed = Parse(words, out);
  if (!parsed) return 0;
  RunOptions& options = *parsed;
  std::error_code error;
  // Where /proc is not mounted, as it was called.
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) self = program;
  const fs::path folder = self.parent_path();
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder / kCaseFolder, error), end; !error && at != end;
       at.increment(error)) {
    files.push_back(at->path().string());
  }
  if (files.empty()) {
    throw InputError("found no case in " + (folder / kCaseFolder).string() +
                     ", expected those of ./sg bundle gpu");
  }
  std::ranges::sort(files);
  options.bundle.sanitizer.program = self.string();
  std::optional<RowsFile> results = ResultsOf(options.results, folder);
  const int code = RunBundle(files, options.bundle, [&](const Json& row) {
    const std::string line = row.ToText({.replace_invalid = true}) + "\n";
    out.Print(line);
    if (results) results->Add(line);
  });
  if (results) results->Finish();
  return code;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  const std::string program = argc > 0 ? argv[0] : "";
  return schedulegym::RunWords(
      argc, argv, [&](const std::vector<std::string>& words, schedulegym::CheckedOutput& out) {
        return schedulegym::Run(program, words, out);
      });
}
