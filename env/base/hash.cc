#include "env/base/hash.h"

#include <cstring>

namespace schedulegym {

std::string Key::ToText() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = kDigits[(high >> (4 * i)) & 15];
    text[31 - i] = kDigits[(low >> (4 * i)) & 15];
  }
  return text;
}

std::optional<Key> ParseKey(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  uint64_t words[2] = {0, 0};
  for (size_t i = 0; i < text.size(); ++i) {
    const char digit = text[i];
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (digit < 'a' || digit > 'f')) return std::nullopt;
    words[i / 16] = words[i / 16] << 4 | static_cast<uint64_t>(digit - (decimal ? '0' : 'a' - 10));
  }
  return Key{words[0], words[1]};
}

void Hasher::Add(std::string_view text) {
  Add(static_cast<uint64_t>(text.size()));
  while (!text.empty()) {
    uint64_t word = 0;
    const size_t count = text.size() < 8 ? text.size() : 8;
    for (size_t i = 0; i < count; ++i) {
      word |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    }
    Add(word);
    text.remove_prefix(count);
  }
}

}  // namespace schedulegym
