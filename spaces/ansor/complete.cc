#include "spaces/ansor/complete.h"

#include <numeric>
#include <utility>

#include "spaces/ansor/annotate.h"

namespace schedulegym {
namespace {

bool HasLengths(const std::vector<int64_t>& lengths,
                const std::vector<std::optional<int64_t>>& given) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] && *given[i] != lengths[i]) return false;
  }
  return true;
}

// A position in the split's choices; none where none of them is as given.
std::optional<int> DrawChoice(const OpenSplit& split,
                              const std::vector<std::optional<int64_t>>& given, Rng& rng) {
  const auto count = static_cast<int64_t>(split.choices.size());
  if (given.empty()) return static_cast<int>(rng.Below(count));
  std::vector<int> fitting;
  for (int i = 0; i < count; ++i) {
    if (HasLengths(split.choices[i], given)) fitting.push_back(i);
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[rng.Below(static_cast<int64_t>(fitting.size()))];
}

std::vector<bool> PlacedStages(const OpenSketch& sketch) {
  std::vector<bool> placed;
  for (int id = 0; id < sketch.state.size(); ++id) {
    placed.push_back(HasPlaces(sketch.annotations, id));
  }
  return placed;
}

}  // namespace

Result<ScheduleState> Complete(const OpenSketch& sketch, const GivenChoices& given, Rng& rng) {
  std::vector<int> chosen;
  for (size_t i = 0; i < sketch.splits.size(); ++i) {
    const auto lengths =
        given.lengths.empty() ? std::vector<std::optional<int64_t>>() : given.lengths[i];
    const std::optional<int> choice = DrawChoice(sketch.splits[i], lengths, rng);
    if (!choice) {
      return InvalidSchedule("found lengths that fit no others of a loop of " +
                             std::to_string(sketch.splits[i].extent));
    }
    chosen.push_back(*choice);
  }
  const Decide decide = [&rng](KnobKind, int, int64_t count) { return rng.Below(count); };
  const GivenSteps steps = [&](KnobKind kind, int stage) -> const Trace* {
    for (size_t i = 0; i < given.annotations.size(); ++i) {
      const OpenAnnotation& open = sketch.annotations[i];
      if (open.kind != kind || open.stage != stage) continue;
      return given.annotations[i] ? &open.choices[*given.annotations[i]] : nullptr;
    }
    return nullptr;
  };
  Result<ScheduleState> state = FillLengths(sketch, chosen);
  if (state) state = MoveStages(*std::move(state), sketch.needs_tiles, decide, steps);
  if (state) {
    state = VectorizeGiven(*std::move(state), PlacedStages(sketch), sketch.most_vector, steps);
  }
  if (state) state = RunInParallel(*std::move(state), steps);
  if (state) state = UnrollReductions(*std::move(state), decide, steps);
  if (state) state = Vectorized(*std::move(state), decide, steps, sketch.most_vector);
  return state;
}

}  // namespace schedulegym
