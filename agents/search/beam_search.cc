#include "agents/search/beam_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/search/knob_space.h"

namespace schedulegym {
namespace {

// An open place is a split, or a knob where the sketch has knobs.
struct Partial {
  const Sketch* sketch = nullptr;
  std::vector<int> chosen;  // for each open place; the first, untiled, where none is chosen yet
  size_t filled = 0;        // how many are chosen
  ScheduleState state;

  bool is_filled() const { return filled == chosen.size(); }
};

size_t OpenPlaces(const Sketch& sketch) {
  return sketch.knobs ? static_cast<size_t>(sketch.knobs->dimensions()) : sketch.splits.size();
}

int Choices(const Sketch& sketch, size_t place) {
  if (sketch.knobs) return sketch.knobs->size_of(static_cast<int>(place));
  return static_cast<int>(sketch.splits[place].choices.size());
}

Result<ScheduleState> StateOf(const Sketch& sketch, const std::vector<int>& chosen) {
  return sketch.knobs ? sketch.knobs->At(chosen) : FillLengths(sketch, chosen);
}

// Some of the numbers below `count`, each at most once, in random order; all where they are few.
std::vector<int> Draw(int count, int most, Rng& rng) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  if (count <= most) return numbers;
  for (int i = 0; i < most; ++i) std::swap(numbers[i], numbers[i + rng.Below(count - i)]);
  numbers.resize(most);
  return numbers;
}

void Expand(const Partial& partial, int most, Rng& rng, std::vector<Partial>& next) {
  const int count = Choices(*partial.sketch, partial.filled);
  for (int choice : Draw(count, most, rng)) {
    std::vector<int> chosen = partial.chosen;
    chosen[partial.filled] = choice;
    Result<ScheduleState> state = StateOf(*partial.sketch, chosen);
    if (!state) continue;
    next.push_back({partial.sketch, std::move(chosen), partial.filled + 1, *std::move(state)});
  }
}

// The best, in order; without what cannot be judged.
std::vector<Partial> Best(std::vector<Partial> partials, const Judge& judge, int width) {
  std::vector<ScheduleState> states;
  for (const Partial& partial : partials) states.push_back(partial.state);
  const std::vector<std::optional<double>> scores = judge(states);
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

// With one knob at another value, where that is legal.
ScheduleState Varied(const Partial& partial, Rng& rng) {
  std::vector<int> chosen = partial.chosen;
  const auto knob = static_cast<size_t>(rng.Below(static_cast<int64_t>(chosen.size())));
  chosen[knob] = static_cast<int>(rng.Below(Choices(*partial.sketch, knob)));
  Result<ScheduleState> state = StateOf(*partial.sketch, chosen);
  return state ? *std::move(state) : partial.state;
}

ScheduleState Completed(const Partial& partial, Rng& rng) {
  if (partial.sketch->knobs && !partial.chosen.empty()) return Varied(partial, rng);
  ScheduleState state = partial.state;
  for (const OpenAnnotation& open : partial.sketch->annotations) {
    const Trace& steps = open.choices[rng.Below(static_cast<int64_t>(open.choices.size()))];
    Result<ScheduleState> annotated = state;
    for (const Primitive& step : steps) {
      if (annotated) annotated = Apply(*annotated, step);
    }
    if (annotated) state = *std::move(annotated);
  }
  if (!partial.sketch->finish) return state;
  Result<ScheduleState> finished = partial.sketch->finish(state);
  return finished ? *std::move(finished) : state;
}

}  // namespace

std::vector<ScheduleState> BeamSearch(const std::vector<Sketch>& sketches, const Judge& judge,
                                      const BeamOptions& options, Rng& rng) {
  std::vector<Partial> beam;
  for (const Sketch& sketch : sketches) {
    beam.push_back({&sketch, std::vector<int>(OpenPlaces(sketch)), 0, sketch.state});
  }
  const auto is_filled = [](const Partial& partial) { return partial.is_filled(); };
  while (!std::all_of(beam.begin(), beam.end(), is_filled)) {
    const int most = std::max(1, options.population / static_cast<int>(beam.size()));
    std::vector<Partial> next;
    for (const Partial& partial : beam) {
      if (partial.is_filled()) {
        next.push_back(partial);
      } else {
        Expand(partial, most, rng, next);
      }
    }
    beam = Best(std::move(next), judge, options.width);
  }
  std::vector<ScheduleState> completed;
  for (int i = 0; !beam.empty() && i < options.population; ++i) {
    completed.push_back(Completed(beam[i % beam.size()], rng));
  }
  return completed;
}

}  // namespace schedulegym
