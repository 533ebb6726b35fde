// MemoryFile: what was learned, as a file that says what it is and of which version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/files.h"

namespace schedulegym {

// What an agent, a model or a scheduler has learned, as a text that outlives the search.
class ModelState {
 public:
  virtual ~ModelState() = default;

  // What it is and the version of its text, such as "boosted 1".
  virtual std::string Kind() const = 0;
  // None where nothing was learned.
  virtual std::optional<std::string> Save() = 0;
  // Takes the place of what was learned. Throws InputError for what Save did not write.
  virtual void Load(std::string_view text) = 0;
};

struct SavedModelState {
  std::string kind;  // ModelState::Kind of what saved it
  std::string text;
};

// The text of a memory that is made of others.
std::string JoinModelStates(const std::vector<SavedModelState>& parts);
// Throws InputError, one line that begins with `source`, for what is no such text.
std::vector<SavedModelState> SplitModelStates(std::string_view text, const std::string& source);

// The bytes of a file: a line `schedulegym memory: KIND`, and the text. One that was written
// before there was that line says by its first bytes what it is.
std::string ToBytes(const SavedModelState& saved);
// Throws InputError, one line that begins with `source`, for what is no such file.
SavedModelState ParseModelState(std::string bytes, const std::string& source);

// A foreign file of one of these kinds, such as {"harl 2", "harl 1"}, or the first part of such a
// kind of one that is made of parts, or of parts of these; another, or another version, is refused
// by a line that says which was found and which are taken. Throws InputError.
SavedModelState ReadModelState(const std::string& path, const FileKind& file,
                               const std::vector<std::string>& kinds);

}  // namespace schedulegym
