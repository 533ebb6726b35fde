#include "env/gym/actions/construct_text.h"

#include <optional>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// "construct stage=ID open".
struct Header {
  int stage = 0;
  bool open = false;
};

std::optional<Header> ReadHeader(std::string_view line) {
  const std::string_view prefix = "construct stage=";
  if (line.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto [stage, state] = Cut(line.substr(prefix.size()), ' ');
  const std::optional<int64_t> id = ParseInteger(stage);
  if (!id || *id < 0 || *id > INT32_MAX || (state != "open" && state != "closed")) {
    return std::nullopt;
  }
  return Header{static_cast<int>(*id), state == "open"};
}

}  // namespace

std::string PlaceText(const ConstructPlace& place) {
  return "construct stage=" + std::to_string(place.stage) + (place.before ? " open" : " closed") +
         "\n" + place.state.TraceText();
}

Result<ConstructPlace> ParsePlace(const std::shared_ptr<const Task>& task, std::string_view text) {
  const auto [line, trace] = Cut(text, '\n');
  const std::optional<Header> header = ReadHeader(line);
  if (!header) {
    return Error{ErrorKind::kParse, "found '" + std::string(line) +
                                        "', expected 'construct stage=ID open' or '... closed'"};
  }
  Result<ScheduleState> state = ReplayText(task, trace);
  if (!state) return state.error();
  const bool has_stage = header->stage < state->size();
  if (!has_stage || state->stage(header->stage).op->kind == StageKind::kInput) {
    return Illegal("found stage " + std::to_string(header->stage) + ", expected a computed one");
  }
  std::optional<ScheduleState> before;
  if (header->open) {
    Trace steps = state->trace();
    if (steps.empty()) return Illegal("found no step that may be added to");
    steps.pop_back();
    before = Replay(task, steps).value();
  }
  return ConstructPlace{*std::move(state), std::move(before), header->stage};
}

Result<std::string> DescribeMove(const ConstructPlace& place, const Move& move) {
  if (move.kind == MoveKind::kStop) return std::string("stop");
  if (move.kind == MoveKind::kNextStage) {
    const std::optional<int> next = NextStage(place);
    if (!next) return Illegal("found no further stage with loops");
    return "next stage: " + place.state.stage(*next).op->name;
  }
  const Result<ConstructStep> step = StepOf(place, move);
  if (!step) return step.error();
  return ToText(step->primitive, place.state.Names());
}

}  // namespace schedulegym
