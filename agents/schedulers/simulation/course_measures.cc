#include "agents/schedulers/simulation/course_measures.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {

double MeanLogLatency(const Course& course, double horizon) {
  SG_CHECK(horizon > 0, "a course takes time");
  double area = 0;
  for (size_t i = 0; i < course.points.size(); ++i) {
    const bool is_last = i + 1 == course.points.size();
    const double begin = std::min(course.points[i].seconds, horizon);
    const double end = is_last ? horizon : std::min(course.points[i + 1].seconds, horizon);
    area += (end - begin) * std::log(course.points[i].latency);
  }
  return area / horizon;
}

std::optional<double> SecondsTo(const Course& course, double latency) {
  for (const CoursePoint& point : course.points) {
    if (point.latency <= latency) return point.seconds;
  }
  return std::nullopt;
}

MeanInterval MeanOf(std::span<const double> values) {
  SG_CHECK(!values.empty(), "a mean is of something");
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double value : values) sum += value;
  const double mean = sum / count;
  for (double value : values) squares += (value - mean) * (value - mean);
  constexpr double kNormal95 = 1.959964;
  const double width = count > 1 ? kNormal95 * std::sqrt(squares / (count - 1) / count) : 0;
  return {mean, mean - width, mean + width};
}

}  // namespace schedulegym
