// The program `gpu-bundle`: writes FOLDER/run, which needs libc alone, and cases beside it, for a
// machine with a card. Nothing of NVIDIA's is in it but machine code that its compiler made of this
// project's text. usage: gpu-bundle -o FOLDER [--checks N] [--schedules N] [--cards NAME,...]
#include <cstdio>
#include <filesystem>
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

struct BundleOptions {
  std::string folder;
  CaseListOptions cases;
};

BundleOptions Parse(const std::vector<std::string>& words) {
  BundleOptions options;
  CaseListOptions& cases = options.cases;
  const WordOption known[] = {
      {"-o", "FOLDER", [&](const std::string& value) { options.folder = value; }},
      {"--checks", "N",
       [&](const std::string& value) { cases.checks = CountOf("--checks", value); }},
      {"--schedules", "N",
       [&](const std::string& value) { cases.schedules = CountOf("--schedules", value); }},
      {"--cards", "NAME,...", [&](const std::string& value) { cases.cards = ListOf(value); }}};
  ReadOptionWords(words, known);
  if (options.folder.empty()) throw InputError("expected -o FOLDER");
  return options;
}

void Copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) throw InputError(to.string() + ": cannot be written: " + error.message());
}

// The program that lies beside this one in the build.
void CopyProgram(const fs::path& folder) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  Copy(here / "gpu-bundle-run", folder / "run");
}

int Make(const std::vector<std::string>& words) {
  const BundleOptions options = Parse(words);
  const fs::path folder = options.folder;
  std::error_code error;
  fs::remove_all(folder / kCaseFolder, error);
  fs::create_directories(folder / kCaseFolder, error);
  if (error) throw InputError(folder.string() + ": cannot be made: " + error.message());
  CopyProgram(folder);
  int count = 0;
  MakeCases(options.cases, [&](const GpuCase& one) {
    char name[64];
    std::snprintf(name, sizeof name, "%05d-%s.case", count++, one.group.c_str());
    WriteOutput((folder / kCaseFolder / name).string(), Encode(one));
    std::fprintf(stderr, "\r%d cases", count);
  });
  std::fprintf(stderr, "\n");
  std::printf("%s\n", (folder / "run").c_str());
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::RunWords(argc, argv, schedulegym::Make); }
