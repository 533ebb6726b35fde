#include "experiments/cli/model_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/builtin_agents.h"
#include "agents/cost/boosted_cost_model.h"
#include "env/base/fault.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/experiments/cli/captured.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const Task> VectorTask(const std::string& name, int extent) {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = X[i] + 1\n"), Target{}, name});
}

class ModelOutputTest : public testing::Test {
 protected:
  void AddTask(const std::string& agent, int extent = 64) {
    agents_.push_back(MakeAgent(ParseSpec(agent).value(), {space_, Rng(1)}));
    tasks_.push_back({VectorTask("vector", extent), *agents_.back()});
  }

  void Learn(size_t task, int count) {
    std::vector<Record> records;
    for (const ScheduleState& state : tasks_[task].agent.Propose(tasks_[task].task, count)) {
      records.push_back(TimedRecord(state, 1 + 0.1 * static_cast<double>(records.size())));
    }
    tasks_[task].agent.Learn(records);
  }

  std::string Refusal(const std::string& path) {
    try {
      ModelOutput output(path, tasks_, "AGENT", space_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::string Save() {
    const Captured out, err;
    Report report(out.stream(), err.stream(), {});
    ModelOutput(path_, tasks_, "AGENT", space_).Save(report);
    return err.Text();
  }

  size_t Files() const {
    return std::distance(std::filesystem::directory_iterator(folder_.Path(".")), {});
  }

  const SplitSpace space_;
  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("model.json");
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<TunerTask> tasks_;
};

constexpr const char* kAnsor = "ansor(population=16)";

TEST_F(ModelOutputTest, AgentsStartFromWhatWasSaved) {
  AddTask(kAnsor);
  Learn(0, 8);
  EXPECT_THAT(Save(), HasSubstr("8 schedules seen, in '" + path_ + "'"));
  EXPECT_EQ(Files(), 1u);
  AddTask("ansor(model=\"" + path_ + "\")");
  BoostedCostModel first = *agents_[0]->model(), second = *agents_[1]->model();
  const std::vector<ScheduleState> states = {ScheduleState::Initial(tasks_[0].task)};
  EXPECT_EQ(first.Predict(states), second.Predict(states));
  EXPECT_TRUE(second.Predict(states)[0].has_value());
}

TEST_F(ModelOutputTest, OneModelKnowsWhatAllTasksTaught) {
  AddTask(kAnsor, 64);
  AddTask(kAnsor, 100);
  Learn(0, 8);
  Learn(1, 4);
  EXPECT_THAT(Save(), HasSubstr("12 schedules seen"));
}

TEST_F(ModelOutputTest, NothingLearnedIsNotWritten) {
  AddTask(kAnsor);
  EXPECT_THAT(Save(), HasSubstr("has learned nothing"));
  EXPECT_EQ(Files(), 0u);
}

TEST_F(ModelOutputTest, AgentsWithoutAModelAreRefused) {
  for (const char* agent :
       {"random", "droplet", "ansor(model=random)", "ansor(model=analytical)"}) {
    agents_.clear();
    tasks_.clear();
    AddTask(agent);
    EXPECT_THAT(Refusal(path_), HasSubstr("--save-model: agent AGENT trains no cost model"));
    EXPECT_THAT(Refusal(path_), HasSubstr(": ansor"));
    EXPECT_THAT(Refusal(path_), Not(HasSubstr("random")));
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(ModelOutputTest, PlacesThatCannotBeWrittenAreRefused) {
  AddTask(kAnsor);
  EXPECT_THAT(Refusal(folder_.Path("none/model.json")), HasSubstr("No such file or directory"));
  EXPECT_THAT(Refusal(folder_.Path(".")), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace schedulegym
