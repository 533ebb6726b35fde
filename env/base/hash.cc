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
