// Memory: what an agent, a model or a scheduler has learned, as a text that outlives the search.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

class Memory {
 public:
  virtual ~Memory() = default;

  // What it is and the version of its text, such as "boosted 1".
  virtual std::string Kind() const = 0;
  // None where nothing was learned.
  virtual std::optional<std::string> Save() = 0;
  // Takes the place of what was learned. Throws InputError for what Save did not write.
  virtual void Load(std::string_view text) = 0;
};

}  // namespace schedulegym
