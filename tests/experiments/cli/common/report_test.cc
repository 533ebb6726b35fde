#include "experiments/cli/common/report.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

TEST(ReportTest, JsonCarriesEventsAndNothingElse) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {.json = true});
  report.Text("for people");
  report.Event("start", {{"seed", 3}});
  report.Item("llvm", {{"description", "this machine"}}, "llvm  this machine");
  EXPECT_EQ(out.Text(),
            "{\"event\":\"start\",\"seed\":3}\n"
            "{\"event\":\"item\",\"name\":\"llvm\",\"description\":\"this machine\"}\n");
  EXPECT_EQ(err.Text(), "");
}

TEST(ReportTest, PeopleGetTextAndNoEvents) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {});
  report.Event("start", {});
  report.Text("one");
  report.Item("llvm", {}, "two\n");
  EXPECT_EQ(out.Text(), "one\ntwo\n");
}

TEST(ReportTest, AnErrorIsOneLineAndWithJsonAnEventToo) {
  Captured out, err;
  Report(out.stream(), err.stream(), {.json = true}).Fail("input", "no such file\nat all");
  EXPECT_EQ(err.Text(), "error: no such file at all\n");
  EXPECT_EQ(out.Text(),
            "{\"event\":\"error\",\"kind\":\"input\",\"message\":\"no such file at all\"}\n");

  Captured plain_out, plain_err;
  Report(plain_out.stream(), plain_err.stream(), {}).Fail("bug", "50 % {}");
  EXPECT_EQ(plain_err.Text(), "error: 50 % {}\n");
  EXPECT_EQ(plain_out.Text(), "");
}

TEST(ReportTest, WhatIsLostIsSaidOnce) {
  Captured err;
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Report report(full, err.stream(), {});
  report.Text("one");
  report.Help("two");
  EXPECT_FALSE(report.Finish());
  EXPECT_EQ(err.Text(), "error: cannot write standard output: No space left on device\n");
  std::fclose(full);
}

TEST(ReportTest, NothingIsLostWhereAllIsWritten) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {.json = true});
  report.Help("help");
  EXPECT_TRUE(report.Finish());
  EXPECT_EQ(out.Text(), "help\n");
  EXPECT_EQ(err.Text(), "");
}

TEST(ReportDeathTest, AClosedPipeEndsTheProgramInSilence) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  std::FILE* closed = fdopen(ends[1], "w");
  Captured err;
  signal(SIGPIPE, SIG_IGN);  // as some parent processes set it
  EXPECT_EXIT(Report(closed, err.stream(), {}).Text("one"), testing::KilledBySignal(SIGPIPE), "^$");
  signal(SIGPIPE, SIG_DFL);
  std::fclose(closed);
}

// A file's text may be long, or contain terminal control codes.
TEST(ReportTest, AnErrorQuotesNothingThatHarms) {
  Captured out, err;
  Report(out.stream(), err.stream(), {}).Fail("input", "found '\x1b[2J\r\x7f'");
  EXPECT_EQ(err.Text(), "error: found '\\x1b[2J\\x0d\\x7f'\n");
  Captured long_out, long_err;
  Report(long_out.stream(), long_err.stream(), {}).Fail("input", std::string(100000, 'x'));
  EXPECT_EQ(long_err.Text(), "error: " + std::string(4000, 'x') + " ...\n");
}

TEST(ReportTest, QuietSilencesMessagesButNotErrors) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {.quiet = true});
  report.Note("note");
  report.Warn("warning");
  EXPECT_EQ(err.Text(), "");
  report.Fail("input", "bad");
  report.Text("result");
  EXPECT_EQ(err.Text(), "error: bad\n");
  EXPECT_EQ(out.Text(), "result\n");
}

TEST(ReportTest, WarningsSayThatTheyAre) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {});
  report.Note("note");
  report.Warn("load is high");
  EXPECT_EQ(err.Text(), "note\nwarning: load is high\n");
}

}  // namespace
}  // namespace schedulegym
