#include "env/program/workloads/network_parameters.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// Far above every extent, and no product of two overflows.
constexpr int64_t kLargest = 1'000'000'000;
constexpr int kDeepest = 100;

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool IsName(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, IsNamePart);
}

using Values = std::vector<std::pair<std::string, int64_t>>;

// Recursive descent: sum = product { +- product }, product = atom { */ atom }.
class Calculation {
 public:
  Calculation(std::string_view text, const Values& values) : text_(text), values_(values) {}

  Result<int64_t> Run() {
    const std::optional<int64_t> value = Sum();
    if (value && Peek() != '\0') Fail("expected an operator");
    if (!fault_.empty()) return Error{ErrorKind::kParse, fault_};
    return *value;
  }

 private:
  char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::nullopt_t Fail(const std::string& message) {
    if (fault_.empty()) fault_ = "found '" + std::string(text_) + "', " + message;
    return std::nullopt;
  }

  std::optional<int64_t> Sum() {
    std::optional<int64_t> left = Product();
    while (left && (Peek() == '+' || Peek() == '-')) {
      const bool adds = text_[at_++] == '+';
      const std::optional<int64_t> right = Product();
      left = right ? Bounded(adds ? *left + *right : *left - *right) : std::nullopt;
    }
    return left;
  }

  std::optional<int64_t> Product() {
    std::optional<int64_t> left = Atom();
    while (left && (Peek() == '*' || Peek() == '/')) {
      const bool multiplies = text_[at_++] == '*';
      const std::optional<int64_t> right = Atom();
      if (!right) return std::nullopt;
      left = multiplies ? Bounded(*left * *right) : Quotient(*left, *right);
    }
    return left;
  }

  std::optional<int64_t> Quotient(int64_t dividend, int64_t divisor) {
    if (divisor != 0 && dividend % divisor == 0) return dividend / divisor;
    return Fail("which divides " + std::to_string(dividend) + " by " + std::to_string(divisor) +
                ", expected a divisor of it");
  }

  std::optional<int64_t> Bounded(int64_t value) {
    if (value >= -kLargest && value <= kLargest) return value;
    return Fail("expected no more than " + std::to_string(kLargest));
  }

  std::optional<int64_t> Atom() {
    if (Peek() == '(') return InBrackets();
    const size_t begin = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (const auto value = ParseInteger(word)) return Bounded(*value);
    if (!IsName(word)) return Fail("expected integers and parameters with + - * / between them");
    const auto named = std::ranges::find(values_, word, &Values::value_type::first);
    if (named != values_.end()) return named->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : values_) known.push_back(name);
    if (fault_.empty()) fault_ = UnknownName("parameter", word, known);
    return std::nullopt;
  }

  std::optional<int64_t> InBrackets() {
    if (++depth_ > kDeepest) return Fail("expected fewer brackets");
    ++at_;
    const std::optional<int64_t> value = Sum();
    if (!value) return value;
    if (Peek() != ')') return Fail("expected ')'");
    ++at_;
    --depth_;
    return value;
  }

  std::string_view text_;
  const Values& values_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string fault_;
};

// Where the value that begins at `begin` ends: a comma or bracket that is none of its own.
size_t ValueEnd(std::string_view text, size_t begin) {
  int depth = 0;
  bool is_quoted = false;
  for (size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (depth == 0 && (c == ',' || c == ')')) return at;
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
  return text.size();
}

// Types are the only words that are no parameters.
bool IsCalculated(std::string_view key, std::string_view value) {
  const bool is_plain = ParseDouble(value) || value.empty() || value.front() == '"';
  return !is_plain && key != "dtype";
}

}  // namespace

bool NetworkParameters::Define(std::string name, int64_t value) {
  if (Has(name)) return false;
  values_.emplace_back(std::move(name), value);
  return true;
}

bool NetworkParameters::Has(std::string_view name) const {
  return std::ranges::find(values_, name, &Values::value_type::first) != values_.end();
}

std::vector<std::string> NetworkParameters::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

Result<int64_t> NetworkParameters::Evaluate(std::string_view text) const {
  return Calculation(Trim(text), values_).Run();
}

Result<std::string> NetworkParameters::Fill(std::string_view options) const {
  std::string filled;
  size_t done = 0;
  for (size_t equals = options.find('='); equals != std::string_view::npos;
       equals = options.find('=', done)) {
    const size_t end = ValueEnd(options, equals + 1);
    const std::string_view before = options.substr(done, equals - done);
    const std::string_view key = Trim(before.substr(before.find_last_of("(,") + 1));
    const std::string_view value = Trim(options.substr(equals + 1, end - equals - 1));
    filled += std::string(before) + "=";
    done = end;
    if (!IsCalculated(key, value)) {
      filled += value;
      continue;
    }
    const Result<int64_t> number = Evaluate(value);
    if (!number) {
      return Error{ErrorKind::kParse, "key '" + std::string(key) + "': " + number.error().message};
    }
    filled += std::to_string(*number);
  }
  return filled + std::string(options.substr(done));
}

}  // namespace schedulegym
