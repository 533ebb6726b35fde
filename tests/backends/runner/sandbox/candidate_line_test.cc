#include "backends/runner/sandbox/candidate_line.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "backends/runner/sandbox/result_page.h"
#include "env/ipc/frame.h"

namespace schedulegym {
namespace {

TEST(CandidateLineTest, AnswersArriveWholeAndLongMessagesAreCut) {
  auto [ours, theirs] = MakeSocketPair(/*keeps_messages=*/true);
  ASSERT_TRUE(SendAnswer(theirs.number(), MakeAnswer(3, 5, std::string(1000, 'x'))));
  CandidateAnswer answer;
  ASSERT_EQ(read(ours.number(), &answer, sizeof answer), static_cast<ssize_t>(sizeof answer));
  EXPECT_EQ(answer.number, 3u);
  EXPECT_EQ(answer.status, 5);
  EXPECT_EQ(answer.link_failed, 0u);
  EXPECT_EQ(std::string(answer.message), std::string(239, 'x'));
}

TEST(CandidateLineTest, NobodyReads) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  auto [ours, theirs] = MakeSocketPair(/*keeps_messages=*/true);
  ours.Close();
  EXPECT_FALSE(SendAnswer(theirs.number(), MakeAnswer(1, 0, "")));
  EXPECT_FALSE(SendStamp(theirs.number(), 0, true));
  std::signal(SIGPIPE, before);
}

TEST(ResultPageTest, KeepsASeriesUpToItsMostSamples) {
  TimedSeries series;
  series.calls_per_sample = 7;
  series.samples = {0.5F, 0.25F};
  SeriesOfPage page = PageOf(series);
  EXPECT_EQ(page.calls_per_sample, 7);
  ASSERT_EQ(page.rounds, 2);
  EXPECT_EQ(page.samples[1], 0.25F);
  EXPECT_EQ(page.has_counters, 0);
  series.samples.assign(1000, 1.0F);
  series.counters = Counters{11, 13};
  page = PageOf(series);
  EXPECT_EQ(page.rounds, kMostSamplesOfPage);
  EXPECT_EQ(page.has_counters, 1);
  EXPECT_EQ(page.instructions, 11);
  EXPECT_EQ(page.cycles, 13);
}

}  // namespace
}  // namespace schedulegym
