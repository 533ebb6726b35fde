// ForeignText: puts bytes outside ASCII into texts, and checks messages about such texts.
#pragma once

#include <string>
#include <string_view>

#include "env/base/rng.h"

namespace schedulegym {

// Inserts at random places: byte order marks and characters of two to four bytes; in one text of
// three also bytes that belong to no character, NUL and control characters.
std::string WithForeignBytes(std::string text, Rng& rng);

// The fault of a message about a text, or "": it is empty, contains a NUL or bytes that are no
// UTF-8, or shows a part of a character although the text is UTF-8 and has no "\\x".
std::string FaultOfMessage(std::string_view text, std::string_view message);

}  // namespace schedulegym
