#include "agents/trial.h"

#include <utility>

#include "env/schedule/loop_structure.h"

namespace schedulegym {

Proposal ProposalOf(ScheduleState state) {
  const Key key = StateKey(state);
  return {std::move(state), key};
}

const char* ToldName(Told told) {
  switch (told) {
    case Told::kMeasured: return "measured";
    case Told::kSaysNothing: return "says_nothing";
    case Told::kNotReached: return "not_reached";
    case Told::kKnown: return "known";
    case Told::kRevised: return "revised";
  }
  return "unknown";
}

std::optional<Told> ParseTold(std::string_view name) {
  for (const Told told :
       {Told::kMeasured, Told::kSaysNothing, Told::kNotReached, Told::kKnown, Told::kRevised}) {
    if (name == ToldName(told)) return told;
  }
  return std::nullopt;
}

const Record* LessonOf(const Trial& trial) {
  const bool is_lesson = trial.told != Told::kSaysNothing && trial.told != Told::kNotReached;
  return is_lesson ? trial.record.get() : nullptr;
}

}  // namespace schedulegym
