// Contracts of every built-in agent, in each of its modes, in every space.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/timed_record.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/searches.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkload = "matmul(m=16,n=16,k=16)";

std::vector<std::string> SpaceNames() {
  std::vector<std::string> names;
  for (const auto& entry : BuiltinSpaces()) names.push_back(entry.name);
  return names;
}

Outcome FailureInTurn(int number) { return AllOutcomes()[1 + number % (AllOutcomes().size() - 1)]; }
// Every second measurement fails.
Outcome EachInTurn(int number) {
  return number % 2 == 0 ? Outcome::kOk : FailureInTurn(number / 2);
}

using AgentAndSpace = std::tuple<AgentCase, std::string>;

std::string NameOfBoth(const testing::TestParamInfo<AgentAndSpace>& info) {
  return NameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

class AgentTest : public testing::TestWithParam<AgentAndSpace> {
 protected:
  static const AgentCase& agent() { return std::get<0>(GetParam()); }
  static SearchWords Words() {
    return {.agent = agent().spec, .space = std::get<1>(GetParam()), .others = OtherAgents()};
  }

  // Neither known schedules nor its own proposals are repeated; a schedule without a result may be
  // proposed again.
  static void ExpectNothingTwice(const std::vector<Record>& records,
                                 const std::vector<Record>& known = {}) {
    std::map<Key, Measurement> results;  // the last one for each schedule
    for (const Record& record : Lessons(known)) {
      results[record.state_key] = record.measurement;
    }
    int repeated = 0;
    for (const Record& record : Lessons(records)) {
      if (results.contains(record.state_key)) {
        const bool may = repeated == 0 ? MayBeFirst(record.state_key, results)
                                       : agent().repeats == Repeats::kBestThenAny;
        EXPECT_TRUE(may) << record.trace;
        ++repeated;
      }
      results[record.state_key] = record.measurement;
    }
  }

  // Returns whether a schedule with a result may be the first to be measured again.
  static bool MayBeFirst(const Key& state, const std::map<Key, Measurement>& results) {
    const Measurement& own = results.at(state);
    return agent().repeats != Repeats::kNone && own.ok() &&
           std::none_of(results.begin(), results.end(),
                        [&](const auto& other) { return IsBetter(other.second, own); });
  }

  static std::vector<Record> Lessons(const std::vector<Record>& records) {
    std::vector<Record> lessons;
    for (const Record& record : records) {
      if (MayLearnFrom(record.measurement.outcome)) lessons.push_back(record);
    }
    return lessons;
  }

  // Records of an earlier search by the same agent.
  static std::vector<Record> Earlier(const std::string& workload) {
    SearchWords words = Words();
    words.seed = 5;
    words.trials = 40;
    MadeUpMachine machine(EachInTurn);
    return RunSearch(words, SmallTask(workload), machine).records;
  }
};

INSTANTIATE_TEST_SUITE_P(Every, AgentTest,
                         testing::Combine(testing::ValuesIn(AgentCases()),
                                          testing::ValuesIn(SpaceNames())),
                         NameOfBoth);

TEST_P(AgentTest, SameSeedSameProposals) {
  MadeUpMachine one, two;
  for (MadeUpMachine* machine : {&one, &two}) machine->Disturb(SampleSession());
  const SearchLog log = RunSearch(Words(), SmallTask(kWorkload), one);
  EXPECT_EQ(TracesOf(log.records), TracesOf(RunSearch(Words(), SmallTask(kWorkload), two).records));
  EXPECT_GT(log.records.size(), 10u);
}

TEST_P(AgentTest, ProposesAtMostWhatIsAskedAndNothingTwice) {
  SearchWords words = Words();
  words.batch = 23;
  MadeUpMachine machine;
  const SearchLog log = RunSearch(words, SmallTask(kWorkload), machine);
  for (const Round& round : log.rounds) EXPECT_LE(round.proposed, round.asked);
  ExpectNothingTwice(log.records);
}

// One task has several turns in a row, another only a few.
TEST_P(AgentTest, SearchesTwoTasksUnderDynatune) {
  SearchWords words = Words();
  words.scheduler = "dynatune(slot=trials(n=8))";
  words.batch = 8;
  words.trials = 64;
  const std::vector tasks = {SmallTask(kWorkload), SmallTask("softmax(n=16,m=16)")};
  const auto run = [&] {
    MadeUpMachine machine;
    return RunSearch(words, tasks, machine, *MakeMemoryStore()).records;
  };
  const std::vector<Record> records = run();
  EXPECT_EQ(TracesOf(records), TracesOf(run()));
  std::map<std::string, std::vector<Record>> own;
  for (const Record& record : records) own[record.task->workload].push_back(record);
  for (const auto& task : tasks) {
    EXPECT_GE(own[task->name].size(), 3u) << task->name;
    ExpectNothingTwice(own[task->name]);
  }
}

// The error for an agent on a GPU: its trees or network support CPUs only, or it ranks by the
// analytical model, which needs the bandwidth. "" for all others.
std::string RefusedOnGpus(const AgentCase& agent, const std::string& target) {
  const auto has = [&](const char* part) { return agent.spec.find(part) != std::string::npos; };
  const bool estimates = has("draft=estimate") || has("=analytical");
  if (estimates && target == "opencl" && !has("model=pretrained"))
    return "'opencl': key 'bandwidth' is missing";
  const bool has_model = agent.spec.starts_with("es(") || agent.spec.starts_with("oneshot(") ||
                         agent.spec.starts_with("value(") || has("model=pretrained");
  return has_model ? "expected that of a processor" : "";
}

class GpuAgentTest : public testing::TestWithParam<AgentCase> {
 protected:
  static std::vector<Record> Search(const std::string& target) {
    const SearchWords words = {
        .agent = GetParam().spec, .trials = 24, .batch = 8, .others = OtherAgents()};
    MadeUpMachine machine;
    const auto task = WorkloadTask(kWorkload, MakeTarget(ParseSpec(target).value()));
    return RunSearch(words, task, machine).records;
  }
};

INSTANTIATE_TEST_SUITE_P(Every, GpuAgentTest, testing::ValuesIn(AgentCases()),
                         [](const auto& info) { return NameOf(info.param); });

// Needs neither a card nor a driver.
TEST_P(GpuAgentTest, SameSeedSameProposals) {
  for (const char* target : {"cuda(card=a100)", "opencl", "opencl(bandwidth=1e11)"}) {
    if (const std::string reason = RefusedOnGpus(GetParam(), target); !reason.empty()) {
      EXPECT_THAT(InputFaultOf([&] { Search(target); }), testing::HasSubstr(reason)) << target;
      continue;
    }
    const std::vector<Record> records = Search(target);
    EXPECT_EQ(TracesOf(records), TracesOf(Search(target))) << target;
    // Without speculation it ends where it starts: no single step is valid on a GPU.
    const size_t least = GetParam().spec == "droplet(speculate=false)" ? 1 : 8;
    EXPECT_GE(records.size(), least) << target;
    const auto is_bound = [](const Record& record) {
      return record.trace.find("bind(") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::all_of(records, is_bound)) << target;
  }
}

// For every option that takes a model by name.
TEST(GpuModelTest, NeedsTheFactsOfItsFormula) {
  const auto search = [](const std::string& agent, const std::string& target) {
    MadeUpMachine machine;
    const auto task = WorkloadTask(kWorkload, MakeTarget(ParseSpec(target).value()));
    return RunSearch({.agent = agent, .trials = 8, .batch = 8}, task, machine).records.size();
  };
  for (const char* agent : {"ansor(population=64, model=%)", "beam(width=2, passes=1, model=%)",
                            "mcts(iterations=32, model=%)", "es(samples=16, steps=4, model=%)",
                            "oneshot(shots=8, population=12, elite=4, generations=3, model=%)"}) {
    const auto with = [&](const std::string& model) {
      std::string spec = agent;
      return spec.replace(spec.find('%'), 1, model);
    };
    for (const char* model : {"analytical", "analytical(version=2)"}) {
      EXPECT_THAT(InputFaultOf([&] { search(with(model), "opencl"); }),
                  testing::HasSubstr("such as opencl(bandwidth=1e11)"))
          << with(model);
    }
    EXPECT_EQ(search(with("analytical"), "opencl(bandwidth=1e11)"), 8u) << agent;
    EXPECT_EQ(search(with("analytical"), "cuda(card=a100)"), 8u) << agent;
    EXPECT_THAT(InputFaultOf([&] { search(with("tuna(fitted=false)"), "cuda(card=a100)"); }),
                testing::HasSubstr("its terms are of a processor"))
        << agent;
  }
}

TEST_P(AgentTest, SchedulesEveryKindOfComputation) {
  SearchWords words = Words();
  words.batch = 6;
  words.trials = 12;
  for (const char* workload :
       {"softmax(n=16,m=16)", "norm(n=16,m=64)", "conv_layer(h=7,w=7,ci=4,co=8,k=3,p=1)",
        "conv2d_transpose(h=4,w=4,ci=4,co=4,k=4,s=2,p=1)", "tbs(l=8,heads=2,size=8)"}) {
    MadeUpMachine machine;
    const SearchLog log = RunSearch(words, SmallTask(workload), machine);
    EXPECT_FALSE(log.records.empty()) << workload;
    ExpectNothingTwice(log.records);
  }
}

TEST_P(AgentTest, SurvivesFailuresOfEverything) {
  SearchWords words = Words();
  words.batch = 17;
  words.trials = 51;
  MadeUpMachine machine(FailureInTurn);
  const SearchLog log = RunSearch(words, SmallTask(kWorkload), machine);
  EXPECT_GE(log.records.size(), 10u);
  ExpectNothingTwice(log.records);
}

TEST_P(AgentTest, SurvivesEveryOutcomeAndLearnsOnlyFromWhatIsAboutTheCandidate) {
  MadeUpMachine with(EachInTurn), without(EachInTurn);
  const SearchLog log = RunSearch(Words(), SmallTask(kWorkload), with);
  EXPECT_EQ(TracesOf(log.records),
            TracesOf(RunByHand(Words(), SmallTask(kWorkload), without).records));
  ExpectNothingTwice(log.records);
}

// --- results of earlier searches ---

TEST_P(AgentTest, SurvivesAStoreFullOfOldRecords) {
  const std::vector<Record> known = Lessons(Earlier(kWorkload));
  ASSERT_FALSE(known.empty());
  std::vector<Record> told = known;
  told.insert(told.end(), known.begin(), known.end());
  for (const Record& record : Lessons(Earlier("softmax(n=16,m=16)"))) told.push_back(record);
  // The fastest of all, if it were still a valid schedule.
  Record broken = known.front();
  broken.state_key = Key{1, 2};
  broken.measurement.outcome = Outcome::kOk;
  broken.measurement.timing = TimingOf(1e-12);
  for (const char* trace : {"trace 1\nsplit(stage=Q, loop=0, lengths=[2])\n", "trace 9\n", ""}) {
    broken.trace = trace;
    told.push_back(broken);
  }
  SearchWords words = Words();
  words.trials = 60;
  MadeUpMachine machine;
  const SearchLog log = RunByHand(words, SmallTask(kWorkload), machine, told);
  EXPECT_FALSE(log.records.empty());
  for (const Round& round : log.rounds) EXPECT_LE(round.proposed, round.asked);
  ExpectNothingTwice(log.records, known);
}

TEST_P(AgentTest, WhatToldNothingIsNotKnownLater) {
  const std::vector<Record> earlier = Earlier(kWorkload);
  const auto with = MakeMemoryStore(), without = MakeMemoryStore();
  with->Append(earlier);
  without->Append(Lessons(earlier));
  SearchWords words = Words();
  words.trials = 60;
  MadeUpMachine one, two;
  EXPECT_EQ(TracesOf(RunSearch(words, {SmallTask(kWorkload)}, one, *with).records),
            TracesOf(RunSearch(words, {SmallTask(kWorkload)}, two, *without).records));
}

// Each donor is tried once, in every space, with any result; then there are no proposals.
TEST(AgentsTest, WhatNoOtherAgentFollowsEndsWithItsDonors) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("donors.db");
  std::vector<std::shared_ptr<const Task>> donors;
  for (int m = 32; m <= 256; m *= 2) {
    donors.push_back(SmallTask("matmul(m=" + std::to_string(m) + ",n=16,k=16)"));
  }
  {
    const auto store = OpenStore(path, StoreMode::kWrite);
    MadeUpMachine machine;
    RunSearch({.agent = "random", .trials = 32, .batch = 4}, donors, machine, *store);
  }
  for (const std::string& agent : EndingAgents(path)) {
    for (const std::string& space : SpaceNames()) {
      const SearchWords words = {.agent = agent, .space = space};
      MadeUpMachine one, two, failing(FailureInTurn);
      const SearchLog log = RunSearch(words, SmallTask(kWorkload), one);
      EXPECT_EQ(TracesOf(log.records),
                TracesOf(RunSearch(words, SmallTask(kWorkload), two).records));
      const size_t tried = log.records.size();
      EXPECT_LE(tried, donors.size()) << agent << " in " << space;
      EXPECT_EQ(RunSearch(words, SmallTask(kWorkload), failing).records.size(), tried);
      const bool ends_with_donors = space == "ansor" && agent.ends_with("then=none)");
      EXPECT_TRUE(!ends_with_donors || tried == donors.size()) << tried;
    }
  }
}

TEST(AgentsTest, RefuseUnknownKeys) {
  const auto space = MakeSpace(Spec{"schedulegym", {}});
  for (const AgentCase& one : AgentCases()) {
    const Spec spec = {ParseSpec(one.spec)->name, ParseSpec("a(nothing=1)")->options};
    EXPECT_THROW(SingleTaskAgent(spec, *space, {}, Rng(1), {}, OtherAgents()), InputError);
  }
}

}  // namespace
}  // namespace schedulegym
