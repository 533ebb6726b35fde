#include "agents/transfer/transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "agents/builtin_agents.h"
#include "agents/transfer/donors.h"
#include "agents/transfer/refit.h"
#include "env/measure/store/program_set.h"
#include "env/measure/store/record_store.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const Task> Product(int64_t m, int64_t n) {
  const std::string rows = std::to_string(m), columns = std::to_string(n);
  return std::make_shared<const Task>(
      Task{DagOf("input A[" + rows + ", 32]\ninput B[32, " + columns + "]\nC[i:" + rows +
                 ", j:" + columns + "] = sum(k:32) A[i, k] * B[k, j]\n"),
           Target{}, "product"});
}

class TransferTest : public testing::Test {
 protected:
  TransferTest() : space_(MakeSpace({"ansor", {}})) {}

  // A drawn schedule of a task that takes `seconds`, with a reference of one second.
  Record Measured(const std::shared_ptr<const Task>& task, double seconds, uint64_t seed = 1) {
    Rng rng(seed);
    Result<ScheduleState> state = space_->Sample(task, rng);
    while (!state) state = space_->Sample(task, rng);
    return TimedRecord(*state, seconds);
  }

  // The records as a file of programs.
  std::string ProgramsFile(const std::vector<Record>& records) {
    ProgramSet set;
    for (const Record& record : records) {
      set.tasks.push_back({*record.task, ""});
      MeasuredProgram program;
      program.task = static_cast<int>(set.tasks.size()) - 1;
      program.trace = record.trace;
      program.space = "ansor";
      program.host = "host";
      program.seconds = record.measurement.timing->seconds;
      program.ratio = record.measurement.timing->ratio;
      program.samples = record.measurement.timing->samples;
      set.programs.push_back(std::move(program));
    }
    const std::string path = folder_.Path("donors.points.gz");
    std::ofstream(path) << ProgramsToText(set);
    return path;
  }

  std::unique_ptr<Agent> Make(const std::string& options,
                              const std::vector<std::shared_ptr<const Task>>& tasks) {
    return std::make_unique<SingleTaskAgent>(ParseSpec("transfer(" + options + ")").value(),
                                             *space_, tasks, Rng(1));
  }

  std::string Refusal(const std::string& options) {
    return InputFaultOf([&] { Make(options, {Product(64, 64)}); });
  }

  TemporaryFolder folder_;
  std::unique_ptr<SearchSpace> space_;
};

TEST_F(TransferTest, TriesDonorsOfItsFamilyTheNearestFirst) {
  const auto vector = std::make_shared<const Task>(
      Task{DagOf("input X[64]\nY[i:64] = X[i] + 1\n"), Target{}, "vector"});
  const Record far = Measured(Product(512, 512), 0.1), near = Measured(Product(64, 128), 0.5);
  const std::string file =
      ProgramsFile({far, Measured(vector, 0.1), near, Measured(Product(64, 64), 0.1)});
  const std::vector<Donor> donors = ReadDonors(file);
  const TaskInfo task = *DescribeTask(*Product(64, 64));
  EXPECT_THAT(DonorsFor(task, donors, {}), ElementsAre(2, 0));
  EXPECT_THAT(DonorsFor(task, donors, {.order = DonorOrder::kSpeed}), ElementsAre(0, 2));
  EXPECT_THAT(DonorsFor(task, donors, {.same_family = false}), ElementsAre(2, 0, 1));
}

TEST_F(TransferTest, OfATaskTheFastestIsItsDonor) {
  ProgramSet set;
  const Record slow = Measured(Product(64, 128), 0.5, 1), fast = Measured(Product(64, 128), 0.2, 2);
  set.tasks.push_back({*slow.task, ""});
  for (const Record* record : {&slow, &fast, &slow}) {
    MeasuredProgram program;
    program.trace = record->trace;
    program.ratio = record->measurement.timing->ratio;
    program.seconds = record->measurement.timing->seconds;
    program.samples = record->measurement.timing->samples;
    program.space = "ansor";
    program.host = "host";
    set.programs.push_back(program);
  }
  const std::string path = folder_.Path("one.points.gz");
  std::ofstream(path) << ProgramsToText(set);
  const std::vector<Donor> donors = ReadDonors(path);
  ASSERT_EQ(donors.size(), 1);
  EXPECT_EQ(donors[0].trace, fast.trace);
}

TEST_F(TransferTest, ReadsStores) {
  const std::string path = folder_.Path("donors.db");
  const auto task = Product(64, 128);
  Rng rng(1);
  const ScheduleState state = space_->Sample(task, rng).value();
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = TimingOf(0.5);
  const std::vector<Record> records = {
      MakeRecord({DescribeTask(*task), "random", "ansor", 1, 0, "host", 1e9}, state,
                 StateKey(state), measurement)};
  OpenStore(path, StoreMode::kWrite)->Append(records);
  const std::vector<Donor> donors = ReadDonors(path);
  ASSERT_EQ(donors.size(), 1);
  EXPECT_EQ(donors[0].trace, state.TraceText());
  EXPECT_DOUBLE_EQ(donors[0].speed, 2);
}

TEST_F(TransferTest, PublishedEndsWithItsDonors) {
  const std::string file = ProgramsFile({Measured(Product(128, 128), 0.5)});
  const auto agent = Make("mode=faithful,from=\"" + file + "\"", {Product(64, 64)});
  EXPECT_LE(agent->Propose(0, 8).size(), 1);
  EXPECT_TRUE(agent->Propose(0, 8).empty());
}

TEST_F(TransferTest, RefitsWhatDoesNotDivide) {
  // Schedules for 64 columns split by powers of 2, so that few fit 45 rows and columns.
  std::vector<Record> donors;
  for (int n = 48; n <= 144; n += 16) donors.push_back(Measured(Product(64, n), 0.5, n));
  const std::string file = ProgramsFile(donors);
  const auto published = Make("mode=faithful,from=\"" + file + "\"", {Product(45, 45)});
  const auto improved = Make("then=none,from=\"" + file + "\"", {Product(45, 45)});
  const std::vector<Proposal> proposals = improved->Propose(0, 16);
  EXPECT_LT(published->Propose(0, 16).size(), proposals.size());
  for (const Proposal& proposal : proposals) EXPECT_TRUE(space_->Admit(proposal.state));
}

// The space `schedulegym` handles tails, so that refit=nearest leaves lengths unchanged.
TEST_F(TransferTest, WithoutRefittingATailIsPassedOver) {
  space_ = MakeSpace({"schedulegym", {}});
  std::vector<Record> donors;
  for (int seed = 0; seed < 16; ++seed) {
    donors.push_back(Measured(Product(64, 128 + seed), 0.5, seed));
  }
  const std::string file = ProgramsFile(donors);
  const auto uneven = [&](const std::string& options) {
    const auto agent = Make(options + ",from=\"" + file + "\"", {Product(60, 60)});
    const std::vector<Proposal> all = agent->Propose(0, 64);
    EXPECT_FALSE(all.empty()) << options;
    return std::ranges::count_if(all, [](const auto& one) { return !HasEvenSplits(one.state); });
  };
  EXPECT_EQ(uneven("mode=faithful"), 0);
  EXPECT_EQ(uneven("then=none,refit=none"), 0);
  EXPECT_GT(uneven("then=none"), 0);
}

TEST_F(TransferTest, GoesOnAsAnotherThatKnowsWhatWasTransferred) {
  const std::string file = ProgramsFile({Measured(Product(128, 128), 0.5)});
  const auto agent = Make("then=random,from=\"" + file + "\"", {Product(64, 64)});
  const std::vector<Proposal> first = agent->Propose(0, 8);
  ASSERT_EQ(first.size(), 1);
  EXPECT_EQ(first[0].note, "transfer(of=\"product\")");
  agent->Learn(std::vector{TimedTrial(first[0], 0.5)});
  const std::vector<Proposal> then = agent->Propose(0, 8);
  EXPECT_EQ(then.size(), 8);
  for (const Proposal& proposal : then) {
    EXPECT_EQ(proposal.note, "");
    EXPECT_NE(proposal.key, first[0].key);
  }
}

TEST_F(TransferTest, TasksOfARunGiveToEachOther) {
  const auto agent = Make("then=random", {Product(64, 64), Product(64, 128)});
  std::vector<Trial> trials;
  for (const Proposal& one : agent->Propose(0, 2)) trials.push_back(TimedTrial(one, 0.5));
  ASSERT_EQ(trials.size(), 2);
  agent->Learn(trials);
  const std::vector<Proposal> given = agent->Propose(1, 8);
  ASSERT_EQ(given.size(), 1);
  EXPECT_EQ(given[0].note, "transfer(of=\"product\")");
  // Once: random proposals follow until a better donor is known.
  EXPECT_EQ(agent->Propose(1, 8).front().note, "");
}

TEST_F(TransferTest, RefusesWhatLeadsNowhere) {
  const auto vector = std::make_shared<const Task>(
      Task{DagOf("input X[64]\nY[i:64] = X[i] + 1\n"), Target{}, "vector"});
  EXPECT_THAT(Refusal("from=\"" + ProgramsFile({Measured(vector, 0.5)}) + "\""),
              HasSubstr("found no donor for product"));
  EXPECT_THAT(Refusal("then=none"), HasSubstr("expected from=STORE"));
  EXPECT_THAT(Refusal("from=no_file"), HasSubstr("no_file"));
  const std::string text = folder_.Path("text");
  std::ofstream(text) << "# no store\n";
  EXPECT_THAT(Refusal("from=\"" + text + "\""), HasSubstr(text));
  EXPECT_THAT(Refusal("donors=some"), HasSubstr("class"));
}

// 0.6 of the target's work are convolutions and 0.4 dense: 9 convolutions have the score
// 0.6 * 3 = 1.8, one with 16 dense 0.6 + 0.4 * 4 = 2.2.
TEST(ChooseNetworkTest, IsTheOneOfTheLargestSumOfSharesTimesRootsOfCounts) {
  const auto network = [](int convolutions, int dense) {
    std::vector<Donor> donors(static_cast<size_t>(convolutions), Donor{{}, "conv", "", 1});
    donors.resize(donors.size() + static_cast<size_t>(dense), Donor{{}, "dense", "", 1});
    return donors;
  };
  const std::map<std::string, double> shares = {{"conv", 0.6}, {"dense", 0.4}};
  EXPECT_EQ(ChooseNetwork(shares, {network(9, 0), network(1, 16)}), 1U);
  EXPECT_EQ(ChooseNetwork(shares, {network(9, 0), network(1, 8)}), 0U);
  EXPECT_EQ(ChooseNetwork(shares, {network(0, 0)}), 0U);
}

}  // namespace
}  // namespace schedulegym
