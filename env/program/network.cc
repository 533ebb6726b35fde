#include "env/program/network.h"

#include "env/base/fault.h"
#include "env/base/foreign_file.h"
#include "env/base/text.h"
#include "env/program/workload.h"

namespace schedulegym {
namespace {

// Each is a task to be searched; a network has dozens.
constexpr size_t kMostEntries = 4096;
// A line's, so that no sum of them overflows.
constexpr int64_t kLargestCount = 1'000'000'000;

[[noreturn]] void Fail(const std::string& file_name, size_t line, size_t column,
                       const std::string& message) {
  throw InputError(file_name + ":" + std::to_string(line) + ":" + std::to_string(column + 1) +
                   ": " + message);
}

}  // namespace

std::vector<WeightedWorkload> ParseNetwork(std::string_view text, const std::string& file_name,
                                           const std::string& folder) {
  std::vector<WeightedWorkload> network;
  const std::vector<std::string> lines = SplitLines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string line = lines[i].substr(0, lines[i].find('#'));
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos && line.size() < lines[i].size()) continue;
    if (begin == std::string::npos) {
      Fail(file_name, i + 1, 0, "found an empty line, expected 'COUNT WORKLOAD' or a # comment");
    }
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    const auto count = ParseInteger(word);
    if (!count || *count < 1 || *count > kLargestCount) {
      Fail(file_name, i + 1, begin,
           "found '" + word + "', expected a count of at least 1" +
               (count && *count > 1 ? " and at most " + std::to_string(kLargestCount) : ""));
    }
    const std::string_view rest = Trim(std::string_view(line).substr(end));
    if (rest.empty()) Fail(file_name, i + 1, end, "found the end of the line, expected a workload");
    auto spec = ParseWorkload(rest);
    if (!spec.ok()) {
      Fail(file_name, i + 1, line.find_first_not_of(" \t", end), spec.error().message);
    }
    const bool is_relative = spec->name.ends_with(".dag") && !spec->name.starts_with("/");
    if (is_relative && !folder.empty()) spec->name = folder + "/" + spec->name;
    if (network.size() == kMostEntries) {
      Fail(file_name, i + 1, 0,
           "found more than " + std::to_string(kMostEntries) + " workloads, expected at most " +
               std::to_string(kMostEntries));
    }
    network.push_back({*count, std::move(*spec), static_cast<int>(i + 1)});
  }
  if (network.empty()) Fail(file_name, 1, 0, "the network is empty, expected 'COUNT WORKLOAD'");
  return network;
}

std::vector<WeightedWorkload> ReadNetwork(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash);
  return ParseNetwork(ReadForeignFile(path, kNetFile), path, folder);
}

}  // namespace schedulegym
