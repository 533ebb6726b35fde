#include "agents/cost/model_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "agents/cost/boosted_cost_model.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

Spec ParsedModel(const std::string& text) { return ParseSpec(text).value(); }

std::string ModelFault(const Spec& spec) {
  return InputFaultOf([&] { MakeModel({spec, Rng(1)}); });
}

// Schedules of a small product, the first the fastest.
std::vector<MeasuredState> Measured(int count, const Target& target = Avx2Target(2)) {
  const auto space = MakeAnsorSpace(ParsedModel("ansor"));
  const auto task = WorkloadTask("matmul(m=32,n=32,k=32)", target);
  Rng rng(1);
  std::vector<MeasuredState> measured;
  while (static_cast<int>(measured.size()) < count) {
    Result<ScheduleState> state = space->Sample(task, rng);
    if (state) measured.push_back({*state, StateKey(*state), 1e-6 * (1.0 + measured.size())});
  }
  return measured;
}

std::vector<StateFeatures> Features(const std::vector<MeasuredState>& measured) {
  std::vector<StateFeatures> features;
  for (const MeasuredState& one : measured) features.emplace_back(one.state);
  return features;
}

TEST(ModelRegistryTest, EveryModelScoresASchedule) {
  const std::vector<MeasuredState> measured = Measured(12);
  for (const auto& entry : BuiltinModels()) {
    const auto model = MakeCostModel({ParsedModel(entry.name), Rng(1)});
    model->Learn(measured);
    for (const auto& one : model->Predict(Features(measured))) {
      EXPECT_TRUE(one.has_value()) << entry.name;
    }
  }
}

// Ratios of speeds are ratios of seconds, not of exponentials of scores.
TEST(ModelRegistryTest, TheEstimateSaysSpeed) {
  const std::vector<MeasuredState> measured = Measured(4);
  for (const char* name : {"analytical", "analytical(version=2)", "tuna(fitted=false)"}) {
    const auto model = MakeCostModel({ParsedModel(name), Rng(1)});
    for (const auto& one : model->Predict(Features(measured))) {
      EXPECT_DOUBLE_EQ(one->speed.value() * one->seconds.value(), 1) << name;
    }
  }
}

// Each part adds time or a penalty, so that no schedule is slower without it. Without a part that
// counts everywhere some schedules are faster.
TEST(ModelRegistryTest, TheEstimateMayLeaveAPartOut) {
  struct Case {
    Target target;
    std::vector<std::string> names, everywhere;
  };
  for (const Case& one : {Case{Avx2Target(2), {"spill", "chain", "l2", "l3", "memory"}, {"loops"}},
                          Case{MakeTarget(ParsedModel("cuda(card=a100)")),
                               {"warp", "reuse", "registers", "traffic"},
                               {"occupancy", "compute"}}}) {
    const std::vector<StateFeatures> states = Features(Measured(24, one.target));
    const auto scores = [&](const std::string& model) {
      return ScoresOf(MakeCostModel({ParsedModel(model), Rng(1)})->Predict(states));
    };
    const auto whole = scores("analytical");
    EXPECT_EQ(scores("analytical(without=none)"), whole);
    const auto count_faster = [&](const std::string& name) {
      const auto partial = scores("analytical(without=" + name + ")");
      int faster = 0;
      for (size_t i = 0; i < whole.size(); ++i) {
        EXPECT_GE(*partial[i], *whole[i] * (1 - 1e-12)) << name;
        if (*partial[i] > *whole[i] * (1 + 1e-9)) ++faster;
      }
      return faster;
    };
    for (const std::string& name : one.names) count_faster(name);
    for (const std::string& name : one.everywhere) EXPECT_GT(count_faster(name), 0) << name;
  }
  EXPECT_THAT(ModelFault(ParsedModel("analytical(without=luck)")), testing::HasSubstr("without"));
}

TEST(ModelRegistryTest, EqualSeedsPredictEqually) {
  const std::vector<MeasuredState> measured = Measured(12);
  for (const auto& entry : BuiltinModels()) {
    std::vector<std::vector<std::optional<double>>> scores;
    for (int i = 0; i < 2; ++i) {
      const auto model = MakeCostModel({ParsedModel(entry.name), Rng(7)});
      model->Learn(measured);
      scores.push_back(ScoresOf(model->Predict(Features(measured))));
    }
    EXPECT_EQ(scores[0], scores[1]) << entry.name;
  }
}

TEST(ModelRegistryTest, WhatLearnsIsToldApart) {
  using Learning = std::unique_ptr<LearningModel>;
  EXPECT_TRUE(std::holds_alternative<Learning>(MakeModel({ParsedModel("boosted"), Rng(1)})));
  EXPECT_FALSE(std::holds_alternative<Learning>(MakeModel({ParsedModel("analytical"), Rng(1)})));
  EXPECT_FALSE(std::holds_alternative<Learning>(MakeModel({ParsedModel("random"), Rng(1)})));
}

TEST(ModelRegistryTest, AFileTellsItsOwnFeaturesAndLabel) {
  const TemporaryFolder folder;
  const std::vector<MeasuredState> measured = Measured(20);
  for (const char* options : {"features=ansor", "features=estimated,label=log-seconds"}) {
    MadeModel made = MakeModel({ParsedModel(std::string("boosted(") + options + ")"), Rng(1)});
    auto& teacher = std::get<std::unique_ptr<LearningModel>>(made);
    teacher->Learn(measured);
    const std::string path = folder.Path("trees.model");
    std::ofstream(path) << teacher->memory()->Save().value();
    for (const Spec& spec : {Spec{path, {}}, ParsedModel("boosted(file=\"" + path + "\")")}) {
      const auto model = MakeCostModel({spec, Rng(1)});
      const auto told = model->Predict(Features(measured));
      ASSERT_TRUE(told.at(0).has_value()) << options;
      EXPECT_EQ(ScoresOf(told), ScoresOf(teacher->Predict(Features(measured)))) << options;
      EXPECT_EQ(told[0]->speed.has_value(), std::string(options).ends_with("log-seconds"));
    }
  }
}

TEST(ModelRegistryTest, WhatIsWrongIsNamed) {
  EXPECT_THAT(ModelFault(ParsedModel("bosted(trees=quick)")), testing::HasSubstr("boosted"));
  EXPECT_THAT(ModelFault(ParsedModel("boosted(label=flops)")), testing::HasSubstr("log-seconds"));
  EXPECT_THAT(ModelFault(ParsedModel("analytical(hertz=1)")), testing::HasSubstr("hertz"));
  EXPECT_THAT(ModelFault(ParsedModel("boosted(file=a.model,label=speed)")),
              testing::HasSubstr("found features, label or the size of trees beside file=a.model"));
  EXPECT_THAT(ModelFault(ParsedModel("nowhere.model")), testing::HasSubstr("nowhere.model"));
  EXPECT_THAT(ModelFault(ParsedModel("nowhere.model")), testing::HasSubstr("a model is boosted"));
}

}  // namespace
}  // namespace schedulegym
