#include "env/program/workloads/program_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/analysis.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

const ProgramSplit& Named(const std::vector<ProgramSplit>& splits, const std::string& name) {
  return *std::find_if(splits.begin(), splits.end(),
                       [&](const ProgramSplit& split) { return split.name == name; });
}

// 96 + 24 + 83 + 8 tasks; two of the 83 are in two networks.
TEST(ProgramSplitTest, HasAllTasks) {
  const auto splits = ProgramSplits();
  EXPECT_EQ(Named(splits, "train").workloads.size(), 96u);
  EXPECT_EQ(Named(splits, "valid").workloads.size(), 24u);
  EXPECT_EQ(Named(splits, "networks").workloads.size(), 81u);
  EXPECT_EQ(Named(splits, "strange").workloads.size(), 8u);
}

TEST(ProgramSplitTest, DrawnTasksAreShort) {
  const auto splits = ProgramSplits();
  for (const char* name : {"train", "valid"}) {
    for (const Spec& workload : Named(splits, name).workloads) {
      EXPECT_LE(CountFlops(MakeWorkload(workload)), 1e9) << workload.ToText();
    }
  }
}

// Training uses no tested shape, nor one within a tenth of it.
TEST(ProgramSplitTest, NothingLeaks) {
  const auto splits = ProgramSplits();
  std::vector<TrainedTask> trained;
  for (const char* name : {"train", "valid"}) {
    for (const Spec& workload : Named(splits, name).workloads) {
      trained.push_back({workload.ToText(), MakeWorkload(workload).ToText()});
    }
  }
  EXPECT_EQ(FindLeak(trained).value_or("none"), "none");
  for (const Spec& train : Named(splits, "train").workloads) {
    for (const Spec& valid : Named(splits, "valid").workloads) {
      EXPECT_FALSE(IsNear(train, valid)) << train.ToText() << " " << valid.ToText();
    }
  }
}

TEST(ProgramSplitTest, FindsWhatLeaks) {
  const std::vector<TrainedTask> same = {{"softmax(n=1,m=1000)"}};
  EXPECT_EQ(FindLeak(same), "softmax(n=1,m=1000), near softmax(n=1,m=1000) of networks");
  const std::vector<TrainedTask> near = {{"softmax(n=1,m=950)"}};
  EXPECT_TRUE(FindLeak(near));
  const std::vector<TrainedTask> far = {{"softmax(n=1,m=800)"}, {"no workload"}};
  EXPECT_FALSE(FindLeak(far));
}

// A task is found despite different names of files and axes.
TEST(ProgramSplitTest, ATestTaskIsFoundByWhatItComputes) {
  const Spec test = Named(ProgramSplits(), "networks").workloads.front();
  std::string dag = MakeWorkload(test).ToText();
  const std::vector<TrainedTask> renamed = {{"mine.dag", "# my own\n" + dag}};
  EXPECT_EQ(FindLeak(renamed), "mine.dag, which computes " + test.ToText());
  const std::vector<TrainedTask> other = {
      {"mine.dag", MakeWorkload(*ParseWorkload("softmax(n=3,m=700)")).ToText()},
      {"torn.dag", dag.substr(0, dag.size() / 2)}};
  EXPECT_FALSE(FindLeak(other));
}

// An explicit default does not change the computation.
TEST(ProgramSplitTest, ATestTaskMayBeSpelledOtherwise) {
  const auto tests = TestComputations(ProgramSplits());
  const auto dag_of = [](const char* text) { return MakeWorkload(*ParseWorkload(text)).ToText(); };
  EXPECT_EQ(TestTaskOf(tests, dag_of("softmax(m=1000,n=1)")).value().ToText(),
            "softmax(n=1,m=1000)");
  EXPECT_FALSE(TestTaskOf(tests, dag_of("softmax(n=1,m=960)")));
  EXPECT_FALSE(TestTaskOf(tests, ""));
}

TEST(ProgramSplitTest, NearTestNamesTheTestedTask) {
  const auto splits = ProgramSplits();
  EXPECT_EQ(NearTest(splits, "softmax(n=1,m=1024)"), "softmax(n=1,m=1000) of networks");
  EXPECT_FALSE(NearTest(splits, "softmax(n=1,m=1280)"));
  EXPECT_FALSE(NearTest(splits, "no workload"));
  for (const Spec& workload : Named(splits, "train").workloads) {
    EXPECT_FALSE(NearTest(splits, workload.ToText())) << workload.ToText();
  }
}

TEST(ProgramSplitTest, ANumberThatIsLeftOutHasTheDefault) {
  const auto is_near = [](const char* a, const char* b) {
    const bool found = IsNear(*ParseWorkload(a), *ParseWorkload(b));
    EXPECT_EQ(found, IsNear(*ParseWorkload(b), *ParseWorkload(a)));
    return found;
  };
  const char* plain = "conv2d(h=28,w=28,ci=64,co=64,k=3,s=1,p=1)";
  EXPECT_TRUE(is_near(plain, "conv2d(n=1,h=28,w=28,ci=64,co=64,k=3,s=1,p=1,groups=1)"));
  EXPECT_FALSE(is_near(plain, "conv2d(h=28,w=28,ci=64,co=64,k=3,s=1,p=1,groups=4)"));
  EXPECT_FALSE(is_near(plain, "conv2d(n=16,h=28,w=28,ci=64,co=64,k=3,s=1,p=1)"));
}

TEST(ProgramSplitTest, WordsLeadToTheTasks) {
  for (const ProgramSplit& split : ProgramSplits()) {
    ASSERT_FALSE(split.words.empty());
    for (const std::string& word : split.words) {
      for (const WeightedWorkload& entry : ReadNetwork(word)) {
        EXPECT_THAT(split.workloads, testing::Contains(entry.workload)) << word;
      }
    }
  }
}

TEST(ProgramSplitTest, NamesTheSplitOfATask) {
  const std::vector<ProgramSplit> splits = ProgramSplits();
  EXPECT_EQ(SplitOf(splits, "softmax(n=1,m=1000)"), "networks");
  EXPECT_EQ(SplitOf(splits, "matmul(m=80,n=320,k=128)"), "train");
  EXPECT_EQ(SplitOf(splits, "matmul(m=3,n=3,k=3)"), std::nullopt);
}

TEST(SplitNetworkTest, CountsHowOftenANetworkRunsATask) {
  const std::vector<SplitNetwork> networks = SplitNetworks();
  ASSERT_EQ(networks.size(), 4u);
  EXPECT_EQ(networks[0].name, "resnet18");
  // One classifier, whose softmax runs once.
  EXPECT_EQ(CountIn(networks[0], "softmax(n=1,m=1000)"), 1);
  EXPECT_EQ(CountIn(networks[0], "softmax(n=1,m=999)"), 0);
  EXPECT_EQ(CountIn(networks[0], "no workload"), 0);
}

}  // namespace
}  // namespace schedulegym
