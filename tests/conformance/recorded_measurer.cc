#include "tests/conformance/recorded_measurer.h"

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"

namespace schedulegym {

RecordedMeasurer::RecordedMeasurer(const std::string& lines, int width) : width_(width) {
  for (const std::string& text : SplitLines(lines)) {
    const Line line = ParseLine(text);
    SG_CHECK(!std::holds_alternative<LineFault>(line), "the lines of a store can be read");
    if (const auto* record = std::get_if<Record>(&line)) {
      results_[{record->task->key, record->state_key}].push_back(record->measurement);
    }
    if (const auto* control = std::get_if<ControlMeasurement>(&line)) {
      controls_.emplace(std::pair(control->session->id, control->sequence), *control);
    }
  }
}

std::vector<Measurement> RecordedMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  for (const Candidate& candidate : candidates) measurements.push_back(Answer(candidate));
  return measurements;
}

Measurement RecordedMeasurer::Answer(const Candidate& candidate) {
  auto& results = results_[{TaskKey(candidate.state->task()), StateKey(*candidate.state)}];
  if (results.empty()) {
    Measurement none;
    none.message = "no record of this schedule is left";
    return none;
  }
  Measurement measurement = std::move(results.front());
  results.pop_front();
  if (measurement.ok()) doubts_.OnSuccess(candidate);
  if (measurement.session == nullptr) return measurement;
  const auto control = controls_.extract({measurement.session->id, measurement.sequence});
  if (!control.empty()) doubts_.OnControl(control.mapped());
  return measurement;
}

std::string DifferenceOf(const std::string& recorded, const std::string& replayed) {
  const std::vector<std::string> expected = SplitLines(recorded), found = SplitLines(replayed);
  for (size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    const std::string left = i < expected.size() ? expected[i] : "the end";
    const std::string right = i < found.size() ? found[i] : "the end";
    if (left == right) continue;
    return "line " + std::to_string(i + 1) + ": recorded " + left + ", found " + right;
  }
  return "";
}

}  // namespace schedulegym
