#include "env/base/utf8.h"

#include <algorithm>
#include <istream>

namespace schedulegym {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Of the character that begins at a byte; 0 where none does. Well-formed sequences are those of the
// Unicode Standard's table 3-7.
size_t LengthAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t offset) -> unsigned {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xc2 || first > 0xf4 || byte(1) < low || byte(1) > high) return 0;
  for (size_t offset = 2; offset < length; ++offset) {
    if ((byte(offset) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool IsShownAsItIs(std::string_view text, size_t at, size_t length) {
  const char c = text[at];
  const bool is_control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f';
  return length > 0 && !is_control;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = LengthAt(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string_view CharacterAt(std::string_view text, size_t at) {
  return text.substr(at, std::max<size_t>(LengthAt(text, at), 1));
}

size_t CharacterCount(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) at += CharacterAt(text, at).size();
  return count;
}

std::string_view BeginOf(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t begin = most_bytes;  // of the character that the cut would be in
  while (begin > 0 && most_bytes - begin < 3 && (text[begin] & 0xc0) == 0x80) --begin;
  const bool is_cut = begin + CharacterAt(text, begin).size() > most_bytes;
  return text.substr(0, is_cut ? begin : most_bytes);
}

std::string PlaceOf(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  const size_t newline = before.rfind('\n');
  const size_t begin = newline == before.npos ? 0 : newline + 1;
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
         std::to_string(1 + CharacterCount(before.substr(begin)));
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

void SkipByteOrderMark(std::istream& in) {
  std::string head(kByteOrderMark.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  const bool is_mark = in.good() && head == kByteOrderMark;
  in.clear();
  if (!is_mark) in.seekg(0);
}

std::string Shown(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t length = LengthAt(text, at);
    if (IsShownAsItIs(text, at, length)) {
      shown.append(text, at, length);
      at += length;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at++]);
    shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return shown;
}

std::string ShownCharacterAt(std::string_view text, size_t at) {
  return "'" + Shown(CharacterAt(text, at)) + "'";
}

}  // namespace schedulegym
