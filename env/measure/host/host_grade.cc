#include "env/measure/host/host_grade.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kMostOfA = 0.005;
constexpr double kMostOfB = 0.02;

}  // namespace

double Quantile(std::span<const double> values, double share) {
  SG_CHECK(!values.empty() && share >= 0 && share <= 1, "a quantile needs values");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

HostGrade GradeOf(std::span<const double> errors) {
  const double error = Quantile(errors, 0.95);
  if (error <= kMostOfA) return HostGrade::kA;
  return error <= kMostOfB ? HostGrade::kB : HostGrade::kC;
}

const char* GradeName(HostGrade grade) {
  switch (grade) {
    case HostGrade::kA: return "A";
    case HostGrade::kB: return "B";
    case HostGrade::kC: return "C";
  }
  return "C";
}

}  // namespace schedulegym
