// HarlMemory: what the agent `harl` has learned, and the files of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agents/learned/harl/harl_state.h"
#include "env/base/memory_file.h"

namespace schedulegym {

// Of a file that this agent left, or training, in this version or an earlier one. Throws
// InputError.
Checkpoint ReadHarlCheckpoint(const std::string& path);

class HarlMemory : public Memory {
 public:
  // All of it outlives this.
  struct Parts {
    HarlIdentity identity;
    std::vector<SketchChoice>& choices;
    TrackPolicies& policies;
    std::function<TrackPolicy&(int task, int sketch)> policy_of;  // makes what is not there
    Memory& trees;
  };
  explicit HarlMemory(Parts parts) : parts_(std::move(parts)) {}

  std::string Kind() const override;
  // Trees and policies, bandits and chance.
  std::optional<std::string> Save() override;
  // All of it in a search of the same tasks, space and policies; in another, trees and a policy, if
  // it has one yet.
  void Load(std::string_view text) override;

  // Files of tune --save-model, of earlier versions too; all throw InputError.
  // Loads it; of other agents', trees are taken.
  void Read(const std::string& path);
  // Goes on where it was written, in the same search; trees are left out, for the model learns anew
  // from what the run tells.
  void Resume(const std::string& path);
  // It appears whole, or not at all.
  void Write(const std::string& path);

 private:
  void Load(const SavedMemory& saved);
  void Load(const Checkpoint& checkpoint);
  bool IsOfThisSearch(const Checkpoint& checkpoint) const;

  Parts parts_;
};

}  // namespace schedulegym
