// Faults planted in programs for a GPU. The validator finds each one, or the interpreter that runs
// the sequential form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.h"
#include "env/lower/place_barriers.h"
#include "env/lower/sequential_form.h"
#include "env/lower/statements.h"
#include "env/lower/validate.h"
#include "tests/support/gpu_faults.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

std::vector<GuardedMemory> ResultsOf(const LoopProgram& program, std::string* fault) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const LoopProgram sequential = SequentialForm(program);
  auto results = RunOn(*interpreter, sequential, {}, MakeArguments(sequential, 1));
  if (results) return *std::move(results);
  *fault = results.error().message;
  return {};
}

// The error of the validator, or else of the interpreter; "" if neither finds a fault.
std::string FaultIn(const LoopProgram& program, const LoopProgram& right) {
  if (const auto valid = Validate(program); !valid) return "validator: " + valid.error().message;
  std::string fault;
  const std::vector<GuardedMemory> want = ResultsOf(right, &fault);
  const std::vector<GuardedMemory> got = ResultsOf(program, &fault);
  if (!fault.empty()) return "interpreter: " + fault;
  for (size_t i = 0; i < want.size(); ++i) {
    const bool same = std::equal(want[i].data(), want[i].data() + want[i].bytes(), got[i].data());
    if (!same) return "interpreter: other results";
  }
  return "";
}

GpuFault FaultOf(const std::string& name) {
  const std::vector<GpuFault> faults = PlantedGpuFaults();
  return *std::ranges::find(faults, name, &GpuFault::name);
}

TEST(PlantedFaultsTest, NoneInWhatIsLowered) {
  for (const GpuFault& fault : PlantedGpuFaults()) {
    EXPECT_EQ(FaultIn(fault.right, fault.right), "") << fault.name;
  }
}

TEST(PlantedFaultsTest, EachKindIsFoundAndSaid) {
  const std::map<std::string, std::string> said = {
      {"BarrierDroppedBeforeALoop", "without a barrier"},
      {"BarrierDroppedBehindALoop", "may meet in B.shared"},
      {"BarrierDroppedWithinALoop", "without a barrier"},
      {"BarrierDroppedWhereALoopComesBack", "without a barrier"},
      {"DivergentBarrier", "not reached by all threads"},
      {"ShortRegion", "interpreter"},
      {"DroppedGuard", "cannot prove"},
      {"WrongGrid", "interpreter"},
      {"TransposedIndex", ""},
      {"StorePastTheEnd", "cannot prove"},
      {"CellSharedByThreads", "may meet in C"},
      {"UnsynchronisedReduction", "may meet in C.partial"},
      {"UnsynchronisedStores", "may meet in A.shared"},
      {"OverlapInTheArena", "shared memory holds nothing of it"},
      {"LocalOfAnotherThread", ""}};
  const std::vector<GpuFault> faults = PlantedGpuFaults();
  EXPECT_EQ(faults.size(), said.size());
  for (const GpuFault& fault : faults) {
    const std::string found = FaultIn(fault.faulty, fault.right);
    EXPECT_NE(found, "") << fault.name;
    EXPECT_THAT(found, HasSubstr(said.at(fault.name))) << fault.name;
  }
}

// Barriers before a loop, at its begin, in its middle, and behind one.
TEST(PlantedFaultsTest, EachBarrierIsMissed) {
  const LoopProgram in_turn = FaultOf("UnsynchronisedStores").right;
  for (const LoopProgram& program : {FaultOf("DroppedGuard").right, in_turn}) {
    const int count = CountBarriers(*program.body);
    ASSERT_GE(count, 2);
    for (int i = 0; i < count; ++i) {
      EXPECT_THAT(FaultIn(WithoutBarrier(program, i), program), HasSubstr("without a barrier"));
    }
  }
  LoopProgram none = in_turn;
  while (CountBarriers(*none.body) > 0) none = WithoutBarrier(none, 0);
  EXPECT_THAT(FaultIn(none, none), HasSubstr("may meet in A.shared"));
}

// A register that all threads share.
TEST(PlantedFaultsTest, ARegisterOutsideOfItsThread) {
  const LoopProgram copies = FaultOf("UnsynchronisedStores").right;
  int local = -1;
  LoopProgram faulty = WithChange(copies, [&](const StatementPtr& statement) {
    const auto* allocate = std::get_if<Allocate>(&statement->node);
    if (!allocate || copies.buffers[allocate->buffer].scope != MemoryScope::kLocal)
      return statement;
    local = allocate->buffer;
    return allocate->body;
  });
  faulty.body = MakeStatement(Allocate{local, faulty.body});
  EXPECT_THAT(FaultIn(faulty, copies), HasSubstr("is shared by the iterations"));
}

}  // namespace
}  // namespace schedulegym
