#include "agents/learned/harl/harl_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "env/base/fault.h"
#include "env/base/memory_file.h"
#include "env/base/output_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Made of two parts, the first of which is a checkpoint, as in versions that had no other.
constexpr const char* kKind = "harl 2";
constexpr const char* kCheckpointKind = "harl 1";

SavedMemory ReadModelFile(const std::string& path) {
  try {
    return ReadMemory(path, kModelFile, {kKind, kCheckpointKind, kBoostedKind});
  } catch (const InputError& fault) {
    throw InputError(std::string("agent harl: ") + fault.what() +
                     "; model is boosted, analytical or a file of tune --save-model");
  }
}

}  // namespace

Checkpoint ReadHarlCheckpoint(const std::string& path) {
  return ParseCheckpoint(ReadMemory(path, kCheckpointFile, {kCheckpointKind}).text, path);
}

std::string HarlMemory::Kind() const { return kKind; }

std::optional<std::string> HarlMemory::Save() {
  const std::optional<std::string> trees = parts_.trees.Save();
  const bool has_begun = std::ranges::any_of(parts_.choices, [](const SketchChoice& choice) {
    return !choice.trials.empty() || !choice.bandit.pulls().empty();
  });
  if (!trees && !has_begun && parts_.policies.empty()) return std::nullopt;
  const Checkpoint checkpoint = SaveHarl(parts_.identity, parts_.choices, parts_.policies);
  std::vector<SavedMemory> saved = {{kCheckpointKind, ToBytes(checkpoint)}};
  if (trees) saved.push_back({parts_.trees.Kind(), *trees});
  return JoinMemories(saved);
}

void HarlMemory::Load(std::string_view text) {
  for (const SavedMemory& part : SplitMemories(text, "memory of harl")) Load(part);
}

void HarlMemory::Load(const SavedMemory& saved) {
  if (saved.kind == kKind) {
    Load(saved.text);
  } else if (saved.kind == parts_.trees.Kind()) {
    parts_.trees.Load(saved.text);
  } else if (saved.kind == kCheckpointKind) {
    Load(ParseCheckpoint(saved.text, "memory of harl"));
  } else {
    throw InputError("memory of harl: found kind '" + saved.kind + "', expected '" +
                     kCheckpointKind + "' or '" + parts_.trees.Kind() + "'");
  }
}

void HarlMemory::Load(const Checkpoint& checkpoint) {
  if (IsOfThisSearch(checkpoint)) {
    ResumeHarl(checkpoint, parts_.identity, parts_.choices, parts_.policy_of);
  } else if (!checkpoint.WordsOf("policies").empty()) {
    StartFrom(checkpoint, parts_.identity, parts_.policy_of(0, 0));
  }
}

bool HarlMemory::IsOfThisSearch(const Checkpoint& checkpoint) const {
  return checkpoint.Text("search") == parts_.identity.search &&
         checkpoint.Text("tasks") == Join(parts_.identity.tasks, " ");
}

void HarlMemory::Read(const std::string& path) { Load(ReadModelFile(path)); }

void HarlMemory::Resume(const std::string& path) {
  ResumeHarl(ReadHarlCheckpoint(path), parts_.identity, parts_.choices, parts_.policy_of);
}

void HarlMemory::Write(const std::string& path) {
  const std::optional<std::string> text = Save();
  if (!text) return;
  OutputFile file(path);
  file.Write(ToBytes({kKind, *text}));
  file.Commit();
}

}  // namespace schedulegym
