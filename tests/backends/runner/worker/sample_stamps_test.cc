#include "backends/runner/worker/sample_stamps.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>

#include "backends/runner/sandbox/candidate_line.h"

namespace schedulegym {
namespace {

class SampleStampsTest : public testing::Test {
 protected:
  SampleStampsTest() : SampleStampsTest(MakeSocketPair(true)) { StampArrivals(ours_); }

  void Send(int series, bool begins) {
    ASSERT_TRUE(SendStamp(theirs_.number(), static_cast<size_t>(series), begins));
  }

  std::vector<SeenStamp> Read() {
    ReadStamps(ours_, stamps_);
    return stamps_;
  }

  Descriptor ours_, theirs_;
  std::vector<SeenStamp> stamps_;

 private:
  explicit SampleStampsTest(std::pair<Descriptor, Descriptor> ends)
      : ours_(std::move(ends.first)), theirs_(std::move(ends.second)) {}
};

TEST_F(SampleStampsTest, TheTimeOfSendingIsSeen) {
  EXPECT_TRUE(Read().empty());
  Send(0, true);
  usleep(20000);
  Send(0, false);
  usleep(20000);  // unread
  const std::optional<std::vector<double>> samples = SeenSamples(Read(), 0);
  ASSERT_TRUE(samples.has_value());
  ASSERT_EQ(samples->size(), 1u);
  EXPECT_GE(samples->at(0), 0.019);
}

TEST_F(SampleStampsTest, WhatIsNoStampIsLeftOut) {
  Send(0, true);
  const std::array<char, 100> garbage{};
  for (size_t size : {size_t{0}, size_t{1}, size_t{3}, size_t{100}}) {
    ASSERT_EQ(write(theirs_.number(), garbage.data(), size), static_cast<ssize_t>(size));
  }
  Send(1, false);
  // Longer messages are truncated and look like stamps; they break the order instead.
  EXPECT_GE(Read().size(), 2u);
  EXPECT_LE(Read().size(), 4u);
}

TEST_F(SampleStampsTest, AFloodIsBounded) {
  for (int turn = 0; turn < 100; ++turn) {
    for (int i = 0; i < 100; ++i) Send(0, true);
    Read();
  }
  EXPECT_EQ(Read().size(), kMostStamps);
}

TEST_F(SampleStampsTest, TheEndOfTheOtherSideIsNoStamp) {
  Send(0, true);
  theirs_.Close();
  EXPECT_EQ(Read().size(), 1u);
  EXPECT_EQ(Read().size(), 1u);
}

TEST(SeenSamplesTest, SeriesAreApart) {
  const std::vector<SeenStamp> stamps = {{0, true, 1},  {0, false, 2}, {1, true, 3},
                                         {1, false, 6}, {1, true, 10}, {1, false, 14}};
  EXPECT_EQ(SeenSamples(stamps, 0), (std::vector<double>{1}));
  EXPECT_EQ(SeenSamples(stamps, 1), (std::vector<double>{3, 4}));
  EXPECT_EQ(SeenSamples(stamps, 2), (std::vector<double>{}));
}

TEST(SeenSamplesTest, BeginningsAndEndsTakeTurns) {
  EXPECT_FALSE(SeenSamples(std::vector<SeenStamp>{{0, true, 1}, {0, true, 2}}, 0).has_value());
  EXPECT_FALSE(SeenSamples(std::vector<SeenStamp>{{0, false, 1}}, 0).has_value());
  EXPECT_FALSE(SeenSamples(std::vector<SeenStamp>{{0, true, 1}}, 0).has_value());
}

TEST(ShareOfTest, ReportsAreComparedByTheSample) {
  const std::vector<float> reported = {0.5f, 0.25f, 0.5f, 0.5f, 0.5f};
  const ReportedShare share = ShareOf(reported, 2, std::vector<double>{1, 1, 1, 2, 1});
  EXPECT_NEAR(share.least, 1, 1e-9);
  EXPECT_NEAR(share.most, 1 + 10e-6, 1e-9);
}

TEST(ShareOfTest, OfFewTheBestOneCounts) {
  const std::vector<float> reported = {1, 1};
  const ReportedShare share = ShareOf(reported, 1, std::vector<double>{1, 2});
  EXPECT_NEAR(share.least, 0.5, 1e-9);
  EXPECT_NEAR(share.most, 1, 1e-4);
}

}  // namespace
}  // namespace schedulegym
