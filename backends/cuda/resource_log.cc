#include "backends/cuda/resource_log.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// The number right before a phrase, "24" of "Used 24 registers".
std::optional<int64_t> NumberBefore(std::string_view line, std::string_view phrase) {
  const size_t end = line.find(phrase);
  if (end == std::string_view::npos) return std::nullopt;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int64_t number = 0;
  if (begin == end) return std::nullopt;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

}  // namespace

std::vector<KernelResources> ParseResources(const std::string& log) {
  constexpr std::string_view kProperties = "Function properties for ";
  std::vector<KernelResources> all;
  KernelResources current;
  for (const std::string& line : SplitLines(log)) {
    const size_t begin = line.find(kProperties);
    if (begin != std::string::npos) {
      current = {std::string(Trim(line.substr(begin + kProperties.size())))};
    }
    if (const auto bytes = NumberBefore(line, " bytes stack frame")) {
      current.stack_bytes = *bytes;
      current.spill_store_bytes = NumberBefore(line, " bytes spill stores").value_or(0);
      current.spill_load_bytes = NumberBefore(line, " bytes spill loads").value_or(0);
    }
    if (const auto registers = NumberBefore(line, " registers");
        registers && !current.kernel.empty()) {
      current.registers = static_cast<int32_t>(*registers);
      current.barriers = static_cast<int32_t>(NumberBefore(line, " barriers").value_or(0));
      current.shared_bytes = NumberBefore(line, " bytes smem").value_or(0);
      all.push_back(current);
      current = {};
    }
  }
  return all;
}

}  // namespace schedulegym
