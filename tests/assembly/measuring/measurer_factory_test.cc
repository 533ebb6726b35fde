#include "assembly/measuring/measurer_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assembly/catalog.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/gym/tables/table_file.h"
#include "env/measure/measurement.h"
#include "spaces/schedulegym/reference.h"
#include "tests/assembly/shipped_table.h"
#include "tests/support/busy_machine.h"
#include "tests/support/input_fault.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMatmul =
    "input A[16, 16]\ninput B[16, 16]\nC[i:16, j:16] = sum(k:16) A[i, k] * B[k, j]\n";

std::shared_ptr<const MeasurerFactory> PlanOf(const std::string& text) {
  const Spec spec = RequireSpec("measure", text);
  return BuiltinCatalog().measurers.Find(spec)(spec);
}

std::string TablePlanText(const std::string& name) {
  return "table(file=\"" + ShippedTable(name) + "\")";
}

std::string RefusalOf(const std::string& text) {
  return InputFaultOf([&] { PlanOf(text); });
}

TEST(MeasurerFactoryTest, TheHostTakesAnyTaskAndMeasures) {
  const auto plan = PlanOf("host");
  EXPECT_TRUE(plan->IsMeasured());
  EXPECT_EQ(plan->OnlyTask(), nullptr);
  EXPECT_EQ(plan->OwnSpace(), nullptr);
  EXPECT_THROW(plan->Check(MakeTarget(ParseSpec("cuda(card=a100)").value())), MachineError);
  const auto task = TaskOf(kMatmul, BackendKind::kInterpreter);
  plan->Check(task->target);
  const Candidate candidate = {ReferenceSchedule(task)};
  const Measurement measurement = plan->Make({.tasks = {task}})->Measure({&candidate, 1}).at(0);
  SG_ASSERT_OK_OR_SKIP_NOISE(measurement);
  EXPECT_TRUE(WasMeasured(measurement));
}

TEST(MeasurerFactoryTest, TheEstimateTakesTasksOfProcessorsAndMeasuresNothing) {
  const auto plan = PlanOf("analytical");
  EXPECT_FALSE(plan->IsMeasured());
  EXPECT_EQ(plan->OnlyTask(), nullptr);
  const auto task = TaskOf(kMatmul);
  EXPECT_THROW(plan->Check(MakeTarget({"opencl", {}})), InputError);
  plan->Check(task->target);
  const Candidate candidate = {ReferenceSchedule(task)};
  const Measurement measurement = plan->Make({.tasks = {task}})->Measure({&candidate, 1}).at(0);
  ASSERT_TRUE(measurement.ok());
  EXPECT_EQ(measurement.timing->ratio.median, 1);
  EXPECT_EQ(MeasurerOf(measurement), "analytical");
  EXPECT_EQ(measurement.session->toolchain, plan->Toolchain(task->target));
}

TEST(MeasurerFactoryTest, ATableKnowsItsTaskAndItsSchedules) {
  const auto plan = PlanOf(TablePlanText("conv2d"));
  EXPECT_FALSE(plan->IsMeasured());
  const auto task = plan->OnlyTask();
  ASSERT_NE(task, nullptr);
  EXPECT_EQ(task->name, ReadTable(ShippedTable("conv2d")).task()->name);
  const auto space = plan->OwnSpace();
  ASSERT_NE(space, nullptr);
  EXPECT_EQ(space->Name(), "table");
  plan->Check(task->target);
  const auto measurer = plan->Make({.tasks = {task}});
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const Result<ScheduleState> state = space->Sample(task, rng);
    ASSERT_TRUE(state);
    const Candidate candidate = {*state};
    const Measurement measurement = measurer->Measure({&candidate, 1}).at(0);
    EXPECT_NE(measurement.outcome, Outcome::kInvalidSchedule);
    EXPECT_EQ(MeasurerOf(measurement), "table");
    EXPECT_EQ(measurement.session->toolchain, plan->Toolchain(task->target));
  }
}

TEST(MeasurerFactoryTest, ATableRefusesOtherTasksAndTargets) {
  const auto plan = PlanOf(TablePlanText("conv2d"));
  Target other = plan->OnlyTask()->target;
  other.cores += 1;
  EXPECT_THROW(plan->Check(other), InputError);
  EXPECT_THROW(plan->Make({.tasks = {TaskOf(kMatmul)}}), InputError);
}

// The shipped tables were made before raw samples were kept.
TEST(MeasurerFactoryTest, NoiseNeedsRawSamples) {
  const std::string file = "table(file=\"" + ShippedTable("conv2d") + "\", noise=";
  const auto task = PlanOf(file + "false)")->OnlyTask();
  EXPECT_NO_THROW(PlanOf(file + "false)")->Make({.tasks = {task}}));
  EXPECT_THROW(PlanOf(file + "true)")->Make({.tasks = {task}}), InputError);
}

TEST(MeasurerFactoryTest, SettlingReadsRawSamples) {
  const std::string open = "table(file=\"" + ShippedTable("contest_matmul") + "\", ";
  const auto plan = PlanOf(open + "settle=cv)");
  EXPECT_NO_THROW(plan->Make({.tasks = {plan->OnlyTask()}}));
  const auto old = PlanOf("table(file=\"" + ShippedTable("conv2d") + "\", settle=cv)");
  EXPECT_THROW(old->Make({.tasks = {old->OnlyTask()}}), InputError);
  EXPECT_THAT(RefusalOf(open + "settle=mean)"), HasSubstr("recorded, cv"));
  EXPECT_THAT(RefusalOf(open + "cv_rounds=1)"), HasSubstr("2 to 128"));
  EXPECT_THAT(RefusalOf(open + "cv=0.2)"), HasSubstr("cv belongs to settle=cv"));
  EXPECT_THAT(RefusalOf(open + "cv_rounds=4)"), HasSubstr("cv_rounds belongs to settle=cv"));
}

TEST(MeasurerFactoryTest, ATableNeedsAFile) {
  EXPECT_THAT(RefusalOf("table"), HasSubstr("key 'file' is missing"));
  EXPECT_THAT(RefusalOf("table(file=none.table)"), HasSubstr("none.table"));
  EXPECT_THAT(RefusalOf("table(files=none.table)"), HasSubstr("files"));
  EXPECT_THAT(RefusalOf("gpu"), HasSubstr("expected one of host, analytical, "));
}

}  // namespace
}  // namespace schedulegym
