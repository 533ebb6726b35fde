#include "agents/evolution/learned_models.h"

#include <gtest/gtest.h>

#include <fstream>

#include "env/base/fault.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class LearnedModelsTest : public testing::Test {
 protected:
  static LearnedModels Make(const std::string& spec, int tasks = 1, const StopToken& stop = {}) {
    const AnsorOptions options = ReadAnsorOptions(ParseSpec(spec).value());
    const std::vector<SearchTask> alike(tasks, SearchTask{VectorTask(4096)});
    return MakeLearnedModels(options, ModelOfEachTask(options.models, alike), Rng(1), stop).value();
  }

  // Schedules in pieces of 1 to 100 elements; the shortest are the fastest.
  MeasuredState Measured(int number, const Key& key = {}) const {
    const auto state =
        Apply(ScheduleState::Initial(task_), Split{{1}, 0, {1 + number % 100}}).value();
    return {state, key, 1e-6 * (1 + number % 100)};
  }

  void Learn(LearnedModels& models, int count, int task = 0) {
    for (int i = 0; i < count; ++i) {
      models.Learn(task, Measured(i, {static_cast<uint64_t>(task), next_++}));
    }
  }

  bool Evaluates(LearnedModels& models, int task = 0) const {
    const std::vector<StateFeatures> states = {StateFeatures(Measured(3).state)};
    return models.Predict(task, states).at(0).has_value();
  }

  const std::shared_ptr<const Task> task_ = VectorTask(4096);
  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("model.json");
  uint64_t next_ = 0;  // of the keys
};

TEST_F(LearnedModelsTest, AreTrustedOfMoreThanPublishedOrSoonerInTheFastMode) {
  for (const auto& [spec, least] : {std::pair{"ansor(mode=faithful)", 101}, {"ansor", 49}}) {
    LearnedModels models = Make(spec, 2);
    Learn(models, least - 1);
    EXPECT_FALSE(models.IsTrusted(0)) << spec;
    Learn(models, 1, 1);
    EXPECT_TRUE(models.IsTrusted(0)) << spec << ": counted over all tasks";
  }
}

TEST_F(LearnedModelsTest, MayBeOfEachTask) {
  LearnedModels models = Make("ansor(models=task)", 2);
  Learn(models, 49, 1);
  EXPECT_TRUE(models.IsTrusted(1));
  EXPECT_FALSE(models.IsTrusted(0));
  EXPECT_TRUE(Evaluates(models, 1));
  EXPECT_FALSE(Evaluates(models, 0));
}

TEST_F(LearnedModelsTest, MayBeOfEachKindOfTask) {
  const auto sum = std::make_shared<const Task>(
      Task{DagOf("input A[64, 8]\nC[i:64] = sum(r:8) A[i, r]\n"), Target{}, "sums"});
  const std::vector<SearchTask> tasks = {{VectorTask(64)}, {sum}, {VectorTask(128)}};
  EXPECT_EQ(ModelOfEachTask(AnsorModels::kFamily, tasks), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(ModelOfEachTask(AnsorModels::kTask, tasks), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(ModelOfEachTask(AnsorModels::kRun, tasks), (std::vector<int>{0, 0, 0}));
  LearnedModels models = Make("ansor(models=family)", 2);
  Learn(models, 49, 1);
  EXPECT_TRUE(models.IsTrusted(0)) << "both are of one kind";
}

// Two convolutions, one of them a matrix product in effect, are one workload and two forms.
TEST_F(LearnedModelsTest, KindsMayBeFormsOfTheText) {
  std::vector<SearchTask> tasks;
  for (const char* workload :
       {"conv2d(h=8,w=8,ci=4,co=4,k=3,p=1)", "conv2d(h=8,w=8,ci=4,co=4,k=1,p=0)",
        "conv2d(h=16,w=16,ci=4,co=8,k=3,p=1)"}) {
    tasks.push_back({WorkloadTask(workload, Avx2Target(2))});
  }
  EXPECT_EQ(ModelOfEachTask(AnsorModels::kFamily, tasks), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(ModelOfEachTask(AnsorModels::kForm, tasks), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(ReadAnsorOptions(ParseSpec("ansor(models=family,by=form)").value()).models,
            AnsorModels::kForm);
}

// FamilySeer: size of the family times the trials of a round.
TEST_F(LearnedModelsTest, WarmUpIsOfEachTaskOfAModel) {
  LearnedModels family = Make("ansor(models=family,warm_up=20)", 3);
  Learn(family, 60);
  EXPECT_FALSE(family.IsTrusted(1));
  Learn(family, 1);
  EXPECT_TRUE(family.IsTrusted(1));
  LearnedModels task = Make("ansor(models=task,warm_up=20)", 3);
  Learn(task, 21, 1);
  EXPECT_TRUE(task.IsTrusted(1));
  EXPECT_FALSE(task.IsTrusted(0));
}

TEST_F(LearnedModelsTest, AreSavedAsOneThatKnowsWhatAllDo) {
  LearnedModels run = Make("ansor", 2), task = Make("ansor(models=task)", 2);
  EXPECT_EQ(run.Save(), std::nullopt);
  EXPECT_EQ(task.Save(), std::nullopt);
  for (LearnedModels* models : {&run, &task}) {
    Learn(*models, 30, 0);
    Learn(*models, 20, 1);
  }
  ASSERT_TRUE(run.Save().has_value());
  EXPECT_EQ(task.Save(), run.Save());
  LearnedModels later = Make("ansor");
  later.Load(*run.Save());
  EXPECT_TRUE(Evaluates(later));
}

// As published at the first sample, or above a hundred.
TEST_F(LearnedModelsTest, AFilesTreesAreTrustedUntilATrainingReplacesThem) {
  LearnedModels teacher = Make("ansor");
  Learn(teacher, 60);
  std::ofstream(path_) << *teacher.Save();
  for (const auto& [mode, least] : {std::pair{"faithful", 1}, {"fast", 101}}) {
    LearnedModels models =
        Make(std::string("ansor(features=estimated,mode=") + mode + ",model=\"" + path_ + "\")");
    EXPECT_TRUE(models.IsTrusted(0));
    Learn(models, least - 1);
    EXPECT_TRUE(Evaluates(models));
    EXPECT_EQ(models.progress(0).trainings, 0) << mode;
    Learn(models, 1);
    EXPECT_TRUE(Evaluates(models));
    EXPECT_EQ(models.progress(0).trainings, 1) << mode;
  }
}

TEST_F(LearnedModelsTest, WhatIsLearnedAgainTakesThePlaceOfTheFirst) {
  LearnedModels revised = Make("ansor"), right = Make("ansor");
  for (int i = 0; i < 20; ++i) {
    const Key key = {1, static_cast<uint64_t>(i)};
    MeasuredState wrong = Measured(i, key);
    wrong.seconds = i == 7 ? std::nullopt : std::optional(1e-9);
    revised.Learn(0, wrong);
    right.Learn(0, Measured(i, key));
  }
  ASSERT_NE(revised.Save(), right.Save());
  LearnedModels again = Make("ansor");
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < 20; ++i) {
      MeasuredState measured = Measured(i, {1, static_cast<uint64_t>(i)});
      if (pass == 0) measured.seconds = 1e-9;
      again.Learn(0, measured);
    }
  }
  EXPECT_EQ(again.Save(), right.Save());
}

TEST_F(LearnedModelsTest, MayBeWhatASpecNames) {
  LearnedModels logs = Make("ansor(model=boosted(label=log-seconds,features=ansor))");
  Learn(logs, 60);
  const std::vector<StateFeatures> states = {StateFeatures(Measured(3).state)};
  EXPECT_TRUE(logs.Predict(0, states).at(0)->speed.has_value());
}

TEST_F(LearnedModelsTest, AFileThatIsNoneIsRefused) {
  EXPECT_THROW(Make("ansor(model=nowhere)"), InputError);
}

TEST_F(LearnedModelsTest, TrainingIsGivenUpWhereItIsToStop) {
  std::atomic<bool> stop = false;
  LearnedModels models = Make("ansor", 1, StopToken(&stop));
  Learn(models, 20);
  stop = true;
  EXPECT_THROW(Evaluates(models), Interrupted);
  EXPECT_TRUE(models.Save().has_value()) << "what was learned is kept all the same";
}

// The states are equal; with one core the models are trained one after another.
TEST_F(LearnedModelsTest, ThreadsChangeNoWeight) {
  std::vector<std::string> saved;
  for (const int cores : {1, 2}) {
    Target target;
    target.cores = cores;
    const auto task = std::make_shared<const Task>(Task{task_->dag, target, "vector"});
    LearnedModels models = Make("ansor(models=task)", 2);
    Learn(models, 60, 0);
    Learn(models, 60, 1);
    const std::vector<StateFeatures> states = {StateFeatures(ScheduleState::Initial(task))};
    EXPECT_TRUE(models.Predict(0, states).at(0).has_value());
    EXPECT_EQ(models.progress(1).trainings, 1) << "trained at once with the other";
    saved.push_back(models.Save().value());
    next_ = 0;
  }
  EXPECT_EQ(saved[0], saved[1]);
}

}  // namespace
}  // namespace schedulegym
