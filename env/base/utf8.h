// UTF-8 texts: whole characters, places, and what is shown of bytes that are no characters.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace schedulegym {

bool IsUtf8(std::string_view text);

// The character that begins at a byte, which may take four; that byte alone where none begins.
std::string_view CharacterAt(std::string_view text, size_t at);

// How many characters a text has. A byte that belongs to none counts as one.
size_t CharacterCount(std::string_view text);

// The beginning of a text, in at most so many bytes, that cuts no character.
std::string_view BeginOf(std::string_view text, size_t most_bytes);

// "line 2, column 5" of the byte at `at`: both count from 1, columns count characters.
std::string PlaceOf(std::string_view text, size_t at);

// The text without the byte order mark that some editors put before it.
std::string_view WithoutByteOrderMark(std::string_view text);
// The same at the beginning of a file that is open.
void SkipByteOrderMark(std::istream& in);

// What people may be shown: the text, with each byte that belongs to no character, and each control
// character but newline and tab, as "\xNN". Always UTF-8, without NUL.
std::string Shown(std::string_view text);

// "'ü'", or "'\xff'".
std::string ShownCharacterAt(std::string_view text, size_t at);

}  // namespace schedulegym
