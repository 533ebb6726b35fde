#include "experiments/cli/bench/bench_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

BenchRow SampleRow() {
  BenchRow row;
  row.workload = "conv2d(h=3)";
  row.group = "C2D";
  row.grade = "B";
  row.cores = 2;
  row.seconds = 0.5;
  row.gflops = 8;
  row.any = {{{"openblas", "", 0.75, 1, {}}, {"onednn", "", 0.25, 1, {}}},
             RatioInterval{0.5, 0.25, 0.75},
             "onednn"};
  row.plain = {{{"openblas", "", 0.75, 1, {}}}, RatioInterval{1.5, 1.25, 1.75}, "openblas"};
  return row;
}

// JSON from text with single quotes.
std::string Json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

TEST(BenchEventsTest, ARowHasBothSides) {
  const std::string text = ToJson(RowFields(SampleRow()));
  EXPECT_THAT(text, StartsWith(Json("{'workload':'conv2d(h=3)','cores':2,'seconds':0.5,"
                                    "'gflops':8.0,'peers':{'openblas':0.75,'onednn':0.25},"
                                    "'ratio':0.5,'ratio_low':0.25,'ratio_high':0.75,"
                                    "'peak_gflops':null,'peak_fraction':null,")));
  EXPECT_THAT(text, HasSubstr(Json("'best_peer':'onednn'")));
  EXPECT_THAT(text, HasSubstr(Json("'group':'C2D'")));
  EXPECT_THAT(text, HasSubstr(Json("'grade':'B'")));
  EXPECT_THAT(text, HasSubstr(Json("'plain_peers':{'openblas':0.75},'ratio_plain':1.5,"
                                   "'ratio_plain_low':1.25,'ratio_plain_high':1.75,"
                                   "'best_plain_peer':'openblas'")));
}

TEST(BenchEventsTest, ARowWithoutPeersHasNullsForThem) {
  const std::string text = ToJson(RowFields({}));
  EXPECT_THAT(text, HasSubstr(Json("'peers':{},'ratio':null,'ratio_low':null,'ratio_high':null")));
  EXPECT_THAT(text, HasSubstr(Json("'plain_peers':{},'ratio_plain':null")));
  EXPECT_THAT(text, HasSubstr(Json("'best_peer':null")));
  EXPECT_THAT(text, HasSubstr(Json("'failure':null")));
}

TEST(BenchEventsTest, ARowHasTheEffortAsFarAsItIsKnown) {
  BenchRow row = SampleRow();
  const auto effort = [&] {
    const std::string text = ToJson(RowFields(row));
    const size_t begin = text.find(Json("'trials'"));
    return text.substr(begin, text.find(Json(",'grade'")) - begin);
  };
  EXPECT_EQ(effort(), Json("'trials':null,'search_seconds':null,'trials_per_second':null"));
  row.effort = SearchEffort{100, 0};
  EXPECT_EQ(effort(), Json("'trials':100,'search_seconds':null,'trials_per_second':null"));
  row.effort = SearchEffort{100, 8};
  EXPECT_EQ(effort(), Json("'trials':100,'search_seconds':8.0,'trials_per_second':12.5"));
}

TEST(BenchEventsTest, ARowSaysWhyItsSearchEnded) {
  BenchRow row = SampleRow();
  EXPECT_THAT(ToJson(RowFields(row)), HasSubstr(Json("'stopped':null}")));
  row.effort = SearchEffort{100, 8};
  EXPECT_THAT(ToJson(RowFields(row)), HasSubstr(Json("'stopped':null}")));
  row.effort->stopped = "seconds";
  EXPECT_THAT(ToJson(RowFields(row)), HasSubstr(Json("'stopped':'seconds'}")));
}

TEST(BenchEventsTest, ASummaryHasGroupsAndTheWorst) {
  BenchRow row = SampleRow();
  row.effort = SearchEffort{5, 2};
  BenchSummary summary = Summarize({&row, 1}, 2.5);
  summary.left_out = {"norm(n=2,m=2)"};
  const std::string worst = Json(
      "'worst':{'workload':'conv2d(h=3)','ratio':0.5},"
      "'worst_plain':{'workload':'conv2d(h=3)','ratio':1.5}");
  EXPECT_EQ(ToJson(SummaryFields(summary, {"schedulegym bench", 7.5, "a machine"})),
            Json("{'rows':1,'geomean_ratio':0.5,'elapsed':2.5,'failures':0,"
                 "'geomean_ratio_plain':1.5,") +
                worst +
                Json(",'groups':{'C2D':{'rows':1,'geomean_ratio':0.5,'geomean_ratio_plain':1.5,") +
                worst +
                Json("}},'trials_per_second':2.5,'left_out':['norm(n=2,m=2)'],"
                     "'command':'schedulegym bench','started':7.5,'machine':'a machine'}"));
}

TEST(BenchEventsTest, ANetworkHasItsSums) {
  BenchRow row = SampleRow();
  EXPECT_THAT(ToJson(SummaryFields(Summarize({&row, 1}, 0), {})), Not(HasSubstr("network")));
  row.count = 3;
  EXPECT_THAT(ToJson(RowFields(row)), HasSubstr(Json("'count':3.0")));
  const std::string text = ToJson(SummaryFields(Summarize({&row, 1}, 0), {}));
  EXPECT_THAT(text, HasSubstr(Json("'network':{'seconds':")));
}

TEST(BenchEventsTest, ASummaryOfNothingHasNulls) {
  const std::string text = ToJson(SummaryFields({}, {}));
  EXPECT_THAT(text, HasSubstr(Json("'geomean_ratio':null")));
  EXPECT_THAT(text, HasSubstr(Json("'worst':null")));
  EXPECT_THAT(text, HasSubstr(Json("'groups':{}")));
}

TEST(BenchEventsTest, ThroughputHasThePhasesOfDoneATrial) {
  DoneEvent done;
  done.trials = 4;
  done.ok = 3;
  done.elapsed = 2;
  done.time.propose = 0.5;
  done.time.measure = 1;
  done.time.wait = 0.25;
  done.time.wait_lock = 0.125;
  done.time.wait_calm = 0.125;
  done.time.other = 0.25;
  const ThroughputRow row = {"softmax(n=8,m=8)", "collect", 2};
  EXPECT_EQ(ToJson(ThroughputFields(row, done)),
            Json("{'workload':'softmax(n=8,m=8)','cores':2,'trials':4,'ok':3,'elapsed':2.0,"
                 "'trials_per_second':2.0,'propose':0.125,'compile':0.0,'verify':0.0,"
                 "'measure':0.25,'store':0.0,'wait':0.0625,'wait_lock':0.03125,"
                 "'wait_calm':0.03125,'wait_workers':0.0,'other':0.0625,'agent':'collect'}"));
  const std::string text = ThroughputText(row, done);
  EXPECT_THAT(text, StartsWith("throughput, 2 cores: 2.0 trials/s (3 of 4 ok) of softmax(n=8,m=8), "
                               "agent collect; each: propose 125"));
  EXPECT_THAT(text, HasSubstr("other 62.5"));
}

}  // namespace
}  // namespace schedulegym
