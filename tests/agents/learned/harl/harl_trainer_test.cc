#include "agents/learned/harl/harl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/common/best_states.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/learned/checkpoint.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr const char* kMatmul = "matmul(m=64,n=64,k=64)";
constexpr const char* kConvolution = "conv2d(h=14,w=14,ci=16,co=16,k=3,s=1,p=1)";

// In the space `ansor`.
class Training {
 public:
  explicit Training(const std::string& more = "", uint64_t seed = 1,
                    const std::vector<std::string>& kinds = {kMatmul})
      : agent_(ParseSpec("harl(visits=480,stop_every=4,stop_least=10,hidden=16" + more + ")")
                   .value()) {
    TrainerContext context = {agent_, *space_, {}, Rng(seed)};
    for (const std::string& kind : kinds) context.kinds.push_back(TaskOf(kind));
    trainer_ = MakeHarlTrainer(context);
  }

  static std::shared_ptr<const Task> TaskOf(const std::string& workload) {
    return WorkloadTask(workload, Avx2Target(2));
  }
  static std::string FileIn(const std::string& name) {
    return testing::TempDir() + "harl_trainer_test_" + name;
  }

  Trainer& trainer() { return *trainer_; }
  const SearchSpace& space() const { return *space_; }
  Checkpoint Saved() {
    const std::string path = FileIn("saved.sgp");
    trainer_->Save(path);
    return ReadCheckpoint(path);
  }

 private:
  std::unique_ptr<SearchSpace> space_ = MakeAnsorSpace(ParseSpec("ansor").value());
  Spec agent_;
  std::unique_ptr<Trainer> trainer_;
};

TEST(HarlTrainerTest, ARoundTellsWhatItWasLike) {
  Training training;
  const auto round = training.trainer().Train(Training::TaskOf("matmul(m=32,n=128,k=96)"));
  ASSERT_TRUE(round);
  EXPECT_EQ(round->visits, 480);
  EXPECT_GE(round->best, 0) << "the starts are visited, too";
  EXPECT_LT(round->step, round->best);
  EXPECT_GT(round->entropy, 0);
  EXPECT_FALSE(round->diverged);
}

TEST(HarlTrainerTest, EqualTrainingsGiveEqualPolicies) {
  const auto saved = [](uint64_t seed) {
    Training training("", seed);
    training.trainer().Train(Training::TaskOf("matmul(m=64,n=64,k=64)"));
    training.trainer().Train(Training::TaskOf("matmul(m=32,n=128,k=96)"));
    return training.Saved();
  };
  EXPECT_EQ(saved(1), saved(1));
  EXPECT_NE(saved(1), saved(2));
}

TEST(HarlTrainerTest, WhatHasMoreKnobsThanTheKindsIsNotTaken) {
  Training training;
  const Checkpoint before = training.Saved();
  EXPECT_FALSE(training.trainer().Train(Training::TaskOf(kConvolution)));
  EXPECT_EQ(training.Saved(), before);
}

// Proposals of a search of another task that starts from the file, or its error.
std::string Begun(const std::string& file, const std::string& workload) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const AgentMaker maker({HarlEntry()}, {});
  const AgentSetup setup = {
      .agent =
          ParseSpec("harl(visits=200,stop_every=4,stop_least=10,hidden=16,policy=\"" + file + "\")")
              .value(),
      .tasks = {{Training::TaskOf(workload)}}};
  const SteadyClock clock;
  try {
    const auto agent = maker.Make(
        {.setup = setup, .space = *space, .rng = Rng(1), .maker = maker, .clock = clock});
    return std::to_string(agent->Propose(0, 8).size());
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(HarlTrainerTest, SearchesOfWhateverItHasRoomForBeginWithIt) {
  const std::string file = Training::FileIn("begun.sgp");
  Training("", 1, {kMatmul, kConvolution}).trainer().Save(file);
  EXPECT_EQ(Begun(file, "matmul(m=128,n=32,k=64)"), "8") << "with fewer tiles";
  EXPECT_EQ(Begun(file, "conv2d(h=7,w=7,ci=32,co=8,k=3,s=1,p=1)"), "8");
  Training().trainer().Save(file);
  EXPECT_EQ(Begun(file, "matmul(m=128,n=32,k=64)"), "8");
  EXPECT_THAT(Begun(file, kConvolution),
              AllOf(HasSubstr("policy '" + file + "': "), HasSubstr("another policy"),
                    HasSubstr("space ansor, target llvm")));
}

TEST(HarlTrainerTest, GoesOnFromAPolicy) {
  const std::string file = Training::FileIn("on.sgp");
  Training first;
  first.trainer().Train(Training::TaskOf("matmul(m=64,n=64,k=64)"));
  first.trainer().Save(file);
  Training second(",policy=\"" + file + "\"");
  const auto& weights = [](const Checkpoint& saved) {
    return saved.FloatsOf("policy.0.0.actor.1", {16}).values;
  };
  EXPECT_EQ(weights(second.Saved()), weights(first.Saved()));
}

// Trees that predict the first drawn as the fastest, or as the slowest.
std::string TreesFile(const std::string& name, bool first_is_fastest, ModelFeatures features) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  Rng rng(5);
  const std::vector<DrawnState> drawn =
      DrawStates(*space, Training::TaskOf(kMatmul), /*draws=*/64, /*threads=*/1, rng);
  std::vector<MeasuredState> measured;
  for (size_t i = 0; i < drawn.size(); ++i) {
    const double place = static_cast<double>(first_is_fastest ? i : drawn.size() - i);
    measured.push_back({drawn[i].state, drawn[i].trace, 1e-3 * (1 + place)});
  }
  BoostedCostModel trees({TrainingCadence::kAlways, BoostingOptions::Quick(), features});
  trees.Learn(measured);
  OutputFile file(Training::FileIn(name), KeptFile::kLearned);
  file.Write(ToBytes({kBoostedKind, trees.ToText().value()}));
  file.Commit();
  return file.path();
}

TEST(HarlTrainerTest, TreesOfAFilePayInPlaceOfTheEstimate) {
  const auto saved = [](const std::string& model) {
    Training training(model.empty() ? "" : ",model=\"" + model + "\"");
    training.trainer().Train(Training::TaskOf("matmul(m=64,n=64,k=64)"));
    return training.Saved();
  };
  const std::string one = TreesFile("one.sgm", true, ModelFeatures::kEstimated);
  const std::string other = TreesFile("other.sgm", false, ModelFeatures::kEstimated);
  EXPECT_EQ(saved(one), saved(one));
  EXPECT_NE(saved(one), saved(other));
  EXPECT_NE(saved(one), saved(""));
  EXPECT_EQ(saved("analytical"), saved(""));
}

TEST(HarlTrainerTest, AFileWithoutSuchTreesIsRefused) {
  const std::string plain = TreesFile("plain.sgm", true, ModelFeatures::kAnsor);
  EXPECT_THROW(Training(",model=\"" + plain + "\""), InputError) << "they see other features";
  EXPECT_NO_THROW(Training(",features=ansor,model=\"" + plain + "\""));
  const std::string policy = Training::FileIn("no_trees.sgp");
  Training().trainer().Save(policy);
  EXPECT_THROW(Training(",model=\"" + policy + "\""), InputError);
  EXPECT_THROW(Training(",model=none.sgm"), InputError);
}

TEST(HarlTrainerTest, OptionsThatItHasNoUseForAreRefused) {
  for (const char* option : {",checkpoint=on.sgp", ",policy=sketch", ",moves=uniform"}) {
    EXPECT_THROW(Training{option}, InputError) << option;
  }
  EXPECT_THROW(Training(",interval=0"), InputError);
}

}  // namespace
}  // namespace schedulegym
