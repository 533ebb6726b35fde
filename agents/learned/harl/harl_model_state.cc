// Saves harl's learned state: a checkpoint of its policies and bandits, and its trees. A file
// with one of the two is read, too: checkpoints of older versions, and trees of other agents. A
// checkpoint of the same search continues where it stopped; from another search only the policy is
// used.
#include "agents/learned/harl/harl_model_state.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "agents/cost/shipped_models.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// The kind of files with two parts; the first part is a checkpoint, as in older versions.
constexpr const char* kKind = "harl 2";
constexpr const char* kCheckpointKind = "harl 1";

SavedModelState ReadModelFile(const std::string& path, const std::vector<std::string>& kinds) {
  try {
    return ReadSavedModel(path, kinds);
  } catch (const InputError& fault) {
    throw InputError(std::string("agent harl: ") + fault.what() +
                     "; model is boosted, analytical, pretrained, another pretrained_NAME of "
                     "list models, or a file of tune --save-model or train");
  }
}

std::string TextOf(const HarlSaved& saved) {
  std::vector<SavedModelState> parts = {{kCheckpointKind, ToBytes(saved.checkpoint)}};
  if (saved.trees) parts.push_back({kBoostedKind, *saved.trees});
  return JoinModelStates(parts);
}

}  // namespace

HarlSaved ReadHarlFile(const std::string& path) {
  const SavedModelState memory = ReadModelState(path, kCheckpointFile, {kKind, kCheckpointKind});
  if (memory.kind == kCheckpointKind) return {ParseCheckpoint(memory.text, path), std::nullopt};
  std::optional<HarlSaved> saved;
  for (SavedModelState& part : SplitModelStates(memory.text, path)) {
    if (part.kind == kCheckpointKind) saved = {ParseCheckpoint(part.text, path), std::nullopt};
    if (saved && part.kind == kBoostedKind) saved->trees = std::move(part.text);
  }
  if (saved) return *std::move(saved);
  throw InputError(path + ": found no checkpoint in it, expected one");
}

void WriteHarlFile(const std::string& path, const HarlSaved& saved) {
  OutputFile file(path, KeptFile::kLearned);
  file.Write(ToBytes({kKind, TextOf(saved)}));
  file.Commit();
}

Checkpoint ReadHarlCheckpoint(const std::string& path) {
  return ParseCheckpoint(ReadModelState(path, kCheckpointFile, {kCheckpointKind}).text, path);
}

std::string ReadTrees(const std::string& path) { return ReadModelFile(path, {kBoostedKind}).text; }

std::string HarlModelState::Kind() const { return kKind; }

std::optional<std::string> HarlModelState::Save() {
  const std::optional<std::string> trees = parts_.trees.Save();
  if (!trees && !HasBegun()) return std::nullopt;
  return TextOf({SaveHarl(parts_.identity, parts_.choices, parts_.policies), trees});
}

bool HarlModelState::HasBegun() const {
  return !parts_.policies.empty() ||
         std::ranges::any_of(parts_.choices, [](const SketchChoice& choice) {
           return !choice.trials.empty() || !choice.bandit.pulls().empty();
         });
}

void HarlModelState::Load(std::string_view text) {
  for (const SavedModelState& part : SplitModelStates(text, "memory of harl")) Load(part);
}

void HarlModelState::Load(const SavedModelState& saved) {
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

void HarlModelState::Load(const Checkpoint& checkpoint) {
  if (IsOfThisSearch(checkpoint)) {
    ResumeHarl(checkpoint, parts_.identity, parts_.choices, parts_.policy_of);
  } else if (!checkpoint.WordsOf("policies").empty()) {
    StartFrom(checkpoint, parts_.identity, parts_.policy_of(0, 0));
  }
}

bool HarlModelState::IsOfThisSearch(const Checkpoint& checkpoint) const {
  return checkpoint.Text("search") == parts_.identity.search &&
         checkpoint.Text("tasks") == Join(parts_.identity.tasks, " ");
}

void HarlModelState::Read(const std::string& path) {
  Load(ReadModelFile(path, {kKind, kCheckpointKind, kBoostedKind}));
}

Checkpoint HarlModelState::State() const {
  return SaveHarl(parts_.identity, parts_.choices, parts_.policies);
}

void HarlModelState::GoOn(const Checkpoint& checkpoint) {
  ResumeHarl(checkpoint, parts_.identity, parts_.choices, parts_.policy_of);
}

}  // namespace schedulegym
