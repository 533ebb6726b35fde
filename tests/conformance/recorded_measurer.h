// RecordedMeasurer: returns the results in an exported store's lines.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "tests/conformance/doubts.h"

namespace schedulegym {

// Returns several results of one state in their order. Returns kInfra, with a message, if none are
// left.
class RecordedMeasurer : public Measurer {
 public:
  // `width` as in the recorded run. Throws std::logic_error if a line is invalid.
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

// The first difference of two exported stores; "" if there is none.
std::string DifferenceOf(const std::string& recorded, const std::string& replayed);

}  // namespace schedulegym
