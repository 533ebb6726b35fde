#include "env/gym/episode_lines.h"

#include "env/base/text.h"

namespace schedulegym {
namespace {

std::vector<std::string_view> Listed(std::string_view text, char separator) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const auto [item, rest] = Cut(text, separator);
    items.push_back(item);
    text = rest;
  }
  return items;
}

std::optional<uint64_t> ParseWord(std::string_view text) {
  uint64_t word = 0;
  if (text.empty()) return std::nullopt;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(word, uint64_t{10}, &word)) return std::nullopt;
    if (__builtin_add_overflow(word, static_cast<uint64_t>(c - '0'), &word)) return std::nullopt;
  }
  return word;
}

}  // namespace

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

std::string RngText(const Rng& rng) {
  std::vector<std::string> words;
  for (uint64_t word : rng.state()) words.push_back(std::to_string(word));
  return Join(words, ",");
}

std::optional<Rng> ParseRng(std::string_view text) {
  const std::vector<std::string_view> words = Listed(text, ',');
  Rng::State state{};
  if (words.size() != state.size()) return std::nullopt;
  bool all_zero = true;
  for (size_t i = 0; i < state.size(); ++i) {
    const std::optional<uint64_t> word = ParseWord(words[i]);
    if (!word) return std::nullopt;
    state[i] = *word;
    all_zero = all_zero && *word == 0;
  }
  return all_zero ? std::nullopt : std::optional(Rng(state));
}

std::vector<int> ReadActions(EpisodeLines& lines, int size, int horizon) {
  const std::string_view text = lines.Next("actions");
  std::vector<int> actions;
  for (std::string_view item : Listed(text, ',')) {
    const std::optional<int64_t> action = ParseInteger(item);
    if (!action || *action < 0 || *action >= size) {
      lines.Refuse("action", item, "0.." + std::to_string(size - 1));
      return {};
    }
    actions.push_back(static_cast<int>(*action));
  }
  if (static_cast<int>(actions.size()) > horizon) {
    lines.Refuse("actions", text, "at most " + std::to_string(horizon));
  }
  return actions;
}

}  // namespace schedulegym
