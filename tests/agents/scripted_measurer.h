// ScriptedMeasurer: scripted measurements of made-up tasks.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"
#include "tests/agents/vector_task.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {

// A success of a vector addition of `extent` elements, with as many flops.
inline Measurement Success(double ratio) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{.seconds = 1e-6 / ratio, .ratio = {ratio, ratio, ratio}};
  measurement.phases = {0.1, 0.2, 0.3};
  return measurement;
}

inline Measurement Failure(Outcome outcome) {
  Measurement measurement;
  measurement.outcome = outcome;
  measurement.message = "as the test says";
  measurement.phases = {0.1, 0, 0};
  return measurement;
}

// Returns results from a script by the candidate's number; each takes a second by default.
class ScriptedMeasurer : public Measurer {
 public:
  // `calendar`, if any, advances with the clock.
  explicit ScriptedMeasurer(FakeClock& clock, FakeClock* calendar = nullptr)
      : clock_(clock), calendar_(calendar) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    sizes.push_back(static_cast<int>(candidates.size()));
    std::vector<Measurement> measurements;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const double seconds = takes ? takes(count) : 1;
      const bool is_cut_off = !Pass(seconds, candidates[i]);
      anew.push_back(candidates[i].anew);
      finalist.push_back(candidates[i].finalist);
      measurements.push_back(is_cut_off ? Failure(Outcome::kCutOff)
                             : script   ? script(count)
                                        : Success(1));
      ++count;
    }
    return measurements;
  }
  int Width() const override { return width; }
  void Expect(std::span<const Candidate> candidates) override {
    expected.push_back(static_cast<int>(candidates.size()));
  }
  DeferredResults TakeDeferredResults() override { return std::exchange(deferred_results, {}); }
  void NoteVerified(const Key& task) override { noted.push_back(task); }
  bool Finish(double most_seconds) override {
    if (!finish) return true;
    clock_.Advance(most_seconds);
    awaited += most_seconds;
    return finish();
  }

  std::function<Measurement(int)> script;
  std::function<double(int)> takes;  // seconds
  int width = 1;
  int count = 0;
  std::vector<int> sizes, expected;
  std::vector<bool> anew, finalist;  // those flags of each candidate
  DeferredResults deferred_results;
  std::vector<Key> noted;
  std::function<bool()> finish;  // returns whether all is done, after the whole time; unset: true
  double awaited = 0;            // seconds

 private:
  // Advances the clock in steps; returns false if the candidate was cut off at one.
  bool Pass(double seconds, const Candidate& candidate) {
    constexpr double kStep = 0.125;
    for (; seconds > 0; seconds -= kStep) {
      if (candidate.end && candidate.end()) return false;
      clock_.Advance(std::min(seconds, kStep));
      if (calendar_ != nullptr) calendar_->Advance(std::min(seconds, kStep));
    }
    return true;
  }

  FakeClock& clock_;
  FakeClock* calendar_;
};

}  // namespace schedulegym
