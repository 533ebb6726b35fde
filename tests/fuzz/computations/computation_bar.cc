#include "tests/fuzz/computations/computation_bar.h"

#include <algorithm>
#include <cmath>

#include "env/base/text.h"

namespace schedulegym {
namespace {

std::string Percent(double share) { return FormatDouble(100 * share) + " %"; }

}  // namespace

int64_t ComputationBar::LeastOfAForm(int64_t computations) const {
  if (computations >= long_run) return least_of_a_form;
  // From this share on, random runs hardly ever miss a form.
  constexpr double kTogether = 4, kDeviations = 4, kMissedByChance = 10;
  const double share = static_cast<double>(least_of_a_form) * static_cast<double>(computations) /
                       static_cast<double>(long_run);
  const int64_t least = std::llround(share - kDeviations * std::sqrt(kTogether * share));
  return std::max<int64_t>(share < kMissedByChance ? 0 : 1, least);
}

std::vector<std::string> ShortfallsOf(const ComputationCounts& counts, const ComputationBar& bar) {
  std::vector<std::string> shortfalls;
  if (counts.right + counts.wrong == 0 || counts.exact + counts.bounded == 0) {
    shortfalls.push_back("nothing was compared");
  } else if (counts.cells > 0 && counts.unbounded == counts.cells && counts.exact == 0) {
    shortfalls.push_back("no cell of reals had a bound, so that nothing was compared");
  }
  if (counts.RefusedShare() > bar.most_refused) {
    shortfalls.push_back(Percent(counts.RefusedShare()) +
                         " of the schedules were refused, expected " + Percent(bar.most_refused) +
                         " at most");
  }
  const int64_t least = bar.LeastOfAForm(counts.computations);
  for (const OperationForm& form : EveryOperationForm()) {
    const auto found = counts.operations.find(form);
    const int64_t count = found == counts.operations.end() ? 0 : found->second;
    if (count >= least) continue;
    shortfalls.push_back("'" + form.operation + "' of " + DTypeName(form.type) +
                         (form.vector ? " on vectors" : " on scalars") + " was in " +
                         std::to_string(count) + " right schedules, expected " +
                         std::to_string(least));
  }
  return shortfalls;
}

}  // namespace schedulegym
