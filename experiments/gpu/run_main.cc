// The program `run` of a bundle: `run [--seconds N] [--only GROUP,...] [--peers NAME,...]
// [--first N] [--results FILE]` runs the cases in the folder `cases` beside it. Rows go to standard
// output, one line of JSON each, and to results.jsonl beside it where that folder can be written.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "experiments/gpu/bundle_run.h"
#include "experiments/gpu/option_words.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  BundleRunOptions bundle;
  std::string results;  // "" beside the program, "none" nowhere
};

constexpr const char* kUsage =
    "usage: run [OPTION VALUE]...\n\n"
    "Runs the cases beside it on this machine's card. Prints a line of JSON a row. Exit code: 0\n"
    "where all cases passed, 1 where one failed, 3 where none could run.";

// None where help was asked for.
std::optional<RunOptions> Parse(const std::vector<std::string>& words) {
  RunOptions made;
  BundleRunOptions& options = made.bundle;
  const WordOption known[] = {
      {"--seconds", "N", "no case begins after this time (default 600)",
       [&](const std::string& value) { options.seconds = SecondsOf("--seconds", value); }},
      {"--only", "GROUP,...",
       "groups of rows: check, equal, planted, peer, bench, sanitizer (default all)",
       [&](const std::string& value) {
         options.groups =
             ListOfKnown("--only", value,
                         {"check", "equal", "planted", "peer", "bench", "sanitizer", "faulty"});
       }},
      {"--peers", "NAME,...", "the vendor's libraries to time (default cublas,cudnn)",
       [&](const std::string& value) {
         options.cases.peers = ListOfKnown("--peers", value, {"cublas", "cudnn"});
       }},
      {"--first", "N", "so many cases of these groups (default all)",
       [&](const std::string& value) { options.first = CountOf("--first", value, 1); }},
      {"--results", "FILE", "where rows are written to, or none (default results.jsonl beside it)",
       [&](const std::string& value) { made.results = value; }}};
  if (PrintedHelp(kUsage, words, known)) return std::nullopt;
  ReadOptionWords(words, known);
  return made;
}

int Run(const std::string& program, const std::vector<std::string>& words) {
  std::optional<RunOptions> parsed = Parse(words);
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
  const std::string place =
      options.results.empty() ? (folder / "results.jsonl").string() : options.results;
  std::FILE* results = place == "none" ? nullptr : std::fopen(place.c_str(), "w");
  const int code = RunBundle(files, options.bundle, [&](const Json& row) {
    const std::string line = row.ToText({.replace_invalid = true}) + "\n";
    for (std::FILE* to : {stdout, results}) {
      if (to == nullptr) continue;
      std::fputs(line.c_str(), to);
      std::fflush(to);
    }
  });
  if (results != nullptr) std::fclose(results);
  return code;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  const std::string program = argc > 0 ? argv[0] : "";
  return schedulegym::RunWords(argc, argv, [&](const std::vector<std::string>& words) {
    return schedulegym::Run(program, words);
  });
}
