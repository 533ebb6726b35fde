#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr int kTarget = 12, kDag = 5, kRow = 28;

// C: 2 * 4 * 8 * 16 flops, two reads, and tiling helps. D: one function for each element.
constexpr char kDagText[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n"
    "D[i:4, j:8] = exp(C[i, j])\n";

std::unique_ptr<Observation> TaskNumbers(const std::string& spec = "task") {
  return MakeTaskObservation(ParseSpec(spec).value());
}

std::vector<float> Seen(const Observation& observation, const Task& task) {
  return SeenAt(observation, task, FixedEpisode(Illegal("asks for no schedule")));
}

std::vector<float> RowOf(const std::vector<float>& numbers, int row) {
  const auto begin = numbers.begin() + kTarget + kDag + static_cast<ptrdiff_t>(row) * kRow;
  return {begin, begin + kRow};
}

float Logarithm(double value) { return static_cast<float>(std::log2(1 + value) / 48); }

void ExpectNumbers(const std::vector<float>& numbers, const std::vector<float>& expected) {
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_FLOAT_EQ(numbers[i], expected[i]) << i;
}

TEST(TaskObservationTest, TheTargetsFacts) {
  Task task = *TaskOf(kDagText);
  task.target.cores = 3;
  task.target.vector_bits = 512;
  task.target.vector_registers = 32;
  task.target.l1_bytes = 1000;
  task.target.l2_bytes = 2000;
  task.target.l3_bytes = 3000;
  task.target.line_bytes = 128;
  task.target.memory_bytes = 9000;
  const std::vector<float> numbers = Seen(*TaskNumbers(), task);
  ExpectNumbers({numbers.begin(), numbers.begin() + kTarget},
                {Logarithm(3), Logarithm(512), Logarithm(32), Logarithm(1000), Logarithm(2000),
                 Logarithm(3000), Logarithm(128), Logarithm(9000), 1, 0, 1, 0});
  task.target.warm = false;
  task.target.backend = BackendKind::kInterpreter;
  const std::vector<float> other = Seen(*TaskNumbers(), task);
  EXPECT_THAT(std::vector(other.begin() + 8, other.begin() + kTarget), ElementsAre(0, 1, 0, 0));
}

// 1024 + 32 flops; A, B and D have 64 + 128 + 32 elements of 4 bytes.
TEST(TaskObservationTest, TheComputationAsAWhole) {
  const std::vector<float> numbers = Seen(*TaskNumbers(), *TaskOf(kDagText));
  ExpectNumbers({numbers.begin() + kTarget, numbers.begin() + kTarget + kDag},
                {Logarithm(1056), Logarithm(896), Logarithm(1056.0 / 896), 2.0F / 8, 0});
}

TEST(TaskObservationTest, DefinitionsFromTheLastOne) {
  const std::vector<float> numbers = Seen(*TaskNumbers(), *TaskOf(kDagText));
  ExpectNumbers(RowOf(numbers, 0), {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, Logarithm(32),
                                    Logarithm(128), Logarithm(128), 1.0F / 16, 0.5F,
                                    // extents
                                    Logarithm(4), Logarithm(8), 0, 0, 0, 0, 0, 0, 0, 0});
  ExpectNumbers(RowOf(numbers, 1),
                {1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, Logarithm(1024), Logarithm(128),
                 Logarithm(768), 2.0F / 16, 0.5F,
                 // extents
                 Logarithm(4), Logarithm(8), 0, 0, 0, 0, Logarithm(16), 0, 0, 0});
  EXPECT_THAT(RowOf(numbers, 2), Each(0));
}

TEST(TaskObservationTest, KindsOfDefinitions) {
  const auto flags = [](const char* dag) {
    const std::vector<float> row = RowOf(Seen(*TaskNumbers(), *TaskOf(dag)), 0);
    return std::vector(row.begin() + 2, row.begin() + 13);
  };
  // element by element, elsewhere, reduction; sum, product, maximum, minimum; tiling, inlined,
  // functions, select
  EXPECT_THAT(flags("input X[4]\nY[i:4] = X[i] + 1\n"),
              ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(flags("input X[4]\nY[i:6] = select(i < 4, X[min(i, 3)], 0)\n"),
              ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1));
  EXPECT_THAT(flags("input X[4, 8]\nY[i:4] = max(k:8) X[i, k]\n"),
              ElementsAre(0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0));
  EXPECT_THAT(flags("input X[4, 8]\nY[i:4] = prod(k:8) pow(X[i, k], 2)\n"),
              ElementsAre(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(flags("input X[4, 8]\nY[i:4] = min(k:8) X[i, k]\n"),
              ElementsAre(0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0));
}

TEST(TaskObservationTest, DefinitionsBeyondTheRowsAreLeftOut) {
  const auto observation = TaskNumbers("task(definitions=1)");
  ASSERT_EQ(observation->size(), kTarget + kDag + kRow);
  const std::vector<float> numbers = Seen(*observation, *TaskOf(kDagText));
  EXPECT_EQ(numbers[kTarget + 3], 1);
  EXPECT_EQ(numbers[kTarget + 4], 1);
  EXPECT_EQ(RowOf(numbers, 0)[1], 1);
}

TEST(TaskObservationTest, AxesBeyondTheRoomAreLeftOut) {
  const std::vector<float> row = RowOf(
      Seen(*TaskNumbers(), *TaskOf("input X[2]\nY[a:2, b:1, c:1, d:1, e:1, f:3, g:7] = X[a]\n")),
      0);
  EXPECT_FLOAT_EQ(row[18], Logarithm(2));
  EXPECT_FLOAT_EQ(row[23], Logarithm(3));
  EXPECT_EQ(row[24], 0);
}

// Values cached for one task are not used for another.
TEST(TaskObservationTest, TasksAreToldApart) {
  const auto observation = TaskNumbers();
  const auto one = TaskOf(kDagText), other = TaskOf("input X[4]\nY[i:4] = X[i]\n");
  const std::vector<float> first = Seen(*observation, *one);
  const std::vector<float> second = Seen(*observation, *other);
  EXPECT_NE(first, second);
  EXPECT_EQ(Seen(*observation, *one), first);
  EXPECT_EQ(Seen(*TaskNumbers(), *other), second);
}

TEST(TaskObservationTest, OptionsAreChecked) {
  EXPECT_EQ(TaskNumbers()->size(), kTarget + kDag + 8 * kRow);
  for (const char* bad : {"task(definitions=0)", "task(definitions=65)", "task(rows=1)"}) {
    EXPECT_THROW(TaskNumbers(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace schedulegym
