// Plans the number of live tracks at each step, and chooses which visited schedules to measure.
// With stopping, the number falls by floor(ratio * tracks), at least 1, after every window of steps
// until `least`; the first number is the largest whose windows fit the visits, by bisection. The
// choice is the best `count` distinct schedules by score; a share of them is replaced by uniform
// draws from the rest; fractions of a schedule are rounded at random. Cost: O(visits log visits).
#include "agents/learned/track_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

int NextNumber(int tracks, const StoppingOptions& options) {
  const int given_up = std::max(1, static_cast<int>(std::floor(options.ratio * tracks)));
  return std::max(options.least, tracks - given_up);
}

// Returns the numbers of tracks, one for each window, that start with `tracks`.
std::vector<int> Windows(int tracks, const StoppingOptions& options) {
  std::vector<int> numbers = {tracks};
  while (numbers.back() > options.least) numbers.push_back(NextNumber(numbers.back(), options));
  return numbers;
}

// Number of visits; grows with the tracks.
int64_t VisitsOf(int tracks, const StoppingOptions& options) {
  const std::vector<int> numbers = Windows(tracks, options);
  return std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) * options.window;
}

// Returns the largest number of tracks for which the visits suffice; at least 1.
int FirstNumber(int64_t visits, const StoppingOptions& options) {
  int64_t low = 1, high = std::min<int64_t>(visits / options.window, INT32_MAX - 1) + 1;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (VisitsOf(static_cast<int>(middle), options) <= visits ? low : high) = middle;
  }
  return static_cast<int>(low);
}

// Rounds up with the fraction as probability, otherwise down, so that a small share of few is not
// always 0.
int RandomlyRounded(double number, Rng& rng) {
  const double whole = std::floor(number);
  return static_cast<int>(whole) + (rng.Chance(number - whole) ? 1 : 0);
}

// nullopt is below every number.
bool IsBetter(const std::optional<double>& a, const std::optional<double>& b) { return b < a; }

// Returns the best of each key that is not known, best first.
std::vector<int> Ranked(std::span<const VisitedSchedule> visited, const std::set<Key>& known) {
  std::map<Key, int> best;
  for (int i = 0; i < static_cast<int>(visited.size()); ++i) {
    const VisitedSchedule& each = visited[static_cast<size_t>(i)];
    SG_CHECK(!each.score || !std::isnan(*each.score), "a score is a number");
    if (known.contains(each.key)) continue;
    const auto [place, is_new] = best.emplace(each.key, i);
    const auto& held = visited[static_cast<size_t>(place->second)].score;
    if (!is_new && IsBetter(each.score, held)) place->second = i;
  }
  std::vector<int> ranked;
  for (const auto& [key, position] : best) ranked.push_back(position);
  std::sort(ranked.begin(), ranked.end(), [&](int a, int b) {
    const auto& left = visited[static_cast<size_t>(a)].score;
    const auto& right = visited[static_cast<size_t>(b)].score;
    return left == right ? a < b : IsBetter(left, right);
  });
  return ranked;
}

}  // namespace

std::vector<int> StoppedTracks(int64_t visits, const StoppingOptions& options) {
  SG_CHECK(visits >= 1, "something to visit");
  SG_CHECK(options.window >= 1 && options.least >= 1, "a window and a least number of at least 1");
  SG_CHECK(options.ratio > 0 && options.ratio < 1, "a ratio between 0 and 1");
  const std::vector<int> numbers = Windows(FirstNumber(visits, options), options);
  std::vector<int> live;
  int64_t left = visits;
  const auto step = [&](int tracks) {
    live.push_back(static_cast<int>(std::min<int64_t>(tracks, left)));
    left -= live.back();
  };
  for (const int tracks : numbers) {
    for (int i = 0; i < options.window && left > 0; ++i) step(tracks);
  }
  while (left > 0) step(numbers.back());
  return live;
}

std::vector<int> SteadyTracks(int64_t visits, int tracks) {
  SG_CHECK(visits >= 1 && tracks >= 1, "something to visit, and a track that does");
  std::vector<int> live(static_cast<size_t>(visits / tracks), tracks);
  if (visits % tracks > 0) live.push_back(static_cast<int>(visits % tracks));
  return live;
}

std::vector<int> Survivors(std::span<const double> promises, int count) {
  SG_CHECK(count >= 0 && count <= std::ssize(promises), "some of the tracks");
  const auto promise = [&](int track) {
    const double number = promises[static_cast<size_t>(track)];
    return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
  };
  std::vector<int> order(promises.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return promise(a) > promise(b); });
  order.resize(static_cast<size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

VisitedChoice ChooseVisited(std::span<const VisitedSchedule> visited, const std::set<Key>& known,
                            int count, double stray_share, Rng& rng) {
  SG_CHECK(count >= 0, "a count");
  SG_CHECK(stray_share >= 0 && stray_share <= 1, "a share");
  std::vector<int> ranked = Ranked(visited, known);
  const auto most = static_cast<int>(std::min<int64_t>(count, std::ssize(ranked)));
  const int strays = std::min(RandomlyRounded(stray_share * count, rng), most);
  VisitedChoice choice;
  const auto split = ranked.begin() + (most - strays);
  choice.best.assign(ranked.begin(), split);
  std::vector<int> others(split, ranked.end());
  for (int i = 0; i < strays; ++i) {
    const auto drawn = static_cast<size_t>(i + rng.Below(std::ssize(others) - i));
    std::swap(others[static_cast<size_t>(i)], others[drawn]);
    choice.stray.push_back(others[static_cast<size_t>(i)]);
  }
  return choice;
}

}  // namespace schedulegym
