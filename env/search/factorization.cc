#include "env/search/factorization.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

void Extend(int64_t rest, int count, int64_t most, std::vector<int64_t>& inner,
            std::vector<std::vector<int64_t>>& all) {
  if (count == 0) {
    all.emplace_back(inner.rbegin(), inner.rend());
    return;
  }
  for (int64_t length : Divisors(rest)) {
    if (length > most) break;
    inner.push_back(length);
    Extend(rest / length, count - 1, rest, inner, all);
    inner.pop_back();
  }
}

}  // namespace

std::vector<int64_t> Divisors(int64_t number) {
  SG_CHECK(number > 0, "only what is positive is divided");
  std::vector<int64_t> low, high;
  for (int64_t divisor = 1; divisor * divisor <= number; ++divisor) {
    if (number % divisor != 0) continue;
    low.push_back(divisor);
    if (divisor * divisor != number) high.push_back(number / divisor);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::vector<std::vector<int64_t>> Factorizations(int64_t extent, int count,
                                                 int64_t most_innermost) {
  std::vector<std::vector<int64_t>> all;
  std::vector<int64_t> inner;
  Extend(extent, count, most_innermost, inner, all);
  return all;
}

}  // namespace schedulegym
