#include "agents/cost/network_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/model_state_file.h"

#include "tests/agents/scripted_measurer.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

TEST(HoldsNetworkTest, IsReadFromTheFirstLine) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("kind.model");
  const auto holds = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return HoldsNetwork(path);
  };
  EXPECT_FALSE(HoldsNetwork(path));
  EXPECT_TRUE(holds(ToBytes(SavedModelState{"scorer 1", "text"})));
  EXPECT_FALSE(holds(ToBytes(SavedModelState{"boosted 1", "{}"})));
  EXPECT_FALSE(holds("sch"));
  EXPECT_FALSE(HoldsNetwork("boosted"));
}

TEST(AsksForNetworkTest, OfTheOptionModelAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("network.model");
  std::ofstream(path, std::ios::binary) << ToBytes(SavedModelState{"scorer 1", "text"});
  const auto asks = [](const std::string& text) { return AsksForNetwork(ParseSpec(text).value()); };
  EXPECT_TRUE(asks("beam(width=4,model=\"" + path + "\")"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(path).parent_path());
  EXPECT_TRUE(asks("beam(model=network.model)")) << "without quotes";
  std::filesystem::current_path(before);
  EXPECT_FALSE(asks("beam(file=\"" + path + "\")"));
  EXPECT_FALSE(asks("beam(model=boosted)"));
  EXPECT_FALSE(asks("beam(model=boosted(rounds=8))"));
  EXPECT_FALSE(asks("beam"));
}

class SevenModel : public CostModel {
 public:
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    return std::vector<std::optional<Prediction>>(states.size(), Prediction{7});
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
};

// A network that learns is trained by itself; any other is combined with trees.
TEST(BeginWithTest, AsksTheNetworkWhetherItLearns) {
  const BoostedModelOptions options = TreesOfSearch(/*quick=*/true, ModelFeatures::kEstimated);
  const auto begun = [&](std::shared_ptr<CostModel> network) {
    return BeginWith(std::move(network), BoostedCostModel(options));
  };
  EXPECT_TRUE(begun(std::make_shared<SevenModel>())->progress().is_trained) << "by the network";
  const auto learning = std::make_shared<BoostedCostModel>(options);
  const std::unique_ptr<LearningModel> copy = begun(learning);
  EXPECT_NE(copy.get(), learning.get());
  EXPECT_FALSE(copy->progress().is_trained) << "a copy of untrained trees";
  EXPECT_EQ(SevenModel().learning(), nullptr);
  EXPECT_EQ(learning->learning(), learning.get());
}

class NetworkModelTest : public testing::Test {
 protected:
  static NetworkModel Make() {
    const BoostedModelOptions trees = TreesOfSearch(/*quick=*/true, ModelFeatures::kEstimated);
    return {std::make_shared<SevenModel>(), BoostedCostModel(trees)};
  }

  // Pieces of 1 to 100 elements; the shortest are the fastest.
  MeasuredState Measured(int number, uint64_t key) const {
    const auto state =
        Apply(ScheduleState::Initial(task_), Split{{1}, 0, {1 + number % 100}}).value();
    return {state, Key{1, key}, 1e-6 * (1 + number % 100)};
  }
  void Learn(NetworkModel& model, int first, int count) const {
    for (int i = first; i < first + count; ++i) {
      const MeasuredState one = Measured(i, static_cast<uint64_t>(i));
      model.Learn({&one, 1});
    }
  }
  double ScoreOf(NetworkModel& model) const {
    const std::vector<StateFeatures> states = {StateFeatures(Measured(3, 0).state)};
    return model.Predict(states).at(0)->score;
  }

  const std::shared_ptr<const Task> task_ = VectorTask(4096);
};

TEST_F(NetworkModelTest, PredictsUntilTreesHaveEnough) {
  NetworkModel model = Make();
  EXPECT_TRUE(model.progress().is_trained);
  Learn(model, 0, kReplacedFrom - 1);
  model.TrainNow();
  EXPECT_EQ(model.progress().trainings, 0);
  EXPECT_EQ(ScoreOf(model), 7);
  Learn(model, kReplacedFrom, 1);
  EXPECT_NE(ScoreOf(model), 7);
  EXPECT_EQ(model.progress().trainings, 1);
}

TEST_F(NetworkModelTest, SavesTreesThatTakeItsPlaceWhenLoaded) {
  NetworkModel model = Make();
  EXPECT_FALSE(model.memory()->Save());
  Learn(model, 0, kReplacedFrom);
  NetworkModel other = Make();
  other.memory()->Load(model.memory()->Save().value());
  EXPECT_EQ(ScoreOf(other), ScoreOf(model));
}

TEST_F(NetworkModelTest, JoinsWhatOthersOfItHaveLearned) {
  NetworkModel one = Make(), two = Make();
  Learn(one, 0, 60);
  Learn(two, 60, 60);
  const LearningModel* others[] = {&two};
  EXPECT_EQ(one.JoinedWith(others)->progress().samples, 120);
  EXPECT_EQ(one.progress().samples, 60);
}

}  // namespace
}  // namespace schedulegym
