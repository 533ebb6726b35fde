#include "agents/learned/scorer/score_line.h"

#include <cmath>
#include <map>

#include "env/base/check.h"

namespace schedulegym {
namespace {

struct Sums {
  double count = 0, score = 0, logarithm = 0;

  void Add(double one_score, double one_logarithm) {
    count += 1;
    score += one_score;
    logarithm += one_logarithm;
  }
};

}  // namespace

ScoreLine FitScoreLine(std::span<const float> scores, std::span<const float> labels,
                       std::span<const int> tasks) {
  SG_CHECK(scores.size() == labels.size() && scores.size() == tasks.size(),
           "a label and a task for each score");
  std::map<int, Sums> sums;
  Sums all;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!(labels[i] > 0)) continue;
    const double logarithm = std::log(static_cast<double>(labels[i]));
    sums[tasks[i]].Add(scores[i], logarithm);
    all.Add(scores[i], logarithm);
  }
  double products = 0, squares = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!(labels[i] > 0)) continue;
    const Sums& own = sums[tasks[i]];
    const double centred = scores[i] - own.score / own.count;
    products += centred * (std::log(static_cast<double>(labels[i])) - own.logarithm / own.count);
    squares += centred * centred;
  }
  const double slope = squares > 0 ? products / squares : 0;
  if (!std::isfinite(slope) || slope <= 0) return {};
  return {slope, (all.logarithm - slope * all.score) / all.count};
}

}  // namespace schedulegym
