#include "env/program/workloads/network.h"

#include <algorithm>
#include <optional>

#include "env/base/fault.h"
#include "env/base/foreign_file.h"
#include "env/base/text.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/network_parameters.h"
#include "env/program/workloads/path_spec.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

using Overrides = std::vector<std::pair<std::string, int64_t>>;

constexpr std::string_view kSuffix = ".net";
constexpr std::string_view kBlank = " \t\r";
// Each is a task to be searched; a network has dozens.
constexpr size_t kMostEntries = 1024;
// A line's, so that no sum of them overflows.
constexpr int64_t kLargestCount = 1'000'000'000;

class NetworkReader {
 public:
  NetworkReader(const std::string& file_name, const std::string& folder, const Overrides& overrides)
      : file_name_(file_name), folder_(folder), overrides_(overrides) {}

  std::vector<WeightedWorkload> Run(std::string_view text) {
    for (const std::string& whole : SplitLines(text)) {
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
    throw InputError(file_name_ + ":" + std::to_string(line_number_) + ":" +
                     std::to_string(column + 1) + ": " + message);
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

}  // namespace

std::vector<NetworkEntry> BuiltinNetworks() {
  std::vector<NetworkEntry> networks;
  for (const BuiltinFile& file : BuiltinNetFiles()) {
    networks.push_back({std::string(file.name), ParametersOf(file), DescriptionOf(file)});
  }
  return networks;
}

std::vector<WeightedWorkload> ParseNetwork(std::string_view text, const std::string& file_name,
                                           const std::string& folder, const Overrides& overrides) {
  return NetworkReader(file_name, folder, overrides).Run(text);
}

bool IsNetwork(std::string_view word) {
  if (PathEnd(word, kSuffix)) return true;
  return FindBuiltinFile(BuiltinNetFiles(), Trim(Cut(word, '(').first)).has_value();
}

std::vector<WeightedWorkload> ReadNetwork(const std::string& word) {
  const Result<Spec> spec = ParsePathSpec(word, kSuffix);
  if (!spec) throw InputError("network '" + word + "': " + spec.error().message);
  const Overrides overrides = OverridesOf(*spec);
  if (const auto text = FindBuiltinFile(BuiltinNetFiles(), spec->name)) {
    return ParseNetwork(*text, spec->name + std::string(kSuffix), "", overrides);
  }
  const size_t slash = spec->name.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : spec->name.substr(0, slash);
  return ParseNetwork(ReadForeignFile(spec->name, kNetFile), spec->name, folder, overrides);
}

}  // namespace schedulegym
