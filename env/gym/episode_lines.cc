#include "env/gym/episode_lines.h"

#include "env/base/text.h"

namespace schedulegym {

std::string_view EpisodeLines::Next(std::string_view key) {
  const auto [line, rest] = Cut(rest_, '\n');
  const auto [found, value] = Cut(line, ' ');
  if (found != key) {
    Refuse("line", line, "'" + std::string(key) + " ...'");
    return {};
  }
  rest_ = rest;
  return value;
}

int EpisodeLines::Number(std::string_view key, int most) {
  const std::string_view value = Next(key);
  const std::optional<int64_t> number = ParseInteger(value);
  if (number && *number >= 0 && *number <= most) return static_cast<int>(*number);
  Refuse(key, value, "0.." + std::to_string(most));
  return 0;
}

void EpisodeLines::Refuse(std::string_view key, std::string_view value,
                          const std::string& expected) {
  if (fault_) return;
  std::string message = "found ";
  message.append(key).append(" '").append(value).append("', expected ").append(expected);
  fault_ = Error{ErrorKind::kParse, std::move(message)};
}

}  // namespace schedulegym
