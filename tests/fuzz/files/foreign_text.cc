#include "tests/fuzz/files/foreign_text.h"

#include <vector>

#include "env/base/utf8.h"

namespace schedulegym {
namespace {

// The begin of a random character.
size_t PlaceOfCharacter(const std::string& text, Rng& rng) {
  auto at = static_cast<size_t>(rng.Below(static_cast<int64_t>(text.size()) + 1));
  while (at > 0 && at < text.size() && (text[at] & 0xc0) == 0x80) --at;
  return at;
}

// Whether the message shows a byte above ASCII as \xNN.
bool ShowsPartOfCharacter(std::string_view message) {
  for (size_t at = message.find("\\x"); at != message.npos; at = message.find("\\x", at + 2)) {
    if (at + 2 < message.size() &&
        std::string_view("89abcdef").find(message[at + 2]) != message.npos)
      return true;
  }
  return false;
}

}  // namespace

std::string WithForeignBytes(std::string text, Rng& rng) {
  static const std::vector<std::string> whole = {"\ufeff",       "\u00fc",     "\u00df", "\u20ac",
                                                 "\u4e2d\u6587", "\U0001f600", "\u0301", "\u00a0"};
  static const std::vector<std::string> broken = {
      "\xff",     "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\x80", "\xed\xa0\x80", std::string(1, '\0'),
      "\x1b[31m", "\x7f", "\xc0\x80"};
  const bool breaks = rng.Chance(1.0 / 3);
  if (rng.Chance(0.1)) text.insert(0, whole[0]);
  for (int64_t i = 1 + rng.Below(3); i > 0; --i) {
    const std::vector<std::string>& kinds = breaks && rng.Chance(0.7) ? broken : whole;
    text.insert(PlaceOfCharacter(text, rng),
                kinds[static_cast<size_t>(rng.Below(std::ssize(kinds)))]);
  }
  return text;
}

std::string FaultOfMessage(std::string_view text, std::string_view message) {
  if (message.empty()) return "its message is empty";
  const bool is_whole = IsUtf8(message) && message.find('\0') == message.npos;
  if (!is_whole) return "its message is not UTF-8: " + Shown(message);
  const bool is_whole_text = IsUtf8(text) && text.find("\\x") == text.npos;
  const bool is_cut = is_whole_text && ShowsPartOfCharacter(message);
  return is_cut ? "its message shows a part of a character: " + std::string(message) : "";
}

}  // namespace schedulegym
