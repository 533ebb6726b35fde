#include "agents/learned/visited_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// The whole part, and one more with the rest's chance, so that a small share of few is not always
// none.
int RandomlyRounded(double number, Rng& rng) {
  const double whole = std::floor(number);
  return static_cast<int>(whole) + (rng.Chance(number - whole) ? 1 : 0);
}

// None is below every number.
bool IsBetter(const std::optional<double>& a, const std::optional<double>& b) { return b < a; }

// Of each key that is not known its best, the best first.
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
