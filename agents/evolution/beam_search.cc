#include "agents/evolution/beam_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/search/knob_space.h"

namespace schedulegym {
namespace {

// A sketch, and the knobs of its tiles that are filled.
struct OpenTiles {
  explicit OpenTiles(const Sketch& sketch) : space(WithWholeTiles(*sketch.knobs)) {
    for (int knob = 0; knob < space.dimensions(); ++knob) {
      if (space.knob(knob).kind == KnobKind::kTile) knobs.push_back(knob);
    }
  }

  KnobSpace space;
  std::vector<int> knobs;
};

struct Partial {
  const OpenTiles* open = nullptr;
  KnobPoint point;    // untiled if nothing is chosen yet
  size_t filled = 0;  // how many knobs are chosen
  ScheduleState state;

  bool is_filled() const { return filled == open->knobs.size(); }
};

// Returns up to `most` distinct numbers below `count`, in random order.
std::vector<int> Draw(int count, int most, Rng& rng) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  if (count <= most) return numbers;
  for (int i = 0; i < most; ++i) std::swap(numbers[i], numbers[i + rng.Below(count - i)]);
  numbers.resize(most);
  return numbers;
}

void Expand(const Partial& partial, int most, Rng& rng, std::vector<Partial>& next) {
  const int knob = partial.open->knobs[partial.filled];
  for (int choice : Draw(partial.open->space.size_of(knob), most, rng)) {
    KnobPoint point = partial.point;
    point[knob] = choice;
    Result<ScheduleState> state = partial.open->space.At(point);
    if (!state) continue;
    next.push_back({partial.open, std::move(point), partial.filled + 1, *std::move(state)});
  }
}

// Returns the best, in order, without those that cannot be evaluated.
std::vector<Partial> Best(std::vector<Partial> partials, const StateEvaluator& evaluator,
                          int width) {
  std::vector<ScheduleState> states;
  for (const Partial& partial : partials) states.push_back(partial.state);
  const std::vector<std::optional<double>> scores = evaluator(states);
  SG_CHECK(scores.size() == partials.size(), "a score for each schedule");
  std::vector<int> order;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i]) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return *scores[a] > *scores[b]; });
  std::vector<Partial> best;
  for (int i : order) {
    if (static_cast<int>(best.size()) == width) break;
    best.push_back(std::move(partials[i]));
  }
  return best;
}

// Draws the other knobs from the space; returns the schedule unchanged if no draw is legal.
ScheduleState Completed(const Partial& partial, Rng& rng) {
  OpenPoint fixed(partial.point.size());
  for (int knob : partial.open->knobs) fixed[knob] = partial.point[knob];
  Result<ScheduleState> state = partial.open->space.Complete(fixed, rng);
  return state ? *std::move(state) : partial.state;
}

}  // namespace

std::vector<ScheduleState> BeamSearch(const std::vector<Sketch>& sketches,
                                      const StateEvaluator& evaluator, const BeamOptions& options,
                                      Rng& rng) {
  std::vector<OpenTiles> all;
  for (const Sketch& sketch : sketches) all.emplace_back(sketch);
  std::vector<Partial> beam;
  for (size_t i = 0; i < all.size(); ++i) {
    beam.push_back({&all[i], all[i].space.Origin(), 0, sketches[i].state});
  }
  const auto is_filled = [](const Partial& partial) { return partial.is_filled(); };
  while (!std::all_of(beam.begin(), beam.end(), is_filled)) {
    const int most = std::max(1, options.population / static_cast<int>(beam.size()));
    std::vector<Partial> next;
    for (const Partial& partial : beam) {
      options.stop.Check();
      if (partial.is_filled()) {
        next.push_back(partial);
      } else {
        Expand(partial, most, rng, next);
      }
    }
    beam = Best(std::move(next), evaluator, options.width);
  }
  std::vector<ScheduleState> completed;
  for (int i = 0; !beam.empty() && i < options.population; ++i) {
    completed.push_back(Completed(beam[i % beam.size()], rng));
  }
  return completed;
}

}  // namespace schedulegym
