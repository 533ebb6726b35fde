#include "agents/network/network_observation.h"

#include <cmath>

#include "tests/agents/network/network_fixture.h"

namespace schedulegym {
namespace {

constexpr size_t kGlobal = 5, kRow = 15;

class NetworkObservationTest : public NetworkFixture {
 protected:
  static std::vector<float> Observe(const NetworkEnvironment& environment) {
    std::vector<float> numbers(NetworkObservationSize(environment.parts().rows), 7);
    environment.WriteObservation(numbers);
    return numbers;
  }

  static std::vector<float> Row(const std::vector<float>& numbers, size_t row) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(kGlobal + row * kRow);
    return {begin, begin + kRow};
  }

  // A task that sums each row of a matrix.
  static NetworkTask SumTask(int rows) {
    const std::string n = std::to_string(rows);
    return {ScheduleState::Initial(std::make_shared<const Task>(
                Task{DagOf("input X[" + n + ", 8]\nS[i:" + n + "] = sum(k:8) X[i, k]\n"), Target{},
                     "sum" + n})),
            1};
  }
};

TEST_F(NetworkObservationTest, RowsWithoutATaskAreZero) {
  const auto parts = Parts({{97, 1}, {61, 1}});
  parts->rows = 4;
  const auto environment = Make(parts);
  environment->Reset();
  const std::vector<float> numbers = Observe(*environment);
  ASSERT_EQ(numbers.size(), kGlobal + 4 * kRow);
  EXPECT_EQ(Row(numbers, 1)[0], 1);
  EXPECT_EQ(Row(numbers, 2), std::vector<float>(kRow, 0));
  EXPECT_EQ(Row(numbers, 3), std::vector<float>(kRow, 0));
  EXPECT_EQ(numbers[2], 0.5F);
}

TEST_F(NetworkObservationTest, TellsOfTheNetwork) {
  const auto environment = Make(Parts({{97, 1}, {1, 1}}));
  measurer_->script = [](const std::string& task, bool is_reference, int) {
    return is_reference || task == "vector97" ? Success(is_reference ? 1 : 4)
                                              : Failure(Outcome::kWrongOutput);
  };
  environment->Reset();
  environment->Step(2);  // finds no more candidates
  const std::vector<float> numbers = Observe(*environment);
  EXPECT_FLOAT_EQ(numbers[0], 1 / 6.0F);
  EXPECT_FLOAT_EQ(numbers[1], static_cast<float>(std::log2(98 / (97 / 4.0 + 1)) / 16));
  EXPECT_EQ(numbers[2], 1);
  EXPECT_EQ(numbers[3], 0.5F);
  EXPECT_EQ(numbers[4], 0.5F);
  const std::vector<float> row = Row(numbers, 1);
  EXPECT_EQ(row[0], 1);
  EXPECT_EQ(row[1], 0);
  EXPECT_EQ(row[2], 0);
  EXPECT_EQ(row[3], 0);
  EXPECT_EQ(row[5], 1);
}

TEST_F(NetworkObservationTest, TellsOfATasksSlots) {
  const auto environment = Make(Parts({{97, 3}, {61, 1}}));
  measurer_->script = [](const std::string&, bool is_reference, int number) {
    return Success(is_reference || number < 2 ? 1 : number < 4 ? 4 : 2);
  };
  environment->Reset();
  for (int i = 0; i < 3; ++i) environment->Step(1);
  const std::vector<float> row = Row(Observe(*environment), 0);
  EXPECT_EQ(row[1], 1);
  EXPECT_EQ(row[2], 1);
  EXPECT_FLOAT_EQ(row[3], 2 / 16.0F);  // 4 times as fast
  EXPECT_FLOAT_EQ(row[4], 3 / 6.0F);   // the warm-up does not count
  EXPECT_EQ(row[5], 0);
  EXPECT_FLOAT_EQ(row[6], static_cast<float>(std::log2(1 + 2) / 8));  // slots without a gain
  EXPECT_EQ(row[7], 0);
  EXPECT_FLOAT_EQ(row[8], 2 / 4.0F);
  EXPECT_FLOAT_EQ(row[9], 2 / 3.0F / 4);
  EXPECT_FLOAT_EQ(row[10], static_cast<float>(std::log2(1 + 97) / 48));
  EXPECT_FLOAT_EQ(row[11], 2 / 16.0F);
  const float share = 3 * 97 / 4.0F / (3 * 97 / 4.0F + 61);
  EXPECT_FLOAT_EQ(row[12], share);
  EXPECT_FLOAT_EQ(Row(Observe(*environment), 1)[12], 1 - share);
}

TEST_F(NetworkObservationTest, TellsOfTasksThatAreAlike) {
  const auto parts = Parts({{97, 1}});
  parts->tasks.push_back(SumTask(16));
  parts->tasks.push_back(SumTask(17));
  parts->rows = 3;
  ASSERT_EQ(parts->tasks[1].tag, parts->tasks[2].tag);
  // Operations per second are 8 to 1 for both.
  measurer_->script = [](const std::string& task, bool is_reference, int) {
    return Success(is_reference || task != "sum17" ? 1 : 8);
  };
  const auto environment = Make(parts);
  environment->Reset();
  const std::vector<float> numbers = Observe(*environment);
  EXPECT_EQ(Row(numbers, 0)[13], 0);
  EXPECT_EQ(Row(numbers, 0)[14], 0);
  EXPECT_FLOAT_EQ(Row(numbers, 1)[13], 1 / 3.0F);
  EXPECT_FLOAT_EQ(Row(numbers, 1)[14], 3 / 16.0F);
  EXPECT_EQ(Row(numbers, 2)[14], 0);
}

TEST_F(NetworkObservationTest, StaysWithinItsBounds) {
  const auto parts = Parts({{97, 100000000}, {61, 1}});
  parts->slots = 40;
  const auto environment = Make(parts);
  measurer_->script = [](const std::string&, bool is_reference, int number) {
    if (is_reference) return Success(1);
    if (number % 3 == 0) return Failure(Outcome::kRunSignal);
    return Success(number % 2 == 0 ? 1e-30 : number < 20 ? 1e-12 : 1e30);
  };
  Rng rng(3);
  environment->Reset();
  bool ended = false;
  while (!ended) {
    for (float number : Observe(*environment)) {
      ASSERT_TRUE(number >= kNetworkBounds.low && number <= kNetworkBounds.high) << number;
    }
    const StepResult result = environment->Step(static_cast<int>(1 + rng.Below(2)));
    ASSERT_TRUE(std::isfinite(result.reward));
    ended = result.ended;
  }
}

TEST_F(NetworkObservationTest, TheLegendNamesEachNumber) {
  const std::string feature_names = NetworkFeatureNames();
  EXPECT_EQ(std::count(feature_names.begin(), feature_names.end(), '\n'),
            1 + static_cast<int>(kGlobal + kRow));
}

}  // namespace
}  // namespace schedulegym
