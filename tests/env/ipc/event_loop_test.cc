#include "env/ipc/event_loop.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "backends/runner/wire/messages.h"
#include "env/base/clock.h"
#include "env/ipc/encoding.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

constexpr double kLong = 30;

// Waits for a compile worker's reply, which refuses the request and repeats its id.
std::optional<Frame> AwaitFrame(EventLoop& loop, WorkerLink& link) {
  const SteadyClock clock;
  for (const double until = clock.Now() + kLong; clock.Now() < until && !link.is_closed();) {
    if (std::optional<Frame> frame = link.Take()) return frame;
    loop.Wait(1);
  }
  return std::nullopt;
}

TEST(EventLoopTest, AnswersArriveInOrder) {
  EventLoop loop;
  WorkerLink link(loop, SG_WORKER, "compile");
  for (uint64_t id = 1; id <= 3; ++id) link.Send({999, id, std::string(100000, 'x')});
  for (uint64_t id = 1; id <= 3; ++id) {
    const std::optional<Frame> frame = AwaitFrame(loop, link);
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->id, id);
    EXPECT_EQ(frame->type, static_cast<uint16_t>(MessageType::kRefused));
    EXPECT_EQ(Decode<RefusedReply>(frame->payload)->kind, "bug");
  }
}

TEST(EventLoopTest, SeveralWorkersAreWaitedForAtOnce) {
  EventLoop loop;
  WorkerLink one(loop, SG_WORKER, "compile"), two(loop, SG_WORKER, "compile");
  two.Send({999, 2, ""});
  EXPECT_EQ(AwaitFrame(loop, two)->id, 2u);
  one.Send({999, 1, ""});
  EXPECT_EQ(AwaitFrame(loop, one)->id, 1u);
  EXPECT_FALSE(two.Take().has_value());
}

TEST(EventLoopTest, AWorkerThatDiesIsClosed) {
  EventLoop loop;
  WorkerLink link(loop, SG_WORKER, "compile");
  link.Send({999, 1, ""});
  ASSERT_TRUE(AwaitFrame(loop, link).has_value());
  EXPECT_FALSE(link.is_closed());
  kill(link.process().pid(), SIGKILL);
  EXPECT_FALSE(AwaitFrame(loop, link).has_value());
  EXPECT_TRUE(link.is_closed());
  link.Send({999, 2, ""});  // no worker has this id
  EXPECT_EQ(ExitText(link.process().Kill()), "SIGKILL");
}

TEST(EventLoopTest, AProgramThatIsNoWorkerIsClosed) {
  EventLoop loop;
  WorkerLink link(loop, "/bin/cat", "/proc/self/status");
  EXPECT_FALSE(AwaitFrame(loop, link).has_value());
  EXPECT_TRUE(link.is_closed());
}

TEST(EventLoopTest, ALinkMayGoWhileMuchIsToBeSent) {
  EventLoop loop;
  pid_t process = -1;
  {
    WorkerLink link(loop, SG_WORKER, "compile");
    process = link.process().pid();
    for (uint64_t id = 0; id < 20; ++id) link.Send({999, id, std::string(1 << 20, 'x')});
    loop.Wait(0.01);
  }
  loop.Wait(0.01);
  EXPECT_FALSE(IsRunning(process));
}

TEST(EventLoopTest, WaitingEndsWithItsTime) {
  EventLoop loop;
  const SteadyClock clock;
  const double begin = clock.Now();
  loop.Wait(0.02);
  EXPECT_GE(clock.Now() - begin, 0.02);
}

}  // namespace
}  // namespace schedulegym
