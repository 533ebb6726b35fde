// ConstructPlace: how far the construction of a schedule has come; what each move of the menu does
// there.
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
  // The state before the last step, where that step was taken at this stage: moves of its kind add
  // to it instead of taking a step of their own.
  std::optional<ScheduleState> before;
  int stage = 0;  // at hand

  const Stage& AtHand() const { return state.stage(stage); }
  // Loops of the menu's reach.
  int Loops() const;
  // The last step, if it may be added to and is of type P.
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

// A primitive that a move stands for.
struct ConstructStep {
  Primitive primitive;
  bool again = false;  // in place of the last step, on the state before it
};

// The naive program with the last stage at hand.
ConstructPlace FirstPlace(const std::shared_ptr<const Task>& task);

// The nearest stage before the one at hand, in the order of the computation, that has loops; none
// at the end.
std::optional<int> NextStage(const ConstructPlace& place);

// What an inner length of kSplitOuter may be for a loop of this extent: the largest first.
std::vector<int64_t> LargestDivisors(int64_t extent);

// Loops within which the stage at hand may be computed, outermost first: stage and position.
std::vector<std::pair<int, int>> ComputePlaces(const ConstructPlace& place);

// Distinct stages that the one at hand reads itself, in order of appearance.
std::vector<int> ReadStages(const ConstructPlace& place);

// Positions of the stage's reduction loops.
std::vector<int> ReductionLoops(const ConstructPlace& place);

// What a move that is a primitive means here, legal by Check; the reason of others.
Result<ConstructStep> StepOf(const ConstructPlace& place, const Move& move);

// The place after a legal move; the reason of others. Not for kStop.
Result<ConstructPlace> After(const ConstructPlace& place, const Move& move);

// One byte for each action: 1 where After succeeds, and for kStop.
void WriteLegal(const ConstructMenu& menu, const ConstructPlace& place, std::span<int8_t> mask);

// The stage at hand, whether the last step may be added to, and the trace.
std::string PlaceText(const ConstructPlace& place);

// The place whose text this is; kParse or kIllegal with the reason where there is none.
Result<ConstructPlace> ParsePlace(const std::shared_ptr<const Task>& task, std::string_view text);

// A primitive as traces write it, or words; the reason of a move that is illegal here.
Result<std::string> DescribeMove(const ConstructPlace& place, const Move& move);

}  // namespace schedulegym
