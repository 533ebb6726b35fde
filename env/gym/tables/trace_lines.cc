#include "env/gym/tables/trace_lines.h"

#include <map>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kFirstLine = "trace 1";
// All texts together: a few lines that many rows share may come to any amount.
constexpr size_t kMostBytes = size_t{256} << 20;

}  // namespace

TraceLines ShareTraces(const std::vector<std::string>& texts) {
  TraceLines shared;
  std::map<std::string, int> known;
  std::vector<int> before;
  for (const std::string& text : texts) {
    std::vector<int> numbers;
    for (std::string& line : SplitLines(text)) {
      if (line == kFirstLine) continue;
      const auto [found, is_new] = known.emplace(line, static_cast<int>(shared.lines.size()));
      if (is_new) shared.lines.push_back(std::move(line));
      numbers.push_back(found->second);
    }
    size_t kept = 0;
    while (kept < numbers.size() && kept < before.size() && numbers[kept] == before[kept]) ++kept;
    shared.traces.push_back(
        {static_cast<int>(kept), {numbers.begin() + static_cast<long>(kept), numbers.end()}});
    before = std::move(numbers);
  }
  return shared;
}

std::vector<std::string> UnshareTraces(const TraceLines& shared) {
  std::vector<std::string> texts;
  std::vector<int> numbers;
  size_t bytes = 0;
  for (const SharedTrace& trace : shared.traces) {
    const std::string row = "row " + std::to_string(texts.size()) + " of the table: ";
    if (trace.kept < 0 || trace.kept > static_cast<int>(numbers.size())) {
      throw InputError(row + "found " + std::to_string(trace.kept) +
                       " primitives kept, expected at most " + std::to_string(numbers.size()));
    }
    numbers.resize(trace.kept);
    std::string text = std::string(kFirstLine) + "\n";
    for (int line : trace.rest) {
      if (line < 0 || line >= static_cast<int>(shared.lines.size())) {
        throw InputError(row + "found primitive " + std::to_string(line) + ", expected 0.." +
                         std::to_string(static_cast<int64_t>(shared.lines.size()) - 1));
      }
      numbers.push_back(line);
    }
    for (int line : numbers) {
      bytes += shared.lines[line].size() + 1;
      if (bytes > kMostBytes) {
        throw InputError(row + "found traces of more than " + std::to_string(kMostBytes >> 20) +
                         " MiB together, expected at most so much");
      }
      text.append(shared.lines[line]).append("\n");
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace schedulegym
