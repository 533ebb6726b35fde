// Reads `.net` texts: a line is `param NAME = INTEGER`, `COUNT WORKLOAD`, or a comment. Values of a
// workload's options may be sums, differences, products and exact quotients of integers and
// parameters, which a recursive descent computes:
//   sum = product {+|- product}    product = atom {*|/ atom}    atom = INTEGER | NAME | (sum)
// Every intermediate value is within +-10^9, so nothing overflows. At most 1024 workloads; brackets
// nest at most 100 deep. Errors are InputErrors with file, line and column. Cost: O(length).
#include "env/program/workloads/network.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/text.h"
#include "env/base/utf8.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

using Overrides = std::vector<std::pair<std::string, int64_t>>;

constexpr std::string_view kSuffix = ".net";
constexpr std::string_view kBlank = " \t\r";
// Each workload becomes a task of the search; a network has dozens.
constexpr size_t kMostEntries = 1024;
// Limit of the count on a line, so that sums of counts cannot overflow.
constexpr int64_t kLargestCount = 1'000'000'000;

class NetworkReader {
 public:
  NetworkReader(const std::string& file_name, const std::string& folder, const Overrides& overrides)
      : file_name_(file_name), folder_(folder), overrides_(overrides) {}

  std::vector<WeightedWorkload> Run(std::string_view text) {
    for (const std::string& whole : SplitLines(WithoutByteOrderMark(text))) {
      ++line_number_;
      line_ = whole.substr(0, whole.find('#'));
      const size_t begin = line_.find_first_not_of(kBlank);
      if (begin != std::string::npos) {
        ReadLine(begin);
      } else if (line_.size() == whole.size()) {
        Fail(0, "found an empty line, expected 'COUNT WORKLOAD' or a # comment");
      }
    }
    line_number_ = 1;
    for (const auto& [name, value] : overrides_) {
      if (!parameters_.Has(name)) Fail(0, UnknownName("parameter", name, parameters_.names()));
    }
    if (network_.empty()) Fail(0, "the network is empty, expected 'COUNT WORKLOAD'");
    return std::move(network_);
  }

 private:
  [[noreturn]] void Fail(size_t column, const std::string& message) const {
    const size_t before = CharacterCount(std::string_view(line_).substr(0, column));
    throw InputError(file_name_ + ":" + std::to_string(line_number_) + ":" +
                     std::to_string(before + 1) + ": " + message);
  }

  void ReadLine(size_t begin) {
    const size_t end = std::min(line_.find_first_of(kBlank, begin), line_.size());
    const std::string word = line_.substr(begin, end - begin);
    if (word == "param") {
      ReadParameter(end);
    } else {
      const int64_t count = ReadCount(word, begin);
      ReadWorkload(count, end);
    }
  }

  void ReadParameter(size_t begin) {
    const auto [left, right] = Cut(std::string_view(line_).substr(begin), '=');
    const std::string name(Trim(left));
    const std::optional<int64_t> value = ParseInteger(Trim(right));
    const bool is_name = !name.empty() && name.find_first_not_of(kNameParts) == std::string::npos &&
                         kDigits.find(name[0]) == std::string_view::npos;
    if (!is_name || !value) {
      Fail(begin, "found '" + std::string(Trim(line_)) + "', expected 'param NAME = INTEGER'");
    }
    int64_t chosen = *value;
    for (const auto& [key, given] : overrides_) {
      if (key == name) chosen = given;
    }
    if (chosen < 1 || chosen > kLargestCount) {
      Fail(begin, "parameter '" + name + "' is " + std::to_string(chosen) + ", expected 1 to " +
                      std::to_string(kLargestCount));
    }
    if (!parameters_.Define(name, chosen)) Fail(begin, "parameter '" + name + "' is defined twice");
  }

  int64_t ReadCount(const std::string& word, size_t column) const {
    const auto count =
        parameters_.Has(word) ? std::optional(*parameters_.Evaluate(word)) : ParseInteger(word);
    if (count && *count >= 1 && *count <= kLargestCount) return *count;
    Fail(column, "found '" + word + "', expected a count of at least 1" +
                     (count && *count > 1 ? " and at most " + std::to_string(kLargestCount) : ""));
  }

  void ReadWorkload(int64_t count, size_t begin) {
    const std::string_view rest = Trim(std::string_view(line_).substr(begin));
    if (rest.empty()) Fail(begin, "found the end of the line, expected a workload");
    const size_t column = line_.find_first_not_of(kBlank, begin);
    const size_t options = std::min(PathEnd(rest, ".dag").value_or(rest.find('(')), rest.size());
    const Result<std::string> filled = parameters_.Fill(rest.substr(options));
    if (!filled) Fail(column, filled.error().message);
    auto spec = ParseWorkload(std::string(rest.substr(0, options)) + *filled);
    if (!spec.ok()) Fail(column, spec.error().message);
    const bool is_relative = spec->name.ends_with(".dag") && !spec->name.starts_with("/");
    if (is_relative && !folder_.empty()) spec->name = folder_ + "/" + spec->name;
    if (network_.size() == kMostEntries) {
      Fail(0, "found more than " + std::to_string(kMostEntries) + " workloads, expected at most " +
                  std::to_string(kMostEntries));
    }
    network_.push_back({count, std::move(*spec), line_number_});
  }

  static constexpr std::string_view kDigits = "0123456789";
  static constexpr std::string_view kNameParts =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

  const std::string& file_name_;
  const std::string& folder_;
  const Overrides& overrides_;
  NetworkParameters parameters_;
  std::vector<WeightedWorkload> network_;
  std::string line_;  // without its comment
  int line_number_ = 0;
};

// The options of a word, "resnet50(n=16)".
Overrides OverridesOf(const Spec& spec) {
  Overrides overrides;
  for (const auto& [key, value] : spec.options) {
    const auto* integer = std::get_if<int64_t>(&value.value);
    if (integer == nullptr) {
      throw InputError("network '" + spec.name + "': parameter '" + key + "' is " + value.ToText() +
                       ", expected an integer");
    }
    overrides.emplace_back(key, *integer);
  }
  return overrides;
}

// Limit far above every extent; products of two such numbers do not overflow.
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

// End of the value that starts at `begin`: a comma or bracket outside of its own brackets.
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

Registry<NetworkMaker> BuiltinNetworks() {
  Registry<NetworkMaker> networks("network");
  for (const BuiltinFile& file : BuiltinNetFiles()) {
    networks.Add(
        {std::string(file.name), ParametersOf(file), DescriptionOf(file), [file](const Spec& spec) {
           return ParseNetwork(file.text, spec.name + std::string(kSuffix), "", OverridesOf(spec));
         }});
  }
  return networks;
}

std::vector<WeightedWorkload> ParseNetwork(std::string_view text, const std::string& file_name,
                                           const std::string& folder, const Overrides& overrides) {
  return NetworkReader(file_name, folder, overrides).Run(text);
}

bool IsNetwork(std::string_view word) {
  if (PathEnd(word, kSuffix)) return true;
  const std::string name(Trim(Cut(word, '(').first));
  return BuiltinNetworks().Has(name) || FindBuiltinFile(BuiltinTaskFiles(), name);
}

std::vector<WeightedWorkload> ReadNetwork(const std::string& word) {
  const Result<Spec> spec = ParsePathSpec(word, kSuffix);
  if (!spec) throw InputError("network '" + word + "': " + spec.error().message);
  const Overrides overrides = OverridesOf(*spec);
  const Registry<NetworkMaker> networks = BuiltinNetworks();
  if (networks.Has(spec->name)) return networks.Find(*spec)(*spec);
  if (const auto text = FindBuiltinFile(BuiltinTaskFiles(), spec->name)) {
    return ParseNetwork(*text, spec->name + ".tasks", "", overrides);
  }
  const size_t slash = spec->name.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : spec->name.substr(0, slash);
  return ParseNetwork(ReadUntrustedFile(spec->name, kNetFile), spec->name, folder, overrides);
}

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
