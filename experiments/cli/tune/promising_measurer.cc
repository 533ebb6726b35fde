#include "experiments/cli/tune/promising_measurer.h"

namespace schedulegym {

std::vector<Measurement> PromisingMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Candidate> ending(candidates.begin(), candidates.end());
  for (Candidate& candidate : ending) {
    candidate.end = [flag = interrupt_.flag(), end = std::move(candidate.end)] {
      return *flag || (end && end());
    };
  }
  interrupt_.Promise(kMeasuringSeconds);
  std::vector<Measurement> measurements = measurer_->Measure(ending);
  interrupt_.Promise(kThinkingSeconds);
  return measurements;
}

Afterthoughts PromisingMeasurer::TakeAfterthoughts() {
  interrupt_.Promise(kMeasuringSeconds);
  Afterthoughts afterthoughts = measurer_->TakeAfterthoughts();
  interrupt_.Promise(kThinkingSeconds);
  return afterthoughts;
}

bool PromisingMeasurer::Finish(double most_seconds) {
  interrupt_.Promise(kMeasuringSeconds);
  const bool finished = measurer_->Finish(most_seconds);
  interrupt_.Promise(kThinkingSeconds);
  return finished;
}

}  // namespace schedulegym
