#include "env/schedule/trace.h"

#include "env/base/text.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

constexpr std::string_view kHeader = "trace 1";
// The longest that searches make have hundreds; each makes the state that the next one copies.
constexpr size_t kMostPrimitives = 4096;

struct Line {
  int number;
  std::string_view text;
};

// Lines with something on them, comments cut off.
std::vector<Line> UsefulLines(const std::vector<std::string>& lines) {
  std::vector<Line> useful;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = Trim(std::string_view(lines[i]).substr(0, lines[i].find('#')));
    if (!text.empty()) useful.push_back({static_cast<int>(i) + 1, text});
  }
  return useful;
}

Error AtLine(int number, const Error& error) {
  return {error.kind, "line " + std::to_string(number) + ": " + error.message};
}

}  // namespace

std::string TraceToText(const Trace& trace, const StageNames& names) {
  std::string text = std::string(kHeader) + "\n";
  for (const Primitive& primitive : trace) text += ToText(primitive, names) + "\n";
  return text;
}

Result<ScheduleState> ReplayText(std::shared_ptr<const Task> task, std::string_view text) {
  const std::vector<std::string> lines = SplitLines(text);
  const std::vector<Line> useful = UsefulLines(lines);
  if (useful.empty() || useful[0].text != kHeader) {
    return Error{ErrorKind::kParse, "line 1: expected '" + std::string(kHeader) + "'"};
  }
  if (useful.size() > kMostPrimitives + 1) {
    return Error{ErrorKind::kParse, "line " + std::to_string(useful[kMostPrimitives + 1].number) +
                                        ": found more than " + std::to_string(kMostPrimitives) +
                                        " primitives, expected at most so many"};
  }
  ScheduleState state = ScheduleState::Initial(std::move(task));
  for (size_t i = 1; i < useful.size(); ++i) {
    auto primitive = ParsePrimitive(useful[i].text, state.Names());
    if (!primitive) return AtLine(useful[i].number, primitive.error());
    auto next = Apply(std::move(state), *primitive);
    if (!next) {
      return AtLine(useful[i].number, {next.error().kind, std::string(NameOf(*primitive)) + ": " +
                                                              next.error().message});
    }
    state = *std::move(next);
  }
  return state;
}

}  // namespace schedulegym
