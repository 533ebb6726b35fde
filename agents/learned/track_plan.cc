#include "agents/learned/track_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {
namespace {

int NextNumber(int tracks, const StoppingOptions& options) {
  const int given_up = std::max(1, static_cast<int>(std::floor(options.ratio * tracks)));
  return std::max(options.least, tracks - given_up);
}

// The numbers of tracks, a window each, that begin with so many.
std::vector<int> Windows(int tracks, const StoppingOptions& options) {
  std::vector<int> numbers = {tracks};
  while (numbers.back() > options.least) numbers.push_back(NextNumber(numbers.back(), options));
  return numbers;
}

// Grows with the tracks.
int64_t VisitsOf(int tracks, const StoppingOptions& options) {
  const std::vector<int> numbers = Windows(tracks, options);
  return std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) * options.window;
}

// The most with which the visits suffice; 1 where they never do.
int FirstNumber(int64_t visits, const StoppingOptions& options) {
  int64_t low = 1, high = std::min<int64_t>(visits / options.window, INT32_MAX - 1) + 1;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (VisitsOf(static_cast<int>(middle), options) <= visits ? low : high) = middle;
  }
  return static_cast<int>(low);
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

}  // namespace schedulegym
