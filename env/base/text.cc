// Texts: splitting, joining, numbers as the shortest text that reads back the same, and messages
// about unknown names. A suggestion is the known name of the least Levenshtein distance, if that is
// at most half the length (one row of the table, O(n m) time, O(m) memory; names up to 100
// letters). Up to 100 known names are listed.
#include "env/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace schedulegym {
namespace {

// A longer name is not compared with the known ones. Of more known names only the count is printed.
constexpr size_t kLongestName = 100;
constexpr size_t kMostListed = 100;

int EditDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string Join(const std::vector<int64_t>& parts, std::string_view separator) {
  std::vector<std::string> texts;
  for (int64_t part : parts) texts.push_back(std::to_string(part));
  return Join(texts, separator);
}

std::string FormatDouble(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::optional<std::string> NearestName(std::string_view name,
                                       const std::vector<std::string>& known) {
  std::optional<std::string> best;
  if (name.size() > kLongestName) return best;
  int best_distance = static_cast<int>(name.size()) / 2 + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const int distance = EditDistance(name, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string UnknownName(std::string_view what, std::string_view name,
                        const std::vector<std::string>& known) {
  std::string text = "unknown " + std::string(what) + " '" + std::string(name) + "': expected ";
  std::vector<std::string> listed = known;
  if (known.size() > kMostListed) {
    listed.resize(kMostListed);
    listed.push_back(std::to_string(known.size() - kMostListed) + " more");
  }
  text += known.empty() ? "none" : known.size() == 1 ? known[0] : "one of " + Join(listed, ", ");
  if (const auto nearest = NearestName(name, known)) text += " (did you mean '" + *nearest + "'?)";
  return text;
}

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::pair<std::string_view, std::string_view> Cut(std::string_view text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> FindVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace schedulegym
