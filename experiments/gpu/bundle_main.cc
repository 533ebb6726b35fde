// The program `gpu-bundle`: writes FOLDER/run, which needs libc alone, and cases beside it, for a
// machine with a card. Nothing of NVIDIA's is in it but machine code that its compiler made of this
// project's text. usage: gpu-bundle -o FOLDER [--checks N] [--schedules N] [--cards NAME,...]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"
#include "experiments/gpu/case_list.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

struct BundleOptions {
  std::string folder;
  CaseListOptions cases;
};

int Count(const std::string& option, const std::string& value) {
  constexpr int64_t kMost = 100'000;
  const auto number = ParseInteger(value);
  if (number && *number >= 0 && *number <= kMost) return static_cast<int>(*number);
  throw InputError(option + ": found '" + value + "', expected 0 to 100000");
}

BundleOptions Parse(const std::vector<std::string>& words) {
  BundleOptions options;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) throw InputError(words[i] + ": expected a value");
    const std::string& value = words[i + 1];
    if (words[i] == "-o") {
      options.folder = value;
    } else if (words[i] == "--checks") {
      options.cases.checks = Count(words[i], value);
    } else if (words[i] == "--schedules") {
      options.cases.schedules = Count(words[i], value);
    } else if (words[i] == "--cards") {
      options.cases.cards.clear();
      std::string_view rest = value;
      while (!rest.empty()) {
        const auto [card, others] = Cut(rest, ',');
        options.cases.cards.emplace_back(card);
        rest = others;
      }
    } else {
      throw InputError("found '" + words[i] +
                       "', expected -o FOLDER, --checks N, --schedules N or --cards NAME,...");
    }
  }
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

int main(int argc, char** argv) {
  try {
    return schedulegym::Make(std::vector<std::string>(argv + (argc > 0), argv + argc));
  } catch (const schedulegym::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
}
