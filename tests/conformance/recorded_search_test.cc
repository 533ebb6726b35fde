// Replays a search from the records in its store: it proposes the same schedules and writes the
// same records, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "backends/interpreter/interpreter.h"
#include "backends/runner/in_process_measurer.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/store_transfer.h"
#include "env/program/workloads/workload.h"
#include "spaces/schedulegym/reference.h"
#include "tests/conformance/recorded_measurer.h"
#include "tests/conformance/searches.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kWorkload = "matmul(m=16,n=16,k=16)";

// Some measurements fail, but none are cut off: those leave no record to replay.
Outcome Mixed(int number) {
  const Outcome outcome = AllOutcomes()[number % AllOutcomes().size()];
  return number % 5 == 3 && outcome != Outcome::kCutOff ? outcome : Outcome::kOk;
}

class RecordedSearchTest : public testing::Test {
 protected:
  using Tasks = std::vector<std::shared_ptr<const Task>>;

  // The exported store after these searches.
  std::string Run(const std::vector<SearchWords>& searches, const Tasks& tasks,
                  Measurer& measurer) {
    const std::string path = folder_.Path("store" + std::to_string(stores_++) + ".db");
    {
      const auto store = OpenStore(path, StoreMode::kWrite);
      for (const SearchWords& words : searches) RunSearch(words, tasks, measurer, *store);
    }
    std::ostringstream lines;
    ExportStore(path, lines);
    return lines.str();
  }

  std::string Record(const std::vector<SearchWords>& searches, const Tasks& tasks) {
    MadeUpMachine machine(Mixed);
    machine.Disturb(SampleSession());
    return Run(searches, tasks, machine);
  }

  std::string Replay(const std::vector<SearchWords>& searches, const Tasks& tasks,
                     const std::string& lines, int width = MadeUpMachine().Width()) {
    RecordedMeasurer measurer(lines, width);
    return Run(searches, tasks, measurer);
  }

  TemporaryFolder folder_;
  int stores_ = 0;
};

class RecordedAgentTest : public RecordedSearchTest,
                          public testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  static SearchWords Words() {
    return {.agent = std::get<0>(GetParam()), .space = std::get<1>(GetParam())};
  }
};

INSTANTIATE_TEST_SUITE_P(
    Every, RecordedAgentTest,
    testing::Combine(testing::Values("ansor(population=64)", "ansor(population=64, mode=faithful)",
                                     "droplet", "droplet(mode=faithful)",
                                     "dpansor(k=60, trials=40, agent=ansor(population=64))",
                                     "dpansor(k=60, trials=40, agent=random, mode=faithful)",
                                     "random", "mcts(iterations=256)",
                                     "mcts(iterations=256, mode=faithful)",
                                     "mcts(iterations=256, form=puct)",
                                     "mcts(iterations=128, form=protuner)", "mcts(form=measured)",
                                     "mcts(reward=measured)", "beam(width=4, passes=2)",
                                     "beam(reward=measured)", "guided(samples=16)", "greedy"),
                     testing::Values("ansor", "schedulegym")));

TEST_P(RecordedAgentTest, IsReplayedBitForBit) {
  const Tasks tasks = {SmallTask(kWorkload)};
  const std::string recorded = Record({Words()}, tasks);
  EXPECT_GT(SplitLines(recorded).size(), 64u);
  EXPECT_EQ(DifferenceOf(recorded, Replay({Words()}, tasks, recorded)), "");
}

// The second continues from the first one's records.
TEST_P(RecordedAgentTest, SoAreTwoSearchesOfOneStore) {
  const Tasks tasks = {SmallTask(kWorkload)};
  SearchWords words = Words();
  words.trials = 50;
  SearchWords later = words;
  later.started += 600;
  const std::vector<SearchWords> searches = {words, later};
  const std::string recorded = Record(searches, tasks);
  EXPECT_EQ(DifferenceOf(recorded, Replay(searches, tasks, recorded)), "");
}

TEST_F(RecordedSearchTest, SoIsANetwork) {
  const Tasks tasks = {SmallTask(kWorkload), SmallTask("softmax(n=16,m=16)"),
                       SmallTask("matmul(m=8,n=32,k=16)")};
  for (const char* scheduler : {"round_robin", "gradient"}) {
    const SearchWords words = {.agent = "ansor(population=64)", .scheduler = scheduler};
    const std::string recorded = Record({words}, tasks);
    EXPECT_EQ(DifferenceOf(recorded, Replay({words}, tasks, recorded)), "") << scheduler;
  }
}

// With real timings.
TEST_F(RecordedSearchTest, SoIsWhatAMachineMeasured) {
  Target target = SmallTask(kWorkload)->target;
  target.backend = BackendKind::kInterpreter;
  target.cores = 1;
  const auto task = std::make_shared<const Task>(
      Task{MakeWorkload(ParseSpec("matmul(m=4,n=8,k=4)").value()), target, "small"});
  InProcessOptions options;
  options.protocol = MakeProtocol(ParseSpec("cpu1(rounds=2, seconds=0.01)").value());
  options.reference = ReferenceSchedule;
  options.make_backend = MakeInterpreter;
  const auto machine = MakeInProcessMeasurer(options);
  const SearchWords words = {.agent = "ansor(population=64)", .trials = 60, .batch = 10};
  const std::string recorded = Run({words}, {task}, *machine);
  EXPECT_THAT(recorded, HasSubstr("\"ok\""));
  EXPECT_EQ(DifferenceOf(recorded, Replay({words}, {task}, recorded, machine->Width())), "");
}

// --- differences are found ---

class DeviationTest : public RecordedSearchTest {
 protected:
  static constexpr size_t kLine = 20;

  void SetUp() override {
    recorded_ = Record({words_}, tasks_);
    lines_ = SplitLines(recorded_);
    ASSERT_GT(lines_.size(), 100u);
    ASSERT_TRUE(LineRecord().measurement.ok());
  }

  schedulegym::Record LineRecord() const {
    return std::get<schedulegym::Record>(ParseLine(lines_[kLine - 1]));
  }
  std::string ReplayLines() { return Replay({words_}, tasks_, Join(lines_, "\n")); }

  const SearchWords words_ = {.agent = "ansor(population=64)"};
  const Tasks tasks_ = {SmallTask(kWorkload)};
  std::string recorded_;
  std::vector<std::string> lines_;
};

TEST_F(DeviationTest, OfARecordThatIsMissing) {
  lines_.erase(lines_.begin() + kLine - 1);
  const std::string difference = DifferenceOf(recorded_, ReplayLines());
  EXPECT_THAT(difference, StartsWith("line 20: recorded {"));
  EXPECT_THAT(difference, HasSubstr("no record of this schedule is left"));
}

TEST_F(DeviationTest, OfANumberThatWasChanged) {
  schedulegym::Record changed = LineRecord();
  changed.measurement.timing->ratio.median *= 1 + 1e-15;
  lines_[kLine - 1] = ToLine(changed);
  EXPECT_THAT(DifferenceOf(recorded_, ReplayLines()), StartsWith("line 20: recorded {"));
}

// The search departs from the recorded one, and its store has no results for it.
TEST_F(DeviationTest, OfASearchThatWasToldSomethingElse) {
  schedulegym::Record changed = LineRecord();
  changed.measurement.timing = SampleTiming(1e9).timing;
  lines_[kLine - 1] = ToLine(changed);
  const std::string replayed = ReplayLines();
  EXPECT_THAT(DifferenceOf(Join(lines_, "\n"), replayed),
              HasSubstr("no record of this schedule is left"));
}

TEST_F(DeviationTest, OfAnotherSeed) {
  SearchWords words = words_;
  words.seed += 1;
  EXPECT_THAT(DifferenceOf(recorded_, Replay({words}, tasks_, recorded_)),
              HasSubstr("no record of this schedule is left"));
}

}  // namespace
}  // namespace schedulegym
