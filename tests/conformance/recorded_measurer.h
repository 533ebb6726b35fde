// RecordedMeasurer: a machine that knows only what the lines of an exported store say.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "tests/conformance/doubts.h"

namespace schedulegym {

// Of a state that was measured several times it tells the results in their order. Where there is
// none left, the outcome is kInfra, and the message says so.
class RecordedMeasurer : public Measurer {
 public:
  // As wide as the machine that was recorded. Throws std::logic_error where a line cannot be read.
  RecordedMeasurer(const std::string& lines, int width);

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  int Width() const override { return width_; }
  DeferredResults TakeDeferredResults() override { return doubts_.Take(); }

 private:
  Measurement Answer(const Candidate& candidate);

  int width_;
  std::map<std::pair<Key, Key>, std::deque<Measurement>> results_;  // by task and state
  std::map<std::pair<std::string, int64_t>, ControlMeasurement>
      controls_;  // by session and sequence
  Doubts doubts_;
};

// Where two exported stores differ first, "" if nowhere.
std::string DifferenceOf(const std::string& recorded, const std::string& replayed);

}  // namespace schedulegym
