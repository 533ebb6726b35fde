#include "experiments/cli/train_report.h"

#include <algorithm>
#include <cmath>

#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

std::string Padded(std::string text, size_t width) {
  text.insert(0, text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string Line(const std::string& rounds, const std::string& step, const std::string& best,
                 const std::string& entropy) {
  return Padded(rounds, 13) + Padded(step, 9) + Padded(best, 9) + Padded(entropy, 9) + "\n";
}

TrainingPart MeansOf(std::span<const TrainedRound> rounds) {
  TrainingPart part = {.step = 0, .best = 0};
  const auto count = static_cast<double>(rounds.size());
  for (const TrainedRound& round : rounds) {
    part.step += round.step / count;
    part.best += round.best / count;
    part.entropy += round.entropy / count;
  }
  part.step = std::exp(part.step);
  part.best = std::exp(part.best);
  return part;
}

}  // namespace

std::vector<TrainingPart> PartsOf(std::span<const TrainedRound> rounds, int most) {
  std::vector<TrainingPart> parts;
  const int64_t count = std::min<int64_t>(std::ssize(rounds), most);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t first = std::ssize(rounds) * i / count;
    const int64_t end = std::ssize(rounds) * (i + 1) / count;
    parts.push_back(
        MeansOf(rounds.subspan(static_cast<size_t>(first), static_cast<size_t>(end - first))));
    parts.back().first = first + 1;
    parts.back().last = end;
  }
  return parts;
}

std::string TrainingText(std::span<const TrainingPart> parts) {
  std::string text = Line("rounds", "a step", "the best", "entropy");
  for (const TrainingPart& part : parts) {
    const std::string last = part.last > part.first ? "-" + std::to_string(part.last) : "";
    text += Line(std::to_string(part.first) + last, FormatFixed(part.step, 4),
                 FormatFixed(part.best, 2), FormatFixed(part.entropy, 2));
  }
  return text;
}

}  // namespace schedulegym
