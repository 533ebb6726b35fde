// Lexer: `.dag` text as tokens with places.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedulegym {

// Both count from 1; columns count characters.
struct Place {
  int line = 1;
  int column = 1;
};

// A fault at a place of a source text; thrown and caught within the `.dag` reader.
class SourceError : public std::runtime_error {
 public:
  SourceError(Place place, const std::string& message)
      : std::runtime_error(message), place_(place) {}
  Place place() const { return place_; }

 private:
  Place place_;
};

enum class TokenKind : uint8_t { kName, kInteger, kDecimal, kSymbol, kEndOfLine, kEndOfFile };

struct Token {
  TokenKind kind = TokenKind::kEndOfFile;
  std::string text;  // as written; "//", "<=", "[" and so on for symbols
  Place place;
  int64_t integer = 0;  // of kInteger
  double number = 0;    // of kDecimal

  bool Is(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
  // "'x'", "the end of the line", "the end of the file".
  std::string Describe() const;
};

// Comments and spaces vanish; within brackets ends of lines do too; the last token is kEndOfFile.
// Throws SourceError.
std::vector<Token> Tokenize(std::string_view text);

}  // namespace schedulegym
