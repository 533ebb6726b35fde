// HarlModelState: what the agent `harl` has learned, and the files of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agents/learned/harl/harl_state.h"
#include "env/base/model_state_file.h"

namespace schedulegym {

// Of a file that this agent left, or training, in this version or an earlier one. Throws
// InputError.
Checkpoint ReadHarlCheckpoint(const std::string& path);

// What an agent keeps: a checkpoint, and trees as they are.
struct HarlSaved {
  Checkpoint checkpoint;
  std::optional<std::string> trees;
};
// Of such a file as above, all of it; a file of the first version has no trees.
HarlSaved ReadHarlFile(const std::string& path);
// The text of the trees in a file of tune --save-model, of whatever agent. Throws InputError.
std::string ReadTrees(const std::string& path);
// It appears whole, or not at all. Throws InputError.
void WriteHarlFile(const std::string& path, const HarlSaved& saved);

class HarlModelState : public ModelState {
 public:
  // All of it outlives this.
  struct Parts {
    HarlIdentity identity;
    std::vector<SketchChoice>& choices;
    TrackPolicies& policies;
    std::function<TrackPolicy&(int task, int sketch)> policy_of;  // makes what is not there
    ModelState& trees;
  };
  explicit HarlModelState(Parts parts) : parts_(std::move(parts)) {}

  std::string Kind() const override;
  // Trees and policies, bandits and chance.
  std::optional<std::string> Save() override;
  // All of it in a search of the same tasks, space and policies; in another, trees and a policy, if
  // it has one yet.
  void Load(std::string_view text) override;

  // The same of a file of tune --save-model, of earlier versions too; of other agents', trees are
  // taken. Throws InputError.
  void Read(const std::string& path);

  // Trees are left to the agent.
  Checkpoint State() const;
  // Goes on where it was, in the same search. Throws InputError.
  void GoOn(const Checkpoint& checkpoint);

 private:
  void Load(const SavedModelState& saved);
  void Load(const Checkpoint& checkpoint);
  bool HasBegun() const;
  bool IsOfThisSearch(const Checkpoint& checkpoint) const;

  Parts parts_;
};

}  // namespace schedulegym
