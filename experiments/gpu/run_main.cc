// The program `run` of a bundle: `run [--seconds N] [--only GROUP,...] [--peers NAME,...]` runs the
// cases in the folder `cases` beside it. Rows go to standard output, one line of JSON each, and to
// results.jsonl beside it where that folder can be written.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "experiments/gpu/bundle_run.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGroups[] = {"check", "equal", "planted", "peer", "bench"};
constexpr const char* kPeers[] = {"cublas", "cudnn"};

template <typename Names>
std::vector<std::string> Words(const std::string& option, const std::string& text,
                               const Names& known) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
    if (std::ranges::find(known, words.back()) == std::end(known)) {
      std::vector<std::string> names(std::begin(known), std::end(known));
      throw InputError(option + ": found '" + words.back() + "', expected some of " +
                       Join(names, ", "));
    }
  }
  return words;
}

BundleRunOptions Parse(const std::vector<std::string>& words) {
  BundleRunOptions options;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) throw InputError(words[i] + ": expected a value");
    const std::string& value = words[i + 1];
    if (words[i] == "--seconds") {
      options.seconds = std::atof(value.c_str());
      if (!(options.seconds > 0)) {
        throw InputError("--seconds: found '" + value + "', expected more than 0");
      }
    } else if (words[i] == "--only") {
      options.groups = Words(words[i], value, kGroups);
    } else if (words[i] == "--peers") {
      options.cases.peers = Words(words[i], value, kPeers);
    } else {
      throw InputError("found '" + words[i] + "', expected --seconds N, --only GROUP,... or " +
                       "--peers NAME,...");
    }
  }
  return options;
}

int Run(const std::string& program, const std::vector<std::string>& words) {
  const BundleRunOptions options = Parse(words);
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
  std::FILE* results = std::fopen((folder / "results.jsonl").c_str(), "w");
  const int code = RunBundle(files, options, [&](const Json& row) {
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
  try {
    return schedulegym::Run(argc > 0 ? argv[0] : "",
                            std::vector<std::string>(argv + (argc > 0), argv + argc));
  } catch (const schedulegym::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
}
