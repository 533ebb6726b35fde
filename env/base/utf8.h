// UTF-8: characters, text positions, and printable forms of invalid bytes.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace schedulegym {

bool IsUtf8(std::string_view text);

// The character of up to four bytes that begins at byte `at`; that byte alone if none begins there.
std::string_view CharacterAt(std::string_view text, size_t at);

// Number of characters of a text. A byte outside of all characters counts as one.
size_t CharacterCount(std::string_view text);

// The longest prefix of at most `most_bytes` bytes that ends at a character boundary.
std::string_view BeginOf(std::string_view text, size_t most_bytes);

// "line 2, column 5" of the byte at `at`. Both numbers start at 1; columns count characters.
std::string PlaceOf(std::string_view text, size_t at);

// The text without a leading byte order mark, which some editors write.
std::string_view WithoutByteOrderMark(std::string_view text);
// Skips the byte order mark at the beginning of an open file.
void SkipByteOrderMark(std::istream& in);

// Printable form of a text: each byte outside of all characters, and each control character except
// newline and tab, becomes "\xNN". The result is UTF-8 without NUL.
std::string Shown(std::string_view text);

// "'ü'", or "'\xff'".
std::string ShownCharacterAt(std::string_view text, size_t at);

}  // namespace schedulegym
