#include "assembly/assembled_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/measure/measurement.h"
#include "env/measure/timing/clocks.h"
#include "tests/assembly/shipped_table.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TrialsObserver : public TuneObserver {
 public:
  void OnTrial(const TrialEvent& event) override { records.push_back(event.record); }
  std::vector<Record> records;
};

TaskList ListOf(const std::string& workload) {
  TaskList list;
  AddTask(LoadTask(workload, MakeTarget({"llvm", {}})), 1, list);
  return list;
}

SearchRequest Request(const std::string& agent, const std::string& measure, int64_t trials) {
  SearchRequest request;
  request.agent = RequireSpec("agent", agent);
  request.measure = RequireSpec("measure", measure);
  request.trials = trials;
  return request;
}

const SteadyClock kClock;

std::vector<DoneEvent> RunToEnd(const SearchRequest& request, const TaskList& list,
                                RecordStore& store, TuneObserver& observer) {
  AssembledSearch search(request, list, BuiltinCatalog(), kClock, nullptr);
  const auto measurer = search.MakeMeasurer();
  return search.Run(*measurer, store, observer);
}

std::string RefusalOf(const SearchRequest& request) {
  return InputFaultOf([&] {
    AssembledSearch(request, ListOf("matmul(m=64,n=64,k=64)"), BuiltinCatalog(), kClock, nullptr);
  });
}

std::string TableText(const std::string& name) {
  return "table(file=\"" + ShippedTable(name) + "\")";
}

TEST(AssembledSearchTest, AWholeSearchOnTheEstimate) {
  const auto store = MakeMemoryStore();
  const TaskList list = ListOf("matmul(m=64,n=64,k=64)");
  TrialsObserver observer;
  const auto done = RunToEnd(Request("random", "analytical", 80), list, *store, observer);
  ASSERT_EQ(observer.records.size(), 80u);
  for (const Record& record : observer.records) {
    EXPECT_EQ(MeasurerOf(record.measurement), "analytical");
    EXPECT_EQ(record.space, "schedulegym");
    EXPECT_EQ(record.agent, "random");
  }
  EXPECT_TRUE(done.at(0).best);
  EXPECT_FALSE(done.at(0).verified);
  EXPECT_EQ(done.at(0).finalists, 0);  // although 64 trials would allow some
  EXPECT_EQ(store->Best(TaskKey(*list.tasks[0].task)), std::nullopt);
}

// Chooses the last task only.
class LastScheduler : public TaskScheduler {
 public:
  std::optional<int> Next(const SchedulerView& view) override {
    const auto last = static_cast<int>(view.curves.size()) - 1;
    return view.curves[last].finished ? std::nullopt : std::optional(last);
  }
};

// Any scheduler of the catalog is available, whether it is built in or not.
TEST(AssembledSearchTest, SchedulersAreTheCatalogs) {
  Catalog catalog = BuiltinCatalog();
  catalog.schedulers.Add({"last", "", "the last task", [](const Spec&, const SchedulerContext&) {
                            return std::make_unique<LastScheduler>();
                          }});
  TaskList list = ListOf("matmul(m=64,n=64,k=64)");
  AddTask(LoadTask("matmul(m=32,n=32,k=32)", MakeTarget({"llvm", {}})), 1, list);
  SearchRequest request = Request("random", "analytical", 16);
  request.scheduler = {"last", {}};
  AssembledSearch search(request, list, catalog, kClock, nullptr);
  const auto store = MakeMemoryStore();
  TrialsObserver observer;
  const auto done = search.Run(*search.MakeMeasurer(), *store, observer);
  EXPECT_EQ(done.at(0).trials, 0);
  EXPECT_EQ(done.at(1).trials, 16);
  EXPECT_THROW(AssembledSearch(request, list, BuiltinCatalog(), kClock, nullptr), InputError);
}

// Writes a message when it is made, and with each proposal.
class TalkativeAgent : public Agent {
 public:
  explicit TalkativeAgent(const AgentContext& context) : context_(context) { context.say("made"); }
  std::vector<Proposal> Propose(int task, int) override {
    context_.say("asked");
    Rng rng(++asked_);
    return {ProposalOf(context_.space.Sample(context_.setup.tasks[task].task, rng).value())};
  }

 private:
  AgentContext context_;
  uint64_t asked_ = 0;
};

class WarningsObserver : public TuneObserver {
 public:
  void OnWarning(const WarningEvent& event) override { warnings.push_back(WarningText(event)); }
  std::vector<std::string> warnings;
};

TEST(AssembledSearchTest, WhatAnAgentSaysIsARemarkBeforeTheSearchOrWhileItRuns) {
  Catalog catalog = BuiltinCatalog();
  catalog.agents.Add({"talkative", "", "", [](const AgentContext& context) {
                        return std::make_unique<TalkativeAgent>(context);
                      }});
  const TaskList list = ListOf("matmul(m=64,n=64,k=64)");
  AssembledSearch search(Request("talkative", "analytical", 2), list, catalog, kClock, nullptr);
  EXPECT_THAT(search.warnings(), ElementsAre("made"));
  WarningsObserver observer;
  search.Run(*search.MakeMeasurer(), *MakeMemoryStore(), observer);
  EXPECT_THAT(observer.warnings, ElementsAre("asked", "asked"));
  EXPECT_EQ(search.warnings().size(), 1U);
}

TEST(AssembledSearchTest, OldNamesInAProtocolAreToldBeforeTheSearch) {
  SearchRequest request = Request("random", "analytical", 1);
  request.protocol = ParseSpec("cpu1(sentinel_drift=0.1)").value();
  const Catalog catalog = BuiltinCatalog();
  const AssembledSearch search(request, ListOf("matmul(m=64,n=64,k=64)"), catalog, kClock, nullptr);
  EXPECT_THAT(search.warnings(),
              ElementsAre("protocol: 'sentinel_drift' is an old name of 'control_drift'"));
}

TEST(AssembledSearchTest, EqualRequestsGiveEqualSearches) {
  const TaskList list = ListOf("matmul(m=64,n=64,k=64)");
  TrialsObserver first, second;
  RunToEnd(Request("ansor", "analytical", 40), list, *MakeMemoryStore(), first);
  RunToEnd(Request("ansor", "analytical", 40), list, *MakeMemoryStore(), second);
  ASSERT_EQ(first.records.size(), second.records.size());
  for (size_t i = 0; i < first.records.size(); ++i) {
    EXPECT_EQ(first.records[i].trace, second.records[i].trace);
  }
}

// Results of one measurer do not count for another.
TEST(AssembledSearchTest, SearchesGoOnFromWhatTheirOwnMeasurerGave) {
  const auto store = MakeMemoryStore();
  const auto spec = RequireSpec("measure", TableText("conv2d"));
  const TaskList list = OnlyTasksOf(*BuiltinCatalog().measurers.Find(spec)(spec));
  TrialsObserver observer;
  RunToEnd(Request("random", TableText("conv2d"), 20), list, *store, observer);
  const auto again = RunToEnd(Request("random", TableText("conv2d"), 5), list, *store, observer);
  EXPECT_EQ(again.at(0).known, 20);
  ASSERT_TRUE(again.at(0).known_best);
  EXPECT_EQ(MeasurerOf(again.at(0).known_best->measurement), "table");
  const auto other = RunToEnd(Request("random", "analytical", 5), list, *store, observer);
  EXPECT_EQ(other.at(0).known, 0);
  EXPECT_FALSE(other.at(0).known_best);
}

TEST(AssembledSearchTest, ATableImpliesItsSpace) {
  const auto spec = RequireSpec("measure", TableText("conv2d"));
  const TaskList list = OnlyTasksOf(*BuiltinCatalog().measurers.Find(spec)(spec));
  const auto store = MakeMemoryStore();
  TrialsObserver observer;
  const auto done = RunToEnd(Request("random", TableText("conv2d"), 30), list, *store, observer);
  EXPECT_EQ(done.at(0).trials, 30);
  for (const Record& record : observer.records) EXPECT_EQ(record.space, "table");
  SearchRequest request = Request("random", TableText("conv2d"), 30);
  request.space = Spec{"ansor", {}};
  EXPECT_THROW(AssembledSearch(request, list, BuiltinCatalog(), kClock, nullptr), InputError);
  request.space = Spec{"table", {}};
  AssembledSearch(request, list, BuiltinCatalog(), kClock, nullptr);
}

TEST(AssembledSearchTest, WhatIsAskedWrongIsRefused) {
  EXPECT_THAT(RefusalOf(Request("randon", "analytical", 5)), HasSubstr("unknown agent 'randon'"));
  EXPECT_THAT(RefusalOf(Request("random", "analytic", 5)), HasSubstr("did you mean 'analytical'"));
  EXPECT_THAT(RefusalOf(Request("random", "analytical", 0)), HasSubstr("trials: found 0"));
  SearchRequest request = Request("random", "analytical", 5);
  request.seconds = -1;
  EXPECT_THAT(RefusalOf(request), HasSubstr("seconds: found -1"));
  request = Request("random", "analytical", 50);
  request.refine = RequireSpec("refine", "ansor(trials=5)");
  EXPECT_EQ(RefusalOf(request), "unknown refiner 'ansor': expected droplet");
  request.refine = RequireSpec("refine", "droplet(trials=50)");
  EXPECT_THAT(RefusalOf(request), HasSubstr("refine: found trials=50"));
  request = Request("random", "analytical", 5);
  request.space = Spec{"nowhere", {}};
  EXPECT_THAT(RefusalOf(request), HasSubstr("unknown space 'nowhere'"));
  request = Request("random", "analytical", 5);
  request.scheduler = {"nobody", {}};
  EXPECT_THAT(RefusalOf(request), HasSubstr("unknown scheduler 'nobody'"));
  EXPECT_THROW(OnlyTasksOf(*BuiltinCatalog().measurers.Find({"host", {}})({"host", {}})),
               InputError);
}

}  // namespace
}  // namespace schedulegym
