#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "env/base/rng.h"
#include "tests/hostile/checker_place.h"
#include "tests/hostile/corpus.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string TestName(const testing::TestParamInfo<HostileCase>& info) {
  return info.param.name + (info.param.threads > 1 ? std::string("_on_two") : std::string());
}

// For each number of threads one checker serves all candidates, like in a search; another one
// serves those that hang.
class HostileTest : public testing::TestWithParam<HostileCase> {
 protected:
  static CheckerPlace& PlaceOf(int threads, bool hangs = false) {
    static std::array<std::unique_ptr<CheckerPlace>, 4> places;
    const auto which = static_cast<size_t>(threads > 1) + (hangs ? 2 : 0);
    std::unique_ptr<CheckerPlace>& place = places.at(which);
    const CandidateLimits limits = hangs ? ShortLimits() : PatientLimits();
    if (!place) place = std::make_unique<CheckerPlace>(threads, limits);
    return *place;
  }

  static void ExpectGood(CheckerPlace& place, int threads) {
    const Measurement next =
        place.MeasureCalmly(CandidateObject(threads > 1 ? "good_threads" : "good"));
    EXPECT_EQ(next.outcome, Outcome::kOk) << next.message;
    EXPECT_THAT(next.stderr_tail, IsEmpty());
    EXPECT_EQ(place.deaths(), 0);
  }
};

TEST_P(HostileTest, CostsOneTrial) {
  const HostileCase& hostile = GetParam();
  CheckerPlace& place = PlaceOf(hostile.threads, IsExpected(hostile, Outcome::kRunTimeout));
  const std::string object = CandidateObject(hostile.name);
  // For forged results one attempt is enough; for others a noisy measurement is repeated.
  const Measurement found = IsExpected(hostile, Outcome::kCorruptResult)
                                ? place.Measure(object, hostile.is_packed)
                                : place.MeasureCalmly(object, hostile.is_packed);
  EXPECT_TRUE(IsExpected(hostile, found.outcome))
      << OutcomeName(found.outcome) << ": " << found.message << "\n"
      << found.stderr_tail;
  EXPECT_THAT(found.message, HasSubstr(hostile.message));
  EXPECT_EQ(found.message.empty(), found.ok());
  EXPECT_LE(found.stderr_tail.size(), size_t{16} << 10);
  ExpectGood(place, hostile.threads);
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostileTest, testing::ValuesIn(HostileCorpus()), TestName);

TEST_F(HostileTest, EveryCandidateIsInTheTable) {
  std::set<std::string> known = {"good", "good_packed", "good_threads", "known_answers",
                                 "slow_reference"};
  for (const HostileCase& hostile : HostileCorpus()) known.insert(hostile.name);
  for (const std::string& name : CandidateNames()) EXPECT_TRUE(known.contains(name)) << name;
}

TEST_F(HostileTest, GoodOnesOfAllKindsAreRight) {
  EXPECT_EQ(PlaceOf(1).MeasureCalmly(CandidateObject("good_packed"), true).outcome, Outcome::kOk);
  EXPECT_EQ(PlaceOf(2).MeasureCalmly(CandidateObject("good_threads")).outcome, Outcome::kOk);
}

TEST_F(HostileTest, WhatACandidateSaidIsKept) {
  EXPECT_EQ(PlaceOf(1).Measure(CandidateObject("last_words")).stderr_tail,
            "assertion failed: i < n\n");
  EXPECT_EQ(PlaceOf(1).MeasureCalmly(CandidateObject("talk")).stderr_tail.size(), size_t{16} << 10);
}

TEST_F(HostileTest, BytesThatAreNoObjectAreNotLinked) {
  const std::string good = CandidateObject("good");
  const std::vector<std::string> objects = {
      "",
      std::string("\x7f") + "ELF",
      std::string(100000, 'x'),
      std::string(64, '\0'),
      good.substr(0, 64),
      good.substr(0, good.size() / 2),
      good.substr(0, good.size() - 1),
      good.substr(0, 16) + std::string(good.size() - 16, '\xff'),
  };
  for (const std::string& object : objects) {
    const Measurement found = PlaceOf(1).Measure(object);
    EXPECT_EQ(found.outcome, Outcome::kLinkError) << object.size() << ": " << found.message;
    ExpectGood(PlaceOf(1), 1);
  }
}

// The next reference may lie at the same address of the checker's memory.
TEST_F(HostileTest, AReferenceThatIsRefusedLeavesNothingBehind) {
  CheckerPlace place(1, PatientLimits());
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(place.RefusalOf(CandidateObject("read_null")), "");
    EXPECT_EQ(place.RefusalOf(CandidateObject("good")), "");
  }
  ExpectGood(place, 1);
}

// Any effect of a damaged object is an outcome of that candidate.
TEST_F(HostileTest, DamagedObjectsCostOneTrialEach) {
  const std::string good = CandidateObject("good");
  Rng rng(11);
  for (int i = 0; i < 100; ++i) {
    std::string object = good;
    for (int flips = 0; flips < 1 + i % 8; ++flips) {
      object[static_cast<size_t>(rng.Below(static_cast<int64_t>(object.size())))] ^=
          static_cast<char>(1 << rng.Below(8));
    }
    const Measurement found = PlaceOf(1).MeasureCalmly(object);
    EXPECT_NE(GroupOf(found.outcome), OutcomeGroup::kNotAboutCandidate) << found.message;
  }
  ExpectGood(PlaceOf(1), 1);
}

}  // namespace
}  // namespace schedulegym
