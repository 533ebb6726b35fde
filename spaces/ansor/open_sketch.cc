#include "spaces/ansor/open_sketch.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// "lengths=[1, 1]" with question marks.
std::string WithOpenLengths(const std::string& line, size_t count) {
  const std::string key = "lengths=[";
  const size_t begin = line.find(key);
  SG_CHECK(begin != std::string::npos, "an open step is a split");
  const size_t end = line.find(']', begin);
  const std::vector<std::string> marks(count, "?");
  return line.substr(0, begin + key.size()) + Join(marks, ", ") + line.substr(end);
}

}  // namespace

bool HasPlaces(const std::vector<OpenAnnotation>& annotations, int stage) {
  return std::any_of(annotations.begin(), annotations.end(), [stage](const OpenAnnotation& open) {
    return open.kind == KnobKind::kLocation && open.stage == stage;
  });
}

const OpenSplit* OpenSketch::FindSplit(int step) const {
  for (const OpenSplit& split : splits) {
    if (split.step == step) return &split;
  }
  return nullptr;
}

Result<ScheduleState> FillLengths(const OpenSketch& sketch, std::span<const int> chosen) {
  SG_CHECK(chosen.size() == sketch.splits.size(), "a choice for each open split");
  Trace trace = sketch.state.trace();
  for (size_t i = 0; i < chosen.size(); ++i) {
    const OpenSplit& open = sketch.splits[i];
    std::get<Split>(trace[open.step]).lengths = open.choices.at(chosen[i]);
  }
  return Replay(sketch.state.shared_task(), trace);
}

std::string ToText(const OpenSketch& sketch) {
  std::string text;
  int step = -1;
  for (const std::string& line : SplitLines(sketch.state.TraceText())) {
    const OpenSplit* open = step < 0 ? nullptr : sketch.FindSplit(step);
    ++step;
    text += (open ? WithOpenLengths(line, open->choices[0].size()) : line) + "\n";
  }
  return text;
}

}  // namespace schedulegym
