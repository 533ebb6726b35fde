#include "env/base/json_limits.h"

#include <vector>

namespace schedulegym {
namespace {

// The position of the quotation mark that ends the string which begins at `at`, or the text's end.
size_t EndOfString(std::string_view json, size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\';
  return at;
}

struct Bracket {
  bool is_object;
  int64_t members = 1;
};

}  // namespace

std::optional<std::string> BeyondLimits(std::string_view json, const JsonLimits& limits) {
  std::vector<Bracket> open;
  int64_t values = 1;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') at = EndOfString(json, at);
    if (c == ']' || c == '}') {
      if (!open.empty()) open.pop_back();
    }
    if (c != '[' && c != '{' && c != ',') continue;
    if (++values > limits.most_values) {
      return "it holds more than " + std::to_string(limits.most_values) + " values";
    }
    if (c != ',') {
      open.push_back({c == '{'});
      if (static_cast<int>(open.size()) <= limits.most_depth) continue;
      return "it nests deeper than " + std::to_string(limits.most_depth) + " levels";
    }
    if (open.empty() || ++open.back().members <= limits.most_members) continue;
    if (!open.back().is_object) continue;
    return "it has an object of more than " + std::to_string(limits.most_members) + " members";
  }
  return std::nullopt;
}

}  // namespace schedulegym
