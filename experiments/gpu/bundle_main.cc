// The program `gpu-bundle`: writes FOLDER/run, which needs libc alone, and cases beside it, for a
// machine with a card. From NVIDIA it has only the machine code that its compiler made of this
// project's text. usage: gpu-bundle -o FOLDER [OPTION VALUE]...
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/ipc/encoding.h"
#include "experiments/gpu/case_list.h"
#include "experiments/gpu/option_words.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

// On a machine with another architecture the shell only reports that `run` cannot be executed.
constexpr const char* kReadme =
    "run checks and times kernels on this machine's card: ./run --help\n"
    "It is a program for Linux on x86-64 and needs the C library and NVIDIA's driver. Another\n"
    "processor cannot execute it: make the bundle on a machine with x86-64, and run it there.\n";

struct BundleOptions {
  std::string folder;
  CaseListOptions cases;
  int megabytes = 60;
};

constexpr const char* kUsage =
    "usage: gpu-bundle -o FOLDER [OPTION VALUE]...\n\n"
    "Writes FOLDER/run and machine code beside it, for a machine with a card of NVIDIA's.";

// nullopt after help.
std::optional<BundleOptions> Parse(const std::vector<std::string>& words, CheckedOutput& out) {
  BundleOptions options;
  CaseListOptions& cases = options.cases;
  const WordOption known[] = {
      {"-o", "FOLDER", "the folder", [&](const std::string& value) { options.folder = value; }},
      {"--checks", "N", "random schedules of small operators (default 120)",
       [&](const std::string& value) { cases.checks = CountOf("--checks", value); }},
      {"--schedules", "N", "schedules of each timed workload (default 40)",
       [&](const std::string& value) { cases.schedules = CountOf("--schedules", value); }},
      {"--cards", "NAME,...", "for which cards (default h100,a100,rtx3090,rtx4090)",
       [&](const std::string& value) { cases.cards = ListOf(value); }},
      {"--megabytes", "N", "the most that it may have (default 60)",
       [&](const std::string& value) { options.megabytes = CountOf("--megabytes", value, 1); }}};
  if (PrintedHelp(out, kUsage, words, known)) return std::nullopt;
  ReadOptionWords(words, known);
  if (options.folder.empty()) throw InputError("expected -o FOLDER");
  return options;
}

void Copy(const fs::path& from, const fs::path& to) {
  OutputFile file(to.string());
  std::error_code error;
  const fs::path place = file.temporary_path();
  fs::copy_file(from, place, fs::copy_options::overwrite_existing, error);
  if (!error) fs::permissions(place, fs::status(from, error).permissions(), error);
  if (error) throw InputError(to.string() + ": cannot be written: " + error.message());
  file.Commit();
}

// Copies the program next to this one in the build.
void CopyProgram(const fs::path& folder) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  Copy(here / "gpu-bundle-run", folder / "run");
}

int Make(const std::vector<std::string>& words, CheckedOutput& out) {
  const std::optional<BundleOptions> options = Parse(words, out);
  if (!options) return 0;
  const fs::path folder = options->folder;
  std::error_code error;
  fs::remove_all(folder / kCaseFolder, error);
  fs::create_directories(folder / kCaseFolder, error);
  if (error) throw InputError(folder.string() + ": cannot be made: " + error.message());
  CopyProgram(folder);
  WriteOutput((folder / "README").string(), kReadme);
  size_t bytes = fs::file_size(folder / "run", error);
  int count = 0;
  MakeCases(options->cases, [&](const GpuCase& one) {
    char name[64];
    std::snprintf(name, sizeof name, "%05d-%s.case", count++, one.group.c_str());
    const std::string text = Encode(one);
    WriteOutput((folder / kCaseFolder / name).string(), text);
    bytes += text.size();
    std::fprintf(stderr, "\r%d cases", count);
  });
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::fprintf(stderr, "\n%.1f MB\n", megabytes);
  if (megabytes > options->megabytes) {
    throw InputError("the bundle has more than " + std::to_string(options->megabytes) +
                     " MB, expected fewer --checks, --schedules or --cards, or more --megabytes");
  }
  out.Print((folder / "run").string() + "\n");
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::RunWords(argc, argv, schedulegym::Make); }
