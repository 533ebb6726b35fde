// Cuts a `.dag` text into tokens in one pass, O(length). A line ends a statement unless a bracket
// is open; `#` begins a comment; of symbols the longest that fits is taken. Numbers are integers,
// or decimals with a point between digits or an exponent: 12, 1.5, 1e-5. Each token has its line
// and column. Errors are SourceErrors: unknown characters, malformed and too large numbers.
#include "env/program/language/lexer.h"

#include <cctype>

#include "env/base/text.h"
#include "env/base/utf8.h"

namespace schedulegym {
namespace {

constexpr std::string_view kSymbols[] = {"//", "<=", ">=", "==", "!=", "&&", "||", "[",
                                         "]",  "(",  ")",  ",",  ":",  "=",  "+",  "-",
                                         "*",  "/",  "%",  "<",  ">",  "!"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(WithoutByteOrderMark(text)) {}

  std::vector<Token> Run() {
    while (at_ < text_.size()) Next();
    EndLine();
    Push(TokenKind::kEndOfFile, 0);
    return std::move(tokens_);
  }

 private:
  void Next() {
    const char c = text_[at_];
    if (c == '\n') {
      EndLine();
      Skip(1);
      ++line_;
      line_begin_ = at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      Skip(1);
    } else if (c == '#') {
      Skip(std::min(text_.find('\n', at_), text_.size()) - at_);
    } else if (IsNameStart(c)) {
      Push(TokenKind::kName, Run(at_, IsNamePart));
    } else if (IsDigit(c)) {
      Number();
    } else {
      Symbol();
    }
  }

  void EndLine() {
    const bool has_text = !tokens_.empty() && tokens_.back().kind != TokenKind::kEndOfLine;
    if (open_brackets_ == 0 && has_text) Push(TokenKind::kEndOfLine, 0);
  }

  // The length of the run of characters from `begin` that `belongs` accepts.
  size_t Run(size_t begin, bool (*belongs)(char)) const {
    size_t end = begin;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return end - begin;
  }

  void Number() {
    size_t length = Run(at_, IsDigit);
    bool is_decimal = false;
    if (Peek(length) == '.' && IsDigit(Peek(length + 1))) {
      length += 1 + Run(at_ + length + 1, IsDigit);
      is_decimal = true;
    }
    if (Peek(length) == 'e' || Peek(length) == 'E') {
      const size_t sign = Peek(length + 1) == '-' || Peek(length + 1) == '+' ? 1 : 0;
      const size_t digits = Run(at_ + length + 1 + sign, IsDigit);
      if (digits > 0) {
        length += 1 + sign + digits;
        is_decimal = true;
      }
    }
    if (IsNamePart(Peek(length)) || Peek(length) == '.') {
      throw SourceError(Here(), "malformed number '" + std::string(text_.substr(at_, length + 1)) +
                                    "', expected digits like 12, 1.5 or 1e-5");
    }
    PushNumber(length, is_decimal);
  }

  void PushNumber(size_t length, bool is_decimal) {
    const std::string_view word = text_.substr(at_, length);
    const auto integer = ParseInteger(word);
    const auto number = ParseDouble(word);
    if (is_decimal ? !number.has_value() : !integer.has_value()) {
      throw SourceError(Here(), "number '" + std::string(word) + "' is too large, expected " +
                                    (is_decimal ? "a double" : "at most 9223372036854775807"));
    }
    Push(is_decimal ? TokenKind::kDecimal : TokenKind::kInteger, length);
    tokens_.back().integer = integer.value_or(0);
    tokens_.back().number = number.value_or(0);
  }

  void Symbol() {
    for (std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      if (symbol == "[" || symbol == "(") ++open_brackets_;
      if ((symbol == "]" || symbol == ")") && open_brackets_ > 0) --open_brackets_;
      Push(TokenKind::kSymbol, symbol.size());
      return;
    }
    throw SourceError(Here(), "unexpected character " + ShownCharacterAt(text_, at_));
  }

  char Peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void Skip(size_t count) { at_ += count; }
  // The text before a token on its line is ASCII, as a comment extends to the end of the line.
  Place Here() const { return {line_, static_cast<int>(at_ - line_begin_) + 1}; }

  void Push(TokenKind kind, size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length)), Here(), 0, 0});
    at_ += length;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  int line_ = 1;
  int open_brackets_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Token::Describe() const {
  if (kind == TokenKind::kEndOfLine) return "the end of the line";
  if (kind == TokenKind::kEndOfFile) return "the end of the file";
  return "'" + text + "'";
}

std::vector<Token> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace schedulegym
