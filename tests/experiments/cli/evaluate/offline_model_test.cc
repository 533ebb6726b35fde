#include "experiments/cli/evaluate/offline_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cost/boosted_trees.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "experiments/cli/evaluate/offline_evaluation.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/experiments/cli/evaluate/made_programs.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kQuick = "boosted(rounds=40,depth=4)";

std::string TreesOf(const std::string& word) {
  const std::vector<TaskPrograms> tasks = {MadePrograms("matmul(m=64,n=64,k=64)", 80, 1),
                                           MadePrograms("matmul(m=128,n=32,k=64)", 80, 2)};
  return TrainTrees(tasks, *MakeOfflineModel(word, Rng(0)).untrained, {});
}

double PairsOf(CostModel& model) {
  const TaskPrograms tested = MadePrograms("matmul(m=96,n=64,k=96)", 60, 3);
  EvaluatedTask task = MeasuredTask(tested);
  Predict(ReplaySuccesses(tested, {}), model, &task);
  return PairwiseAccuracy(task.programs.scores, task.programs.value_seconds);
}

TEST(OfflineModelTest, AnalyticalOrdersWhatItMade) {
  const OfflineModel model = MakeOfflineModel("analytical", Rng(0));
  EXPECT_EQ(model.untrained, nullptr);
  EXPECT_EQ(PairsOf(*model.model), 1);
}

TEST(OfflineModelTest, RandomIsAtChance) {
  const double pairs = PairsOf(*MakeOfflineModel("random", Rng(0)).model);
  EXPECT_GT(pairs, 0.35);
  EXPECT_LT(pairs, 0.65);
}

TEST(OfflineModelTest, TreesLearnFromOtherShapes) {
  const OfflineModel model = WithTrees(kQuick, TreesOf(kQuick));
  EXPECT_EQ(model.untrained, nullptr);
  EXPECT_GT(PairsOf(*model.model), 0.8);
}

TEST(OfflineModelTest, AFileSaysWhatItsTreesAreOf) {
  const TemporaryFolder folder;
  for (const char* options : {"features=ansor", "features=estimated,label=log-seconds"}) {
    const std::string path = folder.Path("trees.model");
    const std::string word = std::string("boosted(rounds=20,") + options + ")";
    OutputFile file(path, KeptFile::kLearned);
    file.Write(ToBytes({kBoostedKind, TreesOf(word)}));
    file.Commit();
    EXPECT_EQ(MakeOfflineModel(path, Rng(0)).untrained, nullptr) << options;
    EXPECT_GT(PairsOf(*MakeOfflineModel("boosted(file=" + path + ")", Rng(0)).model), 0.6);
  }
}

TEST(OfflineModelTest, RefusesWhatIsNoModel) {
  const auto fault = [](const std::string& word) {
    return InputFaultOf([&] { MakeOfflineModel(word, Rng(0)); });
  };
  EXPECT_THAT(fault("boosed"), AllOf(HasSubstr("boosted"), HasSubstr("--save-model")));
  EXPECT_THAT(fault("boosted(depth=0)"), HasSubstr("depth"));
  EXPECT_THAT(fault("boosted(label=rank)"), HasSubstr("label"));
  EXPECT_THAT(fault("random(seed=1)"), HasSubstr("seed"));
  const TemporaryFolder folder;
  WriteOutput(folder.Path("x"), "schedulegym memory: harl 2\nno trees");
  EXPECT_THAT(fault(folder.Path("x")), HasSubstr("boosted 1"));
}

TEST(TrainTreesTest, TakesFailuresAsTheSlowest) {
  TaskPrograms programs = MadePrograms("matmul(m=64,n=64,k=64)", 40, 1);
  programs.failures.assign(programs.successes.begin() + 20, programs.successes.end());
  programs.successes.resize(20);
  OfflineModel model = MakeOfflineModel(kQuick, Rng(0));
  EXPECT_NE(TrainTrees({&programs, 1}, *model.untrained, {}), "");
  EXPECT_EQ(model.untrained->progress().samples, 40);
}

TEST(FindOverlapTest, FindsTasksThatAreNear) {
  const std::vector<TaskPrograms> trained = {MadePrograms("matmul(m=64,n=64,k=64)", 2, 1)};
  const auto overlap = [&](const char* workload) {
    const TaskPrograms tested = MadePrograms(workload, 2, 1);
    return FindOverlap(trained, {&tested, 1}).value_or("none");
  };
  EXPECT_THAT(overlap("matmul(m=64,n=64,k=64)"), HasSubstr("trained on matmul(m=64"));
  EXPECT_THAT(overlap("matmul(m=60,n=64,k=64)"), HasSubstr("trained on matmul(m=64"));
  EXPECT_EQ(overlap("matmul(m=32,n=64,k=64)"), "none");
}

TEST(RefuseTestTasksTest, NamesATaskOfATestSplit) {
  const TaskPrograms test = MadePrograms("softmax(n=1,m=1000)", 2, 1);
  EXPECT_THAT(InputFaultOf([&] {
                RefuseTestTasks({&test, 1});
              }),
              HasSubstr("near softmax(n=1,m=1000)"));
  TaskPrograms file = test;
  file.info.workload = "mine.dag";
  EXPECT_THAT(InputFaultOf([&] {
                RefuseTestTasks({&file, 1});
              }),
              HasSubstr("found mine.dag, which computes softmax(n=1,m=1000)"));
  const TaskPrograms own = MadePrograms("softmax(n=3,m=700)", 2, 1);
  EXPECT_EQ(InputFaultOf([&] { RefuseTestTasks({&own, 1}); }), "");
}

}  // namespace
}  // namespace schedulegym
