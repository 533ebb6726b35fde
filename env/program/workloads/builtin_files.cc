#include "env/program/workloads/builtin_files.h"

#include <algorithm>

#include "env/base/files.h"
#include "env/base/text.h"

namespace schedulegym {

std::optional<std::string_view> FindBuiltinFile(std::span<const BuiltinFile> files,
                                                std::string_view name) {
  const auto found = std::ranges::find(files, name, &BuiltinFile::name);
  if (found == files.end()) return std::nullopt;
  return found->text;
}

std::string DagFileText(const std::string& name) {
  if (const auto text = FindBuiltinFile(BuiltinDagFiles(), name)) return std::string(*text);
  return ReadUntrustedFile(name, kDagFile);
}

std::string DescriptionOf(const BuiltinFile& file) {
  const std::string_view line = Cut(file.text, '\n').first;
  return std::string(Trim(line.substr(line.find_first_not_of('#'))));
}

std::string ParametersOf(const BuiltinFile& file) {
  constexpr std::string_view kParam = "param ";
  std::vector<std::string> parameters;
  for (const std::string& line : SplitLines(file.text)) {
    if (!line.starts_with(kParam)) continue;
    const auto [name, value] = Cut(std::string_view(line).substr(kParam.size()), '=');
    parameters.push_back(std::string(Trim(name)) + "=" + std::string(Trim(value)));
  }
  return Join(parameters, ", ");
}

}  // namespace schedulegym
