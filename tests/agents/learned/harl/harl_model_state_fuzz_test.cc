// Fuzzes the files of a search by `harl`: a reader must reject a changed file or continue from it.
// SCHEDULEGYM_FUZZ_FILES is the number of files (default 120).
#include "agents/learned/harl/harl_model_state.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <type_traits>
#include <variant>

#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "tests/agents/learned/harl/harl_run.h"
#include "tests/fuzz/files/file_fuzz.h"
#include "tests/fuzz/files/file_target.h"
#include "tests/fuzz/files/json_change.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

constexpr const char* kSource = "a seed";

int64_t Files() {
  const char* text = std::getenv("SCHEDULEGYM_FUZZ_FILES");
  return text == nullptr ? 120 : std::atoi(text);
}

// The file of a search after `turns` batches of 16.
std::string LeftBy(const std::string& more, int turns) {
  const std::string path = FileIn("left.sgp");
  HarlRun run(With("checkpoint", path) + more);
  run.Search(turns);
  run.End();
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// In the middle of a round ranked by trees, and of one that was drawn.
std::vector<std::string> Seeds() { return {LeftBy("", 5), LeftBy(",estimate_first=false", 1)}; }

template <typename Number>
Number SomeValue(Rng& rng) {
  constexpr uint64_t kWords[] = {
      0, 1, 2, 31, INT32_MAX, uint64_t{1} << 31, uint64_t{1} << 62, UINT64_MAX};
  constexpr double kNumbers[] = {0, 1, -1, 0.5, 1e-30, 1e30, -1e30, 3e38};
  if constexpr (std::is_integral_v<Number>) {
    return kWords[static_cast<size_t>(rng.Below(std::ssize(kWords)))];
  } else {
    return static_cast<Number>(kNumbers[static_cast<size_t>(rng.Below(std::ssize(kNumbers)))]);
  }
}

// Replaces a few values, or adds or removes one.
template <typename Number>
void Change(NamedNumbers<Number>& numbers, Rng& rng) {
  std::vector<Number>& values = numbers.values;
  if (values.empty() || rng.Chance(0.1)) {
    values.push_back(SomeValue<Number>(rng));
  } else if (rng.Chance(0.1)) {
    values.pop_back();
  } else {
    for (int64_t left = 1 + rng.Below(4); left > 0; --left) {
      values[static_cast<size_t>(rng.Below(std::ssize(values)))] = SomeValue<Number>(rng);
    }
    return;
  }
  numbers.shape = {std::ssize(values)};
}

void Change(std::string& text, Rng& rng) {
  if (text.empty() || rng.Chance(0.3)) {
    ChangeBytes(text, rng);
  } else {
    text = ChangedText({text}, rng);
  }
}

using Entries = std::vector<std::pair<std::string, Checkpoint::Entry>>;

// Skips networks half of the time, because they have most of the entries.
size_t SomeEntry(const Entries& entries, Rng& rng) {
  const bool spares_networks = rng.Chance(0.5);
  while (true) {
    const auto at = static_cast<size_t>(rng.Below(std::ssize(entries)));
    if (!spares_networks || !entries[at].first.starts_with("policy.")) return at;
  }
}

// A checkpoint with a valid checksum and one invalid entry.
std::string ChangedCheckpoint(const std::string& bytes, Rng& rng) {
  Entries entries = ParseCheckpoint(bytes, kSource).entries();
  const size_t at = SomeEntry(entries, rng);
  if (rng.Chance(0.1)) {
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (rng.Chance(0.1)) {
    entries[at].second = entries[SomeEntry(entries, rng)].second;
  } else {
    std::visit([&](auto& held) { Change(held, rng); }, entries[at].second);
  }
  Checkpoint checkpoint;
  for (auto& [name, entry] : entries) checkpoint.Put(name, std::move(entry));
  return ToBytes(checkpoint);
}

// Removes or duplicates one of the parts.
void ChangeParts(std::vector<SavedModelState>& parts, Rng& rng) {
  const auto at = static_cast<size_t>(rng.Below(std::ssize(parts)));
  if (rng.Chance(0.5)) {
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    parts.push_back(SavedModelState(parts[at]));
  }
}

std::string ChangedFile(const std::vector<std::string>& seeds, Rng& rng) {
  std::string bytes = AnyOf(seeds, rng);
  if (rng.Chance(0.1)) {
    ChangeBytes(bytes, rng);
    return bytes;
  }
  const SavedModelState memory = ParseModelState(bytes, kSource);
  std::vector<SavedModelState> parts = SplitModelStates(memory.text, kSource);
  if (rng.Chance(0.1)) {
    ChangeParts(parts, rng);
  } else if (parts.size() > 1 && rng.Chance(0.2)) {
    parts[1].text = ChangedJson(parts[1].text, rng);
  } else {
    parts[0].text = ChangedCheckpoint(parts[0].text, rng);
  }
  return ToBytes({memory.kind, JoinModelStates(parts)});
}

// Loads the file by each option that accepts it; a checkpoint is then searched from for a while.
void Use(const std::string& path) {
  const std::string file = path + ".own";  // the search writes it
  std::filesystem::copy_file(path, file, std::filesystem::copy_options::overwrite_existing);
  HarlRun run(With("checkpoint", file));
  run.Search(3);
  HarlRun(With("model", path)).End();
  const bool has_policy = !ReadHarlCheckpoint(path).WordsOf("policies").empty();
  if (has_policy) HarlRun(With("policy", path)).End();
}

Reading ReadBack(const std::string& path) {
  try {
    Use(path);
    return {true, true, ""};
  } catch (const InputError& fault) {
    const std::string said = fault.what();
    const bool is_of_header = said.find("cannot read '") != said.npos ||
                              said.find("is not made of whole parts") != said.npos ||
                              said.find("found no ") != said.npos;
    return {!is_of_header, false, said};
  }
}

FileFuzzReport Fuzz(int64_t count, decltype(FileTarget::change) change) {
  FileTarget target = {.kind = "harl", .suffix = ".sgp", .seeds = Seeds()};
  target.change = std::move(change);
  target.read = ReadBack;
  return FuzzFiles(target, {.count = count, .folder = testing::TempDir()});
}

TEST(HarlModelStateFuzzTest, ChangedFilesAreRefusedOrServe) {
  const int64_t count = Files();
  const FileFuzzReport report = Fuzz(count, ChangedFile);
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_EQ(report.files, count);
  EXPECT_GT(report.accepted, 0);
  EXPECT_LT(report.accepted, report.files);
}

TEST(HarlModelStateFuzzTest, UnchangedTheyServe) {
  const FileFuzzReport report =
      Fuzz(4, [](const std::vector<std::string>& seeds, Rng& rng) { return AnyOf(seeds, rng); });
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_EQ(report.accepted, 4);
}

// The parts that the fuzzed files contain.
TEST(HarlModelStateFuzzTest, SeedsHoldAllThatASearchKeeps) {
  const std::vector<std::string> seeds = Seeds();
  const std::string path = FileIn("seed.sgp");
  for (const std::string& seed : seeds) {
    std::ofstream(path, std::ios::binary) << seed;
    const HarlSaved saved = ReadHarlFile(path);
    EXPECT_TRUE(saved.checkpoint.Has("task.0.round"));
    EXPECT_FALSE(saved.checkpoint.WordsOf("told").empty());
    EXPECT_EQ(saved.trees.has_value(), &seed == seeds.data());
  }
}

}  // namespace
}  // namespace schedulegym
