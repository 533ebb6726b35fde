// ForeignText: bytes outside ASCII put into texts, and whether messages about these are whole.
#pragma once

#include <string>
#include <string_view>

#include "env/base/rng.h"

namespace schedulegym {

// The text with some of these at places that chance chooses: byte order marks, characters of two to
// four bytes, and in one text of three bytes that belong to no character, NUL and control
// characters.
std::string WithForeignBytes(std::string text, Rng& rng);

// What is wrong with a message about a text, "" where nothing is: it is empty, has bytes that are
// no UTF-8 or a NUL, or shows a part of a character although the text is UTF-8 and has no "\\x".
std::string FaultOfMessage(std::string_view text, std::string_view message);

}  // namespace schedulegym
