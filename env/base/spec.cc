// Specs, `name(key=value, ...)`, by recursive descent: values are whole numbers, numbers, words,
// quoted texts, flags and specs, nested up to 32 deep. Errors carry the column and what was
// expected. SpecReader hands out options by key with a default and refuses those that nobody asked
// for. Cost: O(length).
#include "env/base/spec.h"

#include <cctype>
#include <cmath>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/base/utf8.h"

namespace schedulegym {
namespace {

bool IsNameCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || byte >= 0x80 ||
         std::string_view("_./-+~").find(c) != std::string_view::npos;
}

bool LooksLikeNumber(std::string_view word) {
  const size_t first = word[0] == '-' ? 1 : 0;
  return first < word.size() && std::isdigit(static_cast<unsigned char>(word[first]));
}

SpecValue WordValue(std::string_view word) {
  if (word == "true" || word == "false") return {word == "true"};
  if (LooksLikeNumber(word)) {
    if (const auto integer = ParseInteger(word)) return {*integer};
    if (const auto number = ParseDouble(word)) return {*number};
  }
  return {Spec{std::string(word), {}}};
}

// Nesting beyond this is refused, so that no text can exhaust the stack.
constexpr int kMaxDepth = 32;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Spec> Run() {
    Result<Spec> spec = ParseOne(0);
    if (!spec.ok()) return spec;
    SkipSpaces();
    if (at_ < text_.size()) return Fail("the end");
    return spec;
  }

 private:
  Result<Spec> ParseOne(int depth) {
    if (depth > kMaxDepth) return Fail("fewer brackets within brackets");
    const std::string_view name = TakeName();
    if (name.empty()) return Fail("a name");
    Spec spec{std::string(name), {}};
    if (!Take('(')) return spec;
    if (Take(')')) return spec;
    do {
      Result<void> option = ParseOption(depth, &spec);
      if (!option.ok()) return option.error();
    } while (Take(','));
    if (!Take(')')) return Fail("',' or ')'");
    return spec;
  }

  Result<void> ParseOption(int depth, Spec* spec) {
    const std::string key(TakeName());
    if (key.empty()) return Fail("a key");
    for (const auto& [other, value] : spec->options) {
      if (other == key) {
        return Error{ErrorKind::kParse, "spec '" + std::string(text_) + "': key '" + key +
                                            "' stands twice, expected once"};
      }
    }
    if (!Take('=')) return Fail("'=' after key '" + key + "'");
    Result<SpecValue> value = ParseValue(depth);
    if (!value.ok()) return value.error();
    spec->options.emplace_back(key, std::move(*value));
    return {};
  }

  Result<SpecValue> ParseValue(int depth) {
    if (Take('"')) return ParseQuoted();
    SkipSpaces();
    const size_t begin = at_;
    const std::string_view word = TakeName();
    if (word.empty()) return Fail("a value");
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != '(') return WordValue(word);
    at_ = begin;
    Result<Spec> spec = ParseOne(depth + 1);
    if (!spec.ok()) return spec.error();
    return SpecValue{std::move(*spec)};
  }

  Result<SpecValue> ParseQuoted() {
    std::string value;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\0') return Fail("a closing '\"'");  // which would end a path
      const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      if (escaped) ++at_;
      value += escaped && text_[at_] == 'n' ? '\n' : text_[at_];
    }
    if (at_ >= text_.size()) return Fail("a closing '\"'");
    ++at_;
    return SpecValue{std::move(value)};
  }

  void SkipSpaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool Take(char c) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view TakeName() {
    SkipSpaces();
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Error Fail(const std::string& expected) {
    SkipSpaces();
    const std::string found =
        at_ < text_.size() ? ShownCharacterAt(text_, at_) : std::string("the end");
    const size_t column = CharacterCount(text_.substr(0, at_)) + 1;
    return {ErrorKind::kParse, "spec '" + std::string(text_) + "', column " +
                                   std::to_string(column) + ": found " + found + ", expected " +
                                   expected};
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

bool Spec::operator==(const Spec& other) const {
  return name == other.name && options == other.options;
}

std::string Spec::ToText() const {
  if (options.empty()) return name;
  std::vector<std::string> parts;
  for (const auto& [key, value] : options) parts.push_back(key + "=" + value.ToText());
  return name + "(" + Join(parts, ",") + ")";
}

std::string SpecValue::ToText() const {
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return FormatDouble(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return Quoted(*text);
  return std::get<Spec>(value).ToText();
}

Result<Spec> ParseSpec(std::string_view text) { return Parser(WithoutByteOrderMark(text)).Run(); }

Spec RequireSpec(const std::string& option, std::string_view text) {
  Result<Spec> spec = ParseSpec(text);
  if (!spec) throw InputError(option + ": " + spec.error().message);
  return *std::move(spec);
}

}  // namespace schedulegym
