#include "agents/schedulers/slot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Slot ReadSlot(const std::string& text) {
  const Spec spec = ParseSpec(text).value();
  return ReadSlotOptions(spec).slot;
}

std::string ComplaintAbout(const std::string& text) {
  return InputFaultOf([&] { ReadSlotOptions(ParseSpec(text).value()); });
}

// Two tasks; the first has the slot.
struct SlotOfTheFirst {
  explicit SlotOfTheFirst(const Slot& slot) : given(slot) { given.Give(0, Stand()); }

  SchedulerView Stand() const { return {tasks, curves, 0, 100, {}}; }
  void Spend(int trials, double seconds) {
    curves[0].AddTurn(std::vector(static_cast<size_t>(trials), Success(1)), 0, seconds);
  }
  bool IsSpent() const { return !given.Holder(Stand(), std::vector{0, 1}); }

  std::vector<ScheduledTask> tasks = std::vector<ScheduledTask>(2);
  std::vector<TaskCurve> curves = std::vector<TaskCurve>(2);
  GivenSlot given;
};

TEST(SlotTest, IsATurnUnlessSaidOtherwise) {
  EXPECT_EQ(ReadSlot("s"), (Slot{SlotKind::kTurn, 1}));
  EXPECT_EQ(ReadSlot("s(slot=turn)"), Slot());
  EXPECT_EQ(ReadSlot("s(slot=trials(n=48))"), (Slot{SlotKind::kTrials, 48}));
  EXPECT_EQ(ReadSlot("s(slot=seconds(s=2.5))"), (Slot{SlotKind::kSeconds, 2.5}));
  EXPECT_EQ(ReadSlotOptions(ParseSpec("s(task_patience=50)").value()).task_patience, 50);
}

TEST(SlotTest, BadOnesAreRefused) {
  EXPECT_EQ(ComplaintAbout("s(slot=trials(n=0))"),
            "scheduler 's': key 'slot' is trials(n=0), expected at least 1 trial");
  EXPECT_EQ(
      ComplaintAbout("s(slot=seconds(s=0))"),
      "scheduler 's': key 'slot' is seconds(s=0), expected seconds(s=S), more than 0 seconds");
  EXPECT_EQ(ComplaintAbout("s(slot=minutes(m=1))"),
            "scheduler 's': key 'slot' is 'minutes(m=1)', expected turn, trials(n=N) or "
            "seconds(s=S)");
  EXPECT_THAT(ComplaintAbout("s(slot=trials)"), HasSubstr("key 'n' is missing"));
  EXPECT_THAT(ComplaintAbout("s(slot=turn(n=1))"), HasSubstr("'n'"));
  EXPECT_THAT(ComplaintAbout("s(slot=16)"), HasSubstr("expected a spec"));
  EXPECT_THAT(ComplaintAbout("s(task_patience=-1)"),
              HasSubstr("expected an integer of at least 0"));
  EXPECT_THAT(ComplaintAbout("s(slots=2)"), HasSubstr("'slots'"));
}

TEST(SlotTest, ATurnIsSpentAtOnce) {
  SlotOfTheFirst slot({});
  EXPECT_FALSE(slot.IsSpent());
  slot.Spend(16, 1);
  EXPECT_TRUE(slot.IsSpent());
}

TEST(SlotTest, TrialsAreCountedFromWhereItWasGiven) {
  SlotOfTheFirst slot({SlotKind::kTrials, 20});
  slot.Spend(16, 1);
  EXPECT_FALSE(slot.IsSpent());
  slot.Spend(16, 1);
  EXPECT_TRUE(slot.IsSpent());
  slot.given.Give(0, slot.Stand());
  slot.Spend(16, 1);
  EXPECT_FALSE(slot.IsSpent());
}

TEST(SlotTest, SecondsAreThoseOfItsTurns) {
  SlotOfTheFirst slot({SlotKind::kSeconds, 3});
  slot.Spend(16, 1.5);
  EXPECT_FALSE(slot.IsSpent());
  slot.Spend(1, 1.5);
  EXPECT_TRUE(slot.IsSpent());
}

TEST(SlotTest, IsOverWithItsTask) {
  SlotOfTheFirst slot({SlotKind::kTrials, 20});
  EXPECT_EQ(slot.given.Holder(slot.Stand(), std::vector{0, 1}), 0);
  EXPECT_EQ(slot.given.Holder(slot.Stand(), std::vector{1}), std::nullopt);
  EXPECT_EQ(GivenSlot({}).Holder(slot.Stand(), std::vector{0, 1}), std::nullopt) << "none given";
}

TEST(ActiveTasksTest, AreNeitherFinishedNorWithoutAGainForLong) {
  std::vector<TaskCurve> curves(4);
  curves[0].AddTurn(std::vector{Success(1), Success(2), Success(2)}, 0, 1);
  curves[1].AddTurn(std::vector{Success(3), Success(2), Success(2)}, 0, 1);
  curves[2].Finish();
  EXPECT_THAT(ActiveTasks(curves), ElementsAre(0, 1, 3));
  EXPECT_THAT(ActiveTasks(curves, 2), ElementsAre(0, 3));
  EXPECT_THAT(ActiveTasks(curves, 1), ElementsAre(3)) << "it had no trial";
  EXPECT_THAT(ActiveTasks({}), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
