// HarlModelState: the learned state of the agent `harl`, and its files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agents/learned/harl/harl_state.h"
#include "env/base/model_state_file.h"

namespace schedulegym {

// Reads the checkpoint of a file by this agent or its training, of this version or an earlier one.
// Throws InputError.
Checkpoint ReadHarlCheckpoint(const std::string& path);

// The saved state of an agent: a checkpoint, and its current trees.
struct HarlSaved {
  Checkpoint checkpoint;
  std::optional<std::string> trees;
};
// Reads all of such a file. Files of the first version have no trees.
HarlSaved ReadHarlFile(const std::string& path);
// Returns the text of the trees in a file of tune --save-model by any agent. Throws InputError.
std::string ReadTrees(const std::string& path);
// Writes the file atomically. Throws InputError.
void WriteHarlFile(const std::string& path, const HarlSaved& saved);

class HarlModelState : public ModelState {
 public:
  // All parts outlive the state.
  struct Parts {
    HarlIdentity identity;
    std::vector<SketchChoice>& choices;
    TrackPolicies& policies;
    std::function<TrackPolicy&(int task, int sketch)> policy_of;  // makes a missing one
    ModelState& trees;
  };
  explicit HarlModelState(Parts parts) : parts_(std::move(parts)) {}

  std::string Kind() const override;
  // Trees, policies, bandits and random states; nullopt if nothing is learned yet.
  std::optional<std::string> Save() override;
  // Restores all of it in a search of the same tasks, space and policies. In another search
  // restores only the trees and, if there is one, the first policy.
  void Load(std::string_view text) override;

  // As Load, from a file of tune --save-model, also of earlier versions. A file of another agent
  // gives only trees. Throws InputError.
  void Read(const std::string& path);

  // The checkpoint alone; the agent saves the trees.
  Checkpoint State() const;
  // Restores the checkpoint of the same search. Throws InputError.
  void GoOn(const Checkpoint& checkpoint);

 private:
  void Load(const SavedModelState& saved);
  void Load(const Checkpoint& checkpoint);
  bool HasBegun() const;
  bool IsOfThisSearch(const Checkpoint& checkpoint) const;

  Parts parts_;
};

}  // namespace schedulegym
