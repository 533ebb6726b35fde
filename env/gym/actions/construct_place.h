// ConstructPlace: a partly constructed schedule, and the effect of each move of the menu on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/gym/actions/construct_menu.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Stages that moves may add to those of the computation.
inline constexpr int kMostAddedStages = 8;

struct ConstructPlace {
  ScheduleState state;
  // The state before the last step, if that step was taken at the current stage. Moves of the same
  // kind then extend that step instead of adding one.
  std::optional<ScheduleState> before;
  int stage = 0;  // the current stage

  const Stage& AtHand() const { return state.stage(stage); }
  // Number of loops that the menu's moves reach.
  int Loops() const;
  // The last step if it can be extended and has type P, else null.
  template <typename P>
  const P* Last() const {
    if (!before) return nullptr;
    const P* last = std::get_if<P>(&state.step(state.trace_size() - 1));
    return last && IsAtHand(*last) ? last : nullptr;
  }

 private:
  bool IsAtHand(const Pack& pack) const { return pack.readers == std::vector<StageRef>{{stage}}; }
  template <typename P>
  bool IsAtHand(const P& step) const {
    return step.stage.id == stage;
  }
};

// The primitive of a move.
struct ConstructStep {
  Primitive primitive;
  bool again = false;  // replaces the last step; applies to the state before it
};

// The naive program; the current stage is its last one.
ConstructPlace FirstPlace(const std::shared_ptr<const Task>& task);

// The nearest stage before the current one, in the order of the computation, that has loops;
// nullopt if there is none.
std::optional<int> NextStage(const ConstructPlace& place);

// The inner lengths that kSplitOuter may use for a loop of this extent, largest first.
std::vector<int64_t> LargestDivisors(int64_t extent);

// Loops within which the current stage may be computed, outermost first: stage and position.
std::vector<std::pair<int, int>> ComputePlaces(const ConstructPlace& place);

// Distinct stages that the current stage reads directly, in order of appearance.
std::vector<int> ReadStages(const ConstructPlace& place);

// Positions of the current stage's reduction loops.
std::vector<int> ReductionLoops(const ConstructPlace& place);

// Returns the step of a primitive move, which passes Check; an error with the reason if illegal.
Result<ConstructStep> StepOf(const ConstructPlace& place, const Move& move);

// Returns the place after a legal move; an error with the reason if illegal. Not for kStop.
Result<ConstructPlace> After(const ConstructPlace& place, const Move& move);

// Writes one byte for each action: 1 if After succeeds and for kStop, else 0.
void WriteLegal(const ConstructMenu& menu, const ConstructPlace& place, std::span<int8_t> mask);

// Text of the current stage, of whether the last step can be extended, and of the trace.
std::string PlaceText(const ConstructPlace& place);

// Returns the place whose PlaceText is `text`; kParse or kIllegal with the reason on failure.
Result<ConstructPlace> ParsePlace(const std::shared_ptr<const Task>& task, std::string_view text);

// Returns a move as a primitive of traces, or as words; an error with the reason if illegal.
Result<std::string> DescribeMove(const ConstructPlace& place, const Move& move);

}  // namespace schedulegym
