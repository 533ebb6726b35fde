// Reads T1 files: kernel, device, and tuning parameters with their values, as a list of literals or
// quoted words; an expression gives no values, so those that occur are taken. Values are
// normalised: whole numbers without a point, True and False in lower case. Units of time, with
// their misspellings, as seconds. Errors: InputError.
#include "env/gym/tables/tuner_input.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// "" where the member is missing or no text; JsonError where `object` is no object.
std::string TextAt(const Json& object, const char* outer, const char* name) {
  (void)object.members();
  const Json* inner = object.Find(outer);
  const Json* found = inner != nullptr ? inner->Find(name) : nullptr;
  return found != nullptr && found->is_string() ? found->Text() : "";
}

std::string Written(const Json& value) {
  return value.is_string() ? value.Text() : value.ToText({.sort_keys = true});
}

TunerInput Read(const Json& input) {
  TunerInput read;
  read.kernel = TextAt(input, "General", "BenchmarkName");
  if (read.kernel.empty()) read.kernel = TextAt(input, "KernelSpecification", "KernelName");
  const Json* kernel = input.Find("KernelSpecification");
  if (kernel != nullptr) read.device = TextAt(*kernel, "Device", "Name");
  for (const Json& one : input["ConfigurationSpace"]["TuningParameters"].elements()) {
    const auto values = ParseValueList(Written(one["Values"]));
    read.parameters.push_back({one["Name"].Text(), values.value_or(std::vector<std::string>())});
    read.defaults.push_back(one.Has("Default") ? std::optional(ValueText(Written(one["Default"])))
                                               : std::nullopt);
  }
  return read;
}

struct Unit {
  double seconds;
  std::vector<std::string_view> names;
};

// A number or a word, not an expression.
bool IsLiteral(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
  });
}

std::optional<std::string> Unquoted(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && (text[0] == '"' || text[0] == '\'');
  if (!is_quoted) return std::nullopt;
  const std::string_view inner = text.substr(1, text.size() - 2);
  if (text.back() != text[0] || inner.find(text[0]) != inner.npos) return std::nullopt;
  return std::string(inner);
}

}  // namespace

TunerInput ParseTunerInput(std::string_view text) {
  if (const auto beyond = BeyondLimits(text)) throw InputError("the T1 file beside it: " + *beyond);
  const Result<Json> input = ParseJson(text);
  const char* const expected =
      "found another file beside the results than T1, which has a ConfigurationSpace of "
      "TuningParameters, each with Name and Values";
  if (!input) throw InputError(std::string(expected) + ": " + input.error().message);
  try {
    return Read(*input);
  } catch (const JsonError&) {
    throw InputError(expected);
  }
}

std::optional<double> SecondsOfUnit(std::string_view unit) {
  std::string lower(unit);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // One name is misspelt in existing files.
  const std::vector<Unit> units = {{1, {"s", "sec", "second", "seconds"}},
                                   {1e-3, {"ms", "millisecond", "milliseconds", "miliseconds"}},
                                   {1e-6, {"us", "microsecond", "microseconds"}},
                                   {1e-9, {"ns", "nanosecond", "nanoseconds"}}};
  for (const Unit& one : units) {
    if (std::find(one.names.begin(), one.names.end(), lower) != one.names.end()) return one.seconds;
  }
  return std::nullopt;
}

std::string ValueText(std::string_view written) {
  const std::string_view text = Trim(written);
  if (text == "True") return "true";
  if (text == "False") return "false";
  const std::optional<double> number = ParseDouble(text);
  if (!number || !std::isfinite(*number)) return std::string(text);
  const bool is_whole = *number == std::floor(*number) && std::abs(*number) < 1e15;
  return is_whole ? std::to_string(static_cast<int64_t>(*number)) : FormatDouble(*number);
}

std::optional<std::vector<std::string>> ParseValueList(std::string_view text) {
  text = Trim(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::vector<std::string> values;
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    const auto [item, after] = Cut(rest, ',');
    const std::string_view word = Trim(item);
    if (const auto quoted = Unquoted(word)) {
      values.push_back(ValueText(*quoted));
    } else if (IsLiteral(word)) {
      values.push_back(ValueText(word));
    } else {
      return std::nullopt;
    }
    rest = after;
  }
  return values;
}

bool IsValueBefore(const std::string& a, const std::string& b) {
  const std::optional<double> x = ParseDouble(a), y = ParseDouble(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return a < b;
}

}  // namespace schedulegym
