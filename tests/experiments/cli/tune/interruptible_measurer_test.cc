#include "experiments/cli/common/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <functional>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Calls a function while it measures.
class MadeMeasurer : public Measurer {
 public:
  explicit MadeMeasurer(std::function<void()> meanwhile) : meanwhile_(std::move(meanwhile)) {}
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    meanwhile_();
    std::vector<Measurement> measurements(candidates.size());
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].end()) measurements[i].outcome = Outcome::kCutOff;
    }
    return measurements;
  }
  int Width() const override { return 3; }
  void Expect(std::span<const Candidate> candidates) override { expected_ += candidates.size(); }
  DeferredResults TakeDeferredResults() override { return {.controls = {ControlMeasurement()}}; }
  void NoteVerified(const Key&) override { ++verified_; }
  bool Finish(double) override { return verified_ > 0; }

  size_t expected() const { return expected_; }

 private:
  std::function<void()> meanwhile_;
  size_t expected_ = 0;
  int verified_ = 0;
};

// Seconds left on the alarm that ends the program.
unsigned SecondsLeft() {
  const unsigned left = alarm(0);
  alarm(left);
  return left;
}

TEST(InterruptibleMeasurerTest, ASignalCutsTheTrialOff) {
  InstallSignalHandlers();
  const InterruptScope scope;
  InterruptibleMeasurer measurer(std::make_unique<MadeMeasurer>([] {
                                   raise(SIGTERM);
                                   EXPECT_GT(SecondsLeft(), 0u);
                                   EXPECT_LE(SecondsLeft(),
                                             static_cast<unsigned>(kMeasuringSeconds));
                                 }),
                                 scope);
  const Candidate candidate{ScheduleState::Initial(TaskOf("input A[8]\nB[i:8] = A[i] + 1\n"))};
  EXPECT_EQ(measurer.Measure({&candidate, 1}).at(0).outcome, Outcome::kCutOff);
  EXPECT_EQ(scope.exit_code(), 143);
  // After the trial the alarm is at most kThinkingSeconds.
  EXPECT_GT(SecondsLeft(), 0u);
  EXPECT_LE(SecondsLeft(), static_cast<unsigned>(kThinkingSeconds));
}

TEST(InterruptibleMeasurerTest, EndsWhereTheCandidateDoes) {
  const InterruptScope scope;
  InterruptibleMeasurer measurer(std::make_unique<MadeMeasurer>([] {}), scope);
  Candidate candidate{ScheduleState::Initial(TaskOf("input A[8]\nB[i:8] = A[i] + 1\n"))};
  EXPECT_NE(measurer.Measure({&candidate, 1}).at(0).outcome, Outcome::kCutOff);
  candidate.end = [] { return true; };
  EXPECT_EQ(measurer.Measure({&candidate, 1}).at(0).outcome, Outcome::kCutOff);
}

TEST(InterruptibleMeasurerTest, PassesEverythingOn) {
  const InterruptScope scope;
  auto made = std::make_unique<MadeMeasurer>([] {});
  const MadeMeasurer* inner = made.get();
  InterruptibleMeasurer measurer(std::move(made), scope);
  EXPECT_EQ(measurer.Width(), 3);
  measurer.Expect({});
  EXPECT_EQ(inner->expected(), 0u);
  EXPECT_FALSE(measurer.Finish(1));
  measurer.NoteVerified(Key());
  EXPECT_TRUE(measurer.Finish(1));
  EXPECT_EQ(measurer.TakeDeferredResults().controls.size(), 1u);
}

}  // namespace
}  // namespace schedulegym
