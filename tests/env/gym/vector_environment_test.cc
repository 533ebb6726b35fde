#include "env/gym/vector_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

constexpr int kCount = 5;

// A vector with buffers for all of its output.
struct VectorCase {
  VectorCase(const std::shared_ptr<EnvironmentParts>& parts, const VectorOptions& options)
      : vector(parts, options),
        numbers(static_cast<size_t>(options.count) * parts->observations[0]->size()),
        final_numbers(numbers.size()),
        masks(static_cast<size_t>(options.count) * parts->actions->size()),
        rewards(options.count),
        terminated(options.count),
        truncated(options.count),
        illegal(options.count) {
    std::vector<uint64_t> seeds(options.count);
    for (int i = 0; i < options.count; ++i) seeds[i] = 100 + i;
    vector.Seed(seeds);
  }

  VectorBuffers Buffers() {
    return {{numbers}, masks, rewards, terminated, truncated, illegal, {final_numbers}};
  }
  std::span<const int8_t> Mask(int index) const {
    const size_t width = vector.parts().actions->size();
    return std::span(masks).subspan(index * width, width);
  }
  std::vector<float> Row(const std::vector<float>& rows, int index) const {
    const size_t width = vector.parts().observations[0]->size();
    return {rows.begin() + static_cast<long>(index * width),
            rows.begin() + static_cast<long>((index + 1) * width)};
  }

  VectorEnvironment vector;
  std::vector<float> numbers, final_numbers;
  std::vector<int8_t> masks;
  std::vector<double> rewards;
  std::vector<uint8_t> terminated, truncated, illegal;
};

// One legal action in five is to stop.
int Choose(std::span<const int8_t> mask, Rng& rng) {
  if (rng.Chance(0.2)) return kStopAction;
  std::vector<int> legal;
  for (size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0) legal.push_back(static_cast<int>(i));
  }
  return legal[rng.Below(static_cast<int64_t>(legal.size()))];
}

std::vector<float> Seen(const Environment& environment) {
  std::vector<float> numbers(environment.parts().observations[0]->size());
  environment.WriteObservation(0, numbers);
  return numbers;
}

std::vector<int8_t> MaskOf(const Environment& environment) {
  std::vector<int8_t> mask(environment.parts().actions->size());
  environment.WriteMask(mask);
  return mask;
}

class VectorEnvironmentTest : public testing::TestWithParam<std::tuple<int, bool, RewardKind>> {
 protected:
  static std::shared_ptr<EnvironmentParts> PartsOfCase() {
    return SmallParts(std::get<2>(GetParam()), std::get<1>(GetParam()));
  }
  static int Threads() { return std::get<0>(GetParam()); }
};

TEST_P(VectorEnvironmentTest, EqualsSingleEnvironments) {
  const auto parts = PartsOfCase();
  VectorCase stage(parts, {kCount, Autoreset::kNextStep, Threads(), std::nullopt});
  std::vector<Environment> singles;
  for (int i = 0; i < kCount; ++i) {
    singles.emplace_back(parts, 100 + i);
    singles.back().Reset();
  }
  stage.vector.Reset(stage.Buffers());
  Rng rng(4);
  std::vector<bool> over(kCount, false);
  for (int step = 0; step < 60; ++step) {
    std::vector<int> actions(kCount);
    for (int i = 0; i < kCount; ++i) actions[i] = Choose(stage.Mask(i), rng);
    stage.vector.Step(actions, stage.Buffers());
    for (int i = 0; i < kCount; ++i) {
      StepResult expected;
      if (over[i])
        singles[i].Reset();
      else
        expected = singles[i].Step(actions[i]);
      over[i] = !over[i] && expected.ended;
      EXPECT_EQ(stage.rewards[i], expected.reward);
      EXPECT_EQ(stage.terminated[i] != 0, expected.ended);
      EXPECT_EQ(stage.truncated[i], 0);
      EXPECT_EQ(stage.Row(stage.numbers, i), Seen(singles[i]));
      EXPECT_THAT(stage.Mask(i), testing::ElementsAreArray(MaskOf(singles[i])));
    }
  }
}

TEST_P(VectorEnvironmentTest, SameStepShowsTheEndAndTheBeginning) {
  const auto parts = PartsOfCase();
  VectorCase stage(parts, {kCount, Autoreset::kSameStep, Threads(), std::nullopt});
  std::vector<Environment> singles;
  for (int i = 0; i < kCount; ++i) {
    singles.emplace_back(parts, 100 + i);
    singles.back().Reset();
  }
  stage.vector.Reset(stage.Buffers());
  Rng rng(5);
  int ends = 0;
  for (int step = 0; step < 40; ++step) {
    std::vector<int> actions(kCount);
    for (int i = 0; i < kCount; ++i) actions[i] = Choose(stage.Mask(i), rng);
    stage.vector.Step(actions, stage.Buffers());
    for (int i = 0; i < kCount; ++i) {
      const StepResult expected = singles[i].Step(actions[i]);
      EXPECT_EQ(stage.rewards[i], expected.reward);
      ASSERT_EQ(stage.terminated[i] != 0, expected.ended);
      if (expected.ended) {
        ++ends;
        EXPECT_EQ(stage.Row(stage.final_numbers, i), Seen(singles[i]));
        EXPECT_EQ(stage.vector.slot(i).ended().ToText(), singles[i].ToText());
        singles[i].Reset();
      }
      EXPECT_EQ(stage.Row(stage.numbers, i), Seen(singles[i]));
      EXPECT_THAT(stage.Mask(i), testing::ElementsAreArray(MaskOf(singles[i])));
    }
  }
  EXPECT_GT(ends, 0);
}

INSTANTIATE_TEST_SUITE_P(Every, VectorEnvironmentTest,
                         testing::Combine(testing::Values(1, 3), testing::Bool(),
                                          testing::Values(RewardKind::kFinal,
                                                          RewardKind::kDifference,
                                                          RewardKind::kImprovement)));

TEST(VectorEnvironmentOptionsTest, DisabledWaitsForItsReset) {
  VectorCase stage(SmallParts(), {2, Autoreset::kDisabled, 1, std::nullopt});
  stage.vector.Reset(stage.Buffers());
  stage.vector.Step(std::vector<int>{kStopAction, 1}, stage.Buffers());
  EXPECT_EQ(stage.terminated, (std::vector<uint8_t>{1, 0}));
  EXPECT_THROW(stage.vector.Step(std::vector<int>{1, 1}, stage.Buffers()), std::logic_error);
  const std::vector<uint8_t> first = {1, 0};
  const std::string other = stage.vector.environment(1).ToText();
  stage.vector.Reset(stage.Buffers(), first);
  EXPECT_FALSE(stage.vector.environment(0).has_ended());
  EXPECT_EQ(stage.vector.environment(1).ToText(), other);
}

TEST(VectorEnvironmentOptionsTest, ALimitTruncatesWithoutPaying) {
  VectorCase stage(SmallParts(), {1, Autoreset::kNextStep, 1, 2});
  stage.vector.Reset(stage.Buffers());
  for (int i = 0; i < 2; ++i) {
    const auto mask = stage.Mask(0);
    const int legal = static_cast<int>(std::find(mask.begin() + 2, mask.end(), 1) - mask.begin());
    EXPECT_EQ(stage.truncated[0], 0);
    stage.vector.Step(std::vector<int>{legal}, stage.Buffers());
  }
  EXPECT_EQ(stage.truncated[0], 1);
  EXPECT_EQ(stage.terminated[0], 0);
  EXPECT_EQ(stage.rewards[0], 0);
  stage.vector.Step(std::vector<int>{kStopAction}, stage.Buffers());
  EXPECT_EQ(stage.vector.environment(0).actions().size(), 0u);  // a new episode
}

TEST(VectorEnvironmentOptionsTest, ASharedMeasurerIsAskedOnceAboutAll) {
  const auto parts = SmallParts(RewardKind::kDifference);
  const auto steps = std::make_shared<StepsMeasurer>(true);
  parts->measurer = steps;
  VectorCase stage(parts, {kCount, Autoreset::kNextStep, 1, std::nullopt});
  stage.vector.Reset(stage.Buffers());
  EXPECT_EQ(steps->calls(), 1);
}

TEST(VectorEnvironmentOptionsTest, AnotherEpisodeCanBePutInPlace) {
  const auto parts = SmallParts();
  VectorCase stage(parts, {2, Autoreset::kNextStep, 1, std::nullopt});
  stage.vector.Reset(stage.Buffers());
  Environment other(parts, 8);
  other.Reset(0);
  other.Step(ActionOf(other, "split(stage=A, loop=0, lengths=[4])"));
  stage.vector.Set(1, other);
  EXPECT_EQ(stage.vector.environment(1).ToText(), other.ToText());
  other.Step(kStopAction);
  stage.vector.Set(0, other);
  stage.vector.Step(std::vector<int>{1, kStopAction}, stage.Buffers());
  EXPECT_EQ(stage.vector.environment(0).actions().size(), 0u);  // it had ended
}

}  // namespace
}  // namespace schedulegym
