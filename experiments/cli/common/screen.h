// Screen: a terminal's size.
#pragma once

#include <cstdio>
#include <optional>

namespace schedulegym {

struct Screen {
  int rows = 24;
  int columns = 80;
};

// None of what is no terminal.
std::optional<Screen> ScreenOf(std::FILE* stream);

}  // namespace schedulegym
