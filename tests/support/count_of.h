// CountOf: number of occurrences of a text in another.
#pragma once

#include <string_view>

namespace schedulegym {

inline int CountOf(std::string_view text, std::string_view whole) {
  int count = 0;
  for (size_t at = whole.find(text); at != std::string_view::npos; at = whole.find(text, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace schedulegym
