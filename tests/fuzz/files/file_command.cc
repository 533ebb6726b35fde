#include "tests/fuzz/files/file_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>

#include "env/base/text.h"
#include "env/measure/timing/clocks.h"
#include "experiments/cli/common/progress.h"
#include "tests/fuzz/files/file_target.h"

namespace schedulegym {
namespace {

void Print(const std::string& kind, const FileFuzzReport& report) {
  std::printf(
      "%s: %lld files, %lld of them valid past the header, %lld accepted, %lld crashes, %lld slow, "
      "%lld large, %lld unclear messages; at most %.2f s and %lld MiB\n",
      kind.c_str(), static_cast<long long>(report.files),
      static_cast<long long>(report.past_header), static_cast<long long>(report.accepted),
      static_cast<long long>(report.crashes), static_cast<long long>(report.slow),
      static_cast<long long>(report.large), static_cast<long long>(report.unclear),
      report.worst_seconds, static_cast<long long>(report.worst_bytes >> 20));
  for (const std::string& diagnostic : report.diagnostics)
    std::printf("FAIL %s\n", diagnostic.c_str());
  std::fflush(stdout);
}

}  // namespace

CLI::App* FileCommand::Declare(CLI::App& app) {
  CLI::App* files = app.add_subcommand("files", "changed files against the readers of commands");
  files->add_option("--kind", kind_, "all, or one of " + Join(FileKinds(), ", "));
  files->add_option("--seed", options_.seed, "of the first file; the next has the next one");
  files->add_option("--count", options_.count, "how many files of each kind")
      ->check(CLI::PositiveNumber);
  files->add_flag("--foreign", options_.foreign,
                  "puts bytes outside ASCII into each file and looks at the messages");
  files->add_option("--folder", options_.folder, "where files of failures are written");
  return files;
}

int FileCommand::Run() const {
  bool is_right = true;
  const SteadyClock clock;
  for (const std::string& kind : kind_ == "all" ? FileKinds() : std::vector{kind_}) {
    Progress progress(stderr, true, "fuzz files, " + kind, clock);
    const FileFuzzReport report = FuzzFiles(kind, options_, [&](int64_t done, int64_t total) {
      progress.Update({.done = done, .total = total});
      return true;
    });
    progress.Clear();
    Print(kind, report);
    is_right = is_right && report.ok();
  }
  return is_right ? 0 : 1;
}

}  // namespace schedulegym
