// ModelStateFile: learned state as a file that names its kind and version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/files.h"

namespace schedulegym {

// Learned state of an agent, a model or a scheduler, saved as a text that outlives the search.
class ModelState {
 public:
  virtual ~ModelState() = default;

  // Returns the kind and the version of the text, such as "boosted 1".
  virtual std::string Kind() const = 0;
  // nullopt if nothing was learned.
  virtual std::optional<std::string> Save() = 0;
  // Replaces the learned state. Throws InputError if Save did not write `text`.
  virtual void Load(std::string_view text) = 0;
};

struct SavedModelState {
  std::string kind;  // ModelState::Kind of the object that saved it
  std::string text;
};

// Returns the text of a state that is composed of others.
std::string JoinModelStates(const std::vector<SavedModelState>& parts);
// The inverse. Throws InputError (one line that begins with `source`) if `text` has another form.
std::vector<SavedModelState> SplitModelStates(std::string_view text, const std::string& source);

// Returns the bytes of a file: a line `schedulegym memory: KIND`, then the text. Older files lack
// this line; their first bytes identify the kind.
std::string ToBytes(const SavedModelState& saved);
// The inverse. Throws InputError (one line that begins with `source`) if it is no such file.
SavedModelState ParseModelState(std::string bytes, const std::string& source);

// Reads a file of unknown origin whose kind is one of `kinds`, such as {"harl 2", "harl 1"}. From
// a composite file it returns the first part of such a kind, also from nested parts. Throws
// InputError for other kinds and versions; the message names the found and the expected kinds.
SavedModelState ReadModelState(const std::string& path, const FileKind& file,
                               const std::vector<std::string>& kinds);

}  // namespace schedulegym
