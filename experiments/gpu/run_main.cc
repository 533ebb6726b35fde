// The program `run` of a bundle: `run [--seconds N] [--only GROUP,...] [--peers NAME,...]
// [--first N] [--results FILE]` runs the cases in the folder `cases` beside it. Rows go to standard
// output, one line of JSON each, and to results.jsonl beside it where that folder can be written.
#include <algorithm>
#include <cstdio>
#include <filesystem>
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

RunOptions Parse(const std::vector<std::string>& words) {
  RunOptions made;
  BundleRunOptions& options = made.bundle;
  const WordOption known[] = {
      {"--seconds", "N",
       [&](const std::string& value) { options.seconds = SecondsOf("--seconds", value); }},
      {"--only", "GROUP,...",
       [&](const std::string& value) {
         options.groups =
             ListOfKnown("--only", value,
                         {"check", "equal", "planted", "peer", "bench", "sanitizer", "faulty"});
       }},
      {"--peers", "NAME,...",
       [&](const std::string& value) {
         options.cases.peers = ListOfKnown("--peers", value, {"cublas", "cudnn"});
       }},
      {"--first", "N",
       [&](const std::string& value) { options.first = CountOf("--first", value, 1); }},
      {"--results", "FILE", [&](const std::string& value) { made.results = value; }}};
  ReadOptionWords(words, known);
  return made;
}

int Run(const std::string& program, const std::vector<std::string>& words) {
  RunOptions options = Parse(words);
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
