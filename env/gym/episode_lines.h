// EpisodeLines: reads lines "key value" in a fixed order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"

namespace schedulegym {

// Keeps the first fault; values that are read after it are invalid.
class EpisodeLines {
 public:
  explicit EpisodeLines(std::string_view text) : rest_(text) {}

  // The value of the next line, whose key has to be this.
  std::string_view Next(std::string_view key);
  // A number of 0 to `most`.
  int Number(std::string_view key, int most);
  // Sets the fault that a value is not as expected.
  void Refuse(std::string_view key, std::string_view value, const std::string& expected);

  const std::optional<Error>& fault() const { return fault_; }
  // The text that was not read.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::optional<Error> fault_;
};

// Four numbers, which read back as an equal one.
std::string RngText(const Rng& rng);
std::optional<Rng> ParseRng(std::string_view text);

// The line "actions", numbers of 0 to size - 1, at most `horizon` of them.
std::vector<int> ReadActions(EpisodeLines& lines, int size, int horizon);

}  // namespace schedulegym
