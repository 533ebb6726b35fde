#include "backends/runner/worker/checked_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr int kRounds = 6;

// The page of an honest process: the reference takes 2 ms, the candidate takes 1 ms, with two calls
// a sample; and its stamps.
class BelieveResultTest : public testing::Test {
 protected:
  BelieveResultTest() {
    double now = 100;
    for (int which = 0; which < 2; ++which) {
      SeriesOfPage& series = page_.series[which];
      series.first_call_seconds = 5e-3;
      series.calls_per_sample = 2;
      series.rounds = kRounds;
      std::fill_n(series.samples, kRounds, which == 0 ? 2e-3f : 1e-3f);
      series.cpu_per_wall = 1;
    }
    for (int round = 0; round < kRounds; ++round) {
      for (int which = 0; which < 2; ++which) {
        stamps_.push_back({which, true, now});
        now += (which == 0 ? 4e-3 : 2e-3) + 3e-6;
        stamps_.push_back({which, false, now});
      }
    }
  }

  // The reason to reject the result; "" if it is accepted.
  std::string Doubt() const {
    const Result<Timing> timing = BelieveResult(page_, stamps_, IntervalRule::kSign);
    return timing ? "" : timing.error().message;
  }
  // Doubt() after a change to the candidate's series.
  std::string DoubtAfter(const std::function<void(SeriesOfPage&)>& change) {
    const ResultPage before = page_;
    change(page_.series[1]);
    const std::string doubt = Doubt();
    page_ = before;
    return doubt;
  }

  ResultPage page_{};
  std::vector<SeenStamp> stamps_;
};

TEST_F(BelieveResultTest, HonestTimingsAreBelieved) {
  page_.early_reject = 1;
  page_.series[1].has_counters = 1;
  page_.series[1].instructions = 10;
  page_.series[1].cycles = 5;
  const Result<Timing> timing = BelieveResult(page_, stamps_, IntervalRule::kSign);
  ASSERT_TRUE(timing.ok()) << timing.error().message;
  EXPECT_NEAR(timing->ratio.median, 2, 1e-6);
  EXPECT_NEAR(timing->seconds, 1e-3, 1e-9);
  EXPECT_EQ(timing->samples.size(), static_cast<size_t>(kRounds));
  EXPECT_EQ(timing->calls_per_sample, 2);
  EXPECT_TRUE(timing->early_reject);
  EXPECT_EQ(timing->counters, (Counters{10, 5}));
}

TEST_F(BelieveResultTest, AnEmptyPageIsNoTiming) {
  page_ = {};
  EXPECT_THAT(Doubt(), HasSubstr("no timing"));
}

TEST_F(BelieveResultTest, NumbersThatCannotBeAreDoubted) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_none = [&](const std::function<void(SeriesOfPage&)>& change) {
    EXPECT_THAT(DoubtAfter(change), HasSubstr("no timing"));
  };
  expect_none([](SeriesOfPage& series) { series.rounds = 0; });
  expect_none([](SeriesOfPage& series) { series.rounds = -1; });
  expect_none([](SeriesOfPage& series) { series.rounds = kMostSamplesOfPage + 1; });
  expect_none([](SeriesOfPage& series) { series.rounds = std::numeric_limits<int32_t>::max(); });
  expect_none([](SeriesOfPage& series) { series.rounds = kRounds - 1; });
  expect_none([](SeriesOfPage& series) { series.calls_per_sample = 0; });
  expect_none([](SeriesOfPage& series) { series.calls_per_sample = int64_t{1} << 60; });
  expect_none([](SeriesOfPage& series) { series.samples[3] = 0; });
  expect_none([](SeriesOfPage& series) { series.samples[3] = -1; });
  expect_none([&](SeriesOfPage& series) { series.samples[3] = static_cast<float>(nan); });
  expect_none([](SeriesOfPage& series) { series.samples[3] = INFINITY; });
  expect_none([&](SeriesOfPage& series) { series.first_call_seconds = nan; });
  expect_none([&](SeriesOfPage& series) { series.cpu_per_wall = nan; });
  expect_none([&](SeriesOfPage& series) { series.instructions = nan; });
}

TEST_F(BelieveResultTest, ReportsFasterThanSeenAreDoubted) {
  EXPECT_THAT(DoubtAfter([](SeriesOfPage& series) {
                for (float& sample : series.samples) sample *= 0.97f;
              }),
              HasSubstr("of the time that was seen"));
  EXPECT_EQ(DoubtAfter([](SeriesOfPage& series) {
              for (float& sample : series.samples) sample *= 0.99f;
            }),
            "");
}

// A slower reference would make a candidate look faster.
TEST_F(BelieveResultTest, ReportsSlowerThanSeenAreDoubted) {
  for (float& sample : page_.series[0].samples) sample *= 1.05f;
  EXPECT_THAT(Doubt(), HasSubstr("of the time that was seen"));
}

TEST_F(BelieveResultTest, ASampleDisturbedBetweenTheClocksIsNoLie) {
  stamps_[3].seconds += 1.5e-3;
  EXPECT_EQ(Doubt(), "");
}

// On a busy machine any process may be suspended between stamps and clocks.
TEST_F(BelieveResultTest, NoiseThatHitsBothIsNoLie) {
  double late = 0;
  for (size_t i = 0; i < stamps_.size(); ++i) {
    // Most pairs of stamps lose two or three times the sample's time.
    if (!stamps_[i].begins && i >= 4) {
      late += (stamps_[i].series == 0 ? 4e-3 : 2e-3) * (i % 8 < 4 ? 2 : 3);
    }
    stamps_[i].seconds += late;
  }
  EXPECT_EQ(Doubt(), "");
  // This noise does not excuse a report of half the time.
  EXPECT_THAT(DoubtAfter([](SeriesOfPage& series) {
                for (float& sample : series.samples) sample *= 0.5f;
              }),
              HasSubstr("of the time that was seen"));
}

TEST_F(BelieveResultTest, NoiseSparesSomeSample) {
  double late = 0;
  for (SeenStamp& stamp : stamps_) {
    if (!stamp.begins) late += stamp.series == 0 ? 4e-3 : 2e-3;
    stamp.seconds += late;
  }
  EXPECT_THAT(Doubt(), HasSubstr("of the time that was seen"));
}

TEST_F(BelieveResultTest, SamplesAndStampsAreAsMany) {
  std::vector<SeenStamp> all = stamps_;
  stamps_.resize(stamps_.size() - 2);
  EXPECT_THAT(Doubt(), HasSubstr("reports 6 samples, but 5 were seen"));
  stamps_.clear();
  EXPECT_THAT(Doubt(), HasSubstr("but 0 were seen"));
  stamps_ = all;
  stamps_.erase(stamps_.begin());
  EXPECT_THAT(Doubt(), HasSubstr("were seen"));
}

}  // namespace
}  // namespace schedulegym
