#include "env/measure/timing/event_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace schedulegym {
namespace {

void Work(int64_t steps) {
  volatile int64_t sum = 0;
  for (int64_t i = 0; i < steps; ++i) sum = sum + i;
}

TEST(EventCountersTest, CountsInstructionsOrSaysWhyNot) {
  const Result<EventCounters> opened = EventCounters::Open();
  if (!opened) {
    EXPECT_EQ(opened.error().kind, ErrorKind::kUnsupported);
    EXPECT_THAT(opened.error().message, testing::StartsWith("no event counters: "));
    return;
  }
  const EventCounters& counters = opened.value();
  const Counters before = counters.Read();
  Work(1'000'000);
  const Counters middle = counters.Read();
  EXPECT_GT(middle.instructions - before.instructions, 1e6);
  EXPECT_GT(middle.cycles, before.cycles);
  // The counts include threads that it starts.
  std::thread(Work, 1'000'000).join();
  EXPECT_GT(counters.Read().instructions - middle.instructions, 1e6);
}

TEST(EventCountersTest, MayBeMoved) {
  Result<EventCounters> opened = EventCounters::Open();
  if (!opened) GTEST_SKIP() << opened.error().message;
  EventCounters counters = std::move(opened).value();
  const EventCounters moved = std::move(counters);
  const double before = moved.Read().instructions;
  Work(1000);
  EXPECT_GT(moved.Read().instructions, before);
}

}  // namespace
}  // namespace schedulegym
