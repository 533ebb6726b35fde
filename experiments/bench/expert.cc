#include "experiments/bench/expert.h"

#include <fstream>
#include <iterator>
#include <optional>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::optional<std::string> ReadText(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::string ExpertFolder() { return SG_EXPERT_FOLDER; }

std::vector<ExpertSchedule> ReadExperts(const std::string& folder, const Target& target) {
  const std::string index_path = folder + "/index.txt";
  const std::optional<std::string> index = ReadText(index_path);
  if (!index) throw InputError("cannot read '" + index_path + "', expected a list of schedules");
  const std::string traces = folder + (target.vector_bits >= 512 ? "/avx512/" : "/avx2/");
  std::vector<ExpertSchedule> experts;
  int number = 0;
  for (const std::string& line : SplitLines(*index)) {
    ++number;
    const std::string_view content = Trim(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const size_t gap = content.find_first_of(" \t");
    if (gap == std::string_view::npos) {
      throw InputError(index_path + ":" + std::to_string(number) + ": found '" +
                       std::string(content) + "', expected a name and a workload");
    }
    const std::string name(content.substr(0, gap));
    experts.push_back({name, std::string(Trim(content.substr(gap))),
                       ReadText(traces + name + ".trace").value_or("")});
  }
  return experts;
}

}  // namespace schedulegym
