#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr int kHead = 3;
constexpr auto kKinds = static_cast<int>(std::variant_size_v<Primitive>);
constexpr char kMatmul[] =
    "input A[64, 32]\ninput B[32, 48]\n"
    "C[i:64, j:48] = sum(k:32) A[i, k] * B[k, j]\n";

std::unique_ptr<Observation> Tokens(const std::string& spec = "tokens") {
  return MakeTokensObservation(ParseSpec(spec).value());
}

// The first `count` fields of a row, for the default options.
std::vector<float> FieldsOf(const std::vector<float>& numbers, int row, int count) {
  const auto begin = numbers.begin() + kHead + row * (1 + kKinds + 20) + 1 + kKinds;
  return {begin, begin + count};
}

// The legend's name of the kind whose number is 1 in a row.
std::string KindOf(const std::vector<float>& numbers, int row) {
  const std::vector<std::string> lines = SplitLines(Tokens()->FeatureNames());
  std::string kind;
  for (int i = 0; i < kKinds; ++i) {
    if (numbers[kHead + row * (1 + kKinds + 20) + 1 + i] == 1) kind += lines[kHead + 2 + i];
  }
  return kind.substr(kind.find(": ") + 2);
}

float Position(int value) { return static_cast<float>(value + 1) / 64; }
float Count(int value) { return static_cast<float>(value) / 64; }
float Length(double value) { return static_cast<float>(std::log2(1 + value) / 32); }

TEST(TokensObservationTest, ARowForEachPrimitive) {
  const std::vector<float> numbers =
      SeenOf(*Tokens(), StateAfter(kMatmul,
                                   "split(stage=C, loop=1, lengths=[3, 16])\n"
                                   "unroll(stage=C, loop=3)\n"));
  EXPECT_THAT(std::vector(numbers.begin(), numbers.begin() + kHead), ElementsAre(Length(2), 0, 1));
  EXPECT_EQ(KindOf(numbers, 0), "1 for split");
  EXPECT_EQ(KindOf(numbers, 1), "1 for unroll");
  // Stage, loop, number of lengths, the lengths, inner_to_outer.
  EXPECT_THAT(FieldsOf(numbers, 0, 7),
              ElementsAre(Position(2), Position(1), Count(2), Length(3), Length(16), 1, 0));
  EXPECT_THAT(FieldsOf(numbers, 1, 3), ElementsAre(Position(2), Position(3), 0));
  // The mask of the third row, and all beyond.
  const int row = 1 + kKinds + 20;
  EXPECT_EQ(numbers[kHead + row], 1);
  EXPECT_THAT(std::vector(numbers.begin() + kHead + 2 * row, numbers.end()), Each(0));
}

TEST(TokensObservationTest, ListsAndNamesAreNumbers) {
  const std::vector<float> numbers =
      SeenOf(*Tokens(), StateAfter(kMatmul,
                                   "pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])\n"
                                   "cache_write(stage=C, scope=local)\n"));
  EXPECT_THAT(FieldsOf(numbers, 0, 11),
              ElementsAre(Position(1), Count(1), Position(2), Count(2), Length(1), Length(16),
                          Count(3), Position(1), Position(0), Position(2), 0));
  // Local is the third scope.
  EXPECT_THAT(FieldsOf(numbers, 1, 3), ElementsAre(Position(2), 3.0F / 16, 0));
}

TEST(TokensObservationTest, TextsAreHashes) {
  const auto observation = Tokens();
  const std::string name = "auto_unroll_max_step";
  const std::vector<float> numbers =
      SeenOf(*observation, StateAfter(kMatmul, "pragma(stage=C, name=" + name + ", value=64)\n"));
  const std::vector<float> fields = FieldsOf(numbers, 0, 4);
  EXPECT_TRUE(fields[1] > 0 && fields[1] < 1);
  EXPECT_FLOAT_EQ(fields[2], Length(64));
}

TEST(TokensObservationTest, TheLastPrimitivesAreKept) {
  const ScheduleState state = StateAfter(kMatmul,
                                         "parallel(stage=C, loop=0)\nunroll(stage=C, loop=2)\n"
                                         "split(stage=C, loop=1, lengths=[4])\n");
  const ScheduleState two = StateAfter(kMatmul, "unroll(stage=C, loop=2)\n");
  const std::vector<float> cut = SeenOf(*Tokens("tokens(length=2)"), state);
  EXPECT_THAT(std::vector(cut.begin(), cut.begin() + kHead), ElementsAre(Length(3), 1, 1));
  EXPECT_EQ(KindOf(cut, 0), "1 for unroll");
  EXPECT_EQ(KindOf(cut, 1), "1 for split");
  EXPECT_EQ(SeenOf(*Tokens("tokens(length=2)"), two)[1], 0);
}

// The mask and the kinds, followed by stage, loop and the number of lengths.
TEST(TokensObservationTest, FieldsGoAsFarAsThereIsRoom) {
  const auto observation = Tokens("tokens(length=1, fields=3)");
  ASSERT_EQ(observation->size(), kHead + 1 + kKinds + 3);
  const std::vector<float> numbers =
      SeenOf(*observation, StateAfter(kMatmul, "split(stage=C, loop=1, lengths=[3, 16])\n"));
  EXPECT_THAT(std::vector(numbers.end() - 3, numbers.end()),
              ElementsAre(Position(2), Position(1), Count(2)));
}

TEST(TokensObservationTest, TheLegendNamesEveryKind) {
  const std::string feature_names = Tokens("tokens(fields=5)")->FeatureNames();
  std::set<std::string> kinds;
  for (const PrimitiveEntry& entry : AllPrimitives()) {
    EXPECT_THAT(feature_names, testing::HasSubstr(": 1 for " + entry.name + "\n"));
    kinds.insert(entry.name);
  }
  EXPECT_EQ(static_cast<int>(kinds.size()), kKinds);
  const std::string fields = std::to_string(1 + kKinds) + ".." + std::to_string(kKinds + 5) + ": ";
  EXPECT_THAT(feature_names, testing::HasSubstr("\n" + fields));
}

TEST(TokensObservationTest, OfNoScheduleAllIsZero) {
  const auto task = TaskOf(kMatmul);
  EXPECT_THAT(SeenAt(*Tokens(), *task, FixedEpisode(Illegal("none"))), Each(0));
}

TEST(TokensObservationTest, OptionsAreChecked) {
  EXPECT_EQ(Tokens()->size(), kHead + 48 * (1 + kKinds + 20));
  for (const char* bad :
       {"tokens(length=0)", "tokens(length=513)", "tokens(fields=65)", "tokens(rows=1)"}) {
    EXPECT_THROW(Tokens(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace schedulegym
