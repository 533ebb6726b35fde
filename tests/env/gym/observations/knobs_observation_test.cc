#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Has a point of three knobs and no schedule.
class StandingEpisode : public EpisodeState {
 public:
  explicit StandingEpisode(const KnobSpace* knobs, KnobPoint point, int sketch = 0) {
    knobs_ = knobs;
    sketch_ = sketch;
    point_ = std::move(point);
  }
  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<StandingEpisode>(*this);
  }
  void WriteMask(std::span<int8_t>) const override {}
  Result<void> Act(int) override { return Illegal("it stands"); }
  const Result<ScheduleState>& state() const override { return state_; }
  Result<std::string> Describe(int) const override { return Illegal("it stands"); }
  std::string ToText() const override { return "standing\n"; }

 private:
  Result<ScheduleState> state_ = Illegal("no schedule");
};

std::vector<float> Seen(const EpisodeState& episode, const std::string& spec) {
  const auto observation = MakeKnobsObservation(ParseSpec(spec).value());
  const auto task = TaskOf("input X[24]\nA[i:24] = X[i] + 1\n");
  const std::vector<int> actions = {3, 4};
  std::vector<float> numbers(observation->size(), -7);
  observation->Write({*task, episode, actions, 10, 8}, numbers);
  return numbers;
}

TEST(KnobsObservationTest, ShowsValuesAsSharesOfTheLast) {
  const std::shared_ptr<const KnobBuilder> none;
  const KnobSpace knobs(nullptr, std::vector<Knob>{{"a", 2}, {"b", 5}, {"c", 3}}, none);
  const StandingEpisode episode(&knobs, {1, 1, 0}, 4);
  EXPECT_THAT(Seen(episode, "knobs(most=4)"),
              ElementsAre(0.25F, 0.25F, 1, 1, 1, 0.25F, 1, 0, 0, 0));
  EXPECT_THAT(Seen(episode, "knobs(most=2)"), ElementsAre(0.25F, 0.25F, 1, 1, 1, 0.25F));
}

TEST(KnobsObservationTest, IsZeroWithoutKnobs) {
  const StandingEpisode episode(nullptr, {});
  EXPECT_THAT(Seen(episode, "knobs(most=1)"), ElementsAre(0.25F, 0, 0, 0));
}

TEST(KnobsObservationTest, BadOptionsAreNamed) {
  EXPECT_THROW(MakeKnobsObservation(ParseSpec("knobs(most=0)").value()), InputError);
  EXPECT_THROW(MakeKnobsObservation(ParseSpec("knobs(rows=3)").value()), InputError);
}

}  // namespace
}  // namespace schedulegym
