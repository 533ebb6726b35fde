#include "assembly/learned_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/builtin_agents.h"
#include "env/base/model_state_file.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const Task> VectorTask(const std::string& name, int extent) {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = X[i] + 1\n"), Target{}, name});
}

class LearnedOutputTest : public testing::Test {
 protected:
  void Begin(const std::string& agent) {
    agent_ = std::make_unique<SingleTaskAgent>(ParseSpec(agent).value(), space_, std::vector{task_},
                                               Rng(1));
  }

  void Learn(int count) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent_->Propose(0, count)) {
      trials.push_back(TimedTrial(one, 1 + 0.1 * static_cast<double>(trials.size())));
    }
    agent_->Learn(trials);
  }

  std::string Refusal(const std::string& path) {
    return InputFaultOf([&] {
      LearnedOutput("--save-model", path, {agent_->memory(), scheduler_, "AGENT", space_});
    });
  }

  // For a search with 17 schedules, and two that failed because of the machine.
  std::string Save() {
    DoneEvent done;
    done.known = 10;
    done.ok = 4;
    done.failed = {{Outcome::kWrongOutput, 3}, {Outcome::kInfra, 2}};
    const Learners learners = {agent_->memory(), scheduler_, "AGENT", space_};
    const SavedLearning saved = LearnedOutput("--save-model", path_, learners).Save({done});
    EXPECT_EQ(saved.is_written, Files() == 1);
    return saved.text;
  }

  size_t Files() const {
    return std::distance(std::filesystem::directory_iterator(folder_.Path(".")), {});
  }

  const SplitSpace space_;
  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("model.json");
  const std::shared_ptr<const Task> task_ = VectorTask("vector", 64);
  std::unique_ptr<Agent> agent_;
  ModelState* scheduler_ = nullptr;
};

class FixedModelState : public ModelState {
 public:
  std::string Kind() const override { return "fixed 1"; }
  std::optional<std::string> Save() override { return "text"; }
  void Load(std::string_view) override {}
};

constexpr const char* kAnsor = "ansor(population=16)";

TEST_F(LearnedOutputTest, AgentsStartFromWhatWasSaved) {
  Begin(kAnsor);
  Learn(8);
  EXPECT_THAT(Save(), HasSubstr("17 schedules seen, in '" + path_ + "'"));
  EXPECT_EQ(Files(), 1u);
  const std::string saved = agent_->memory()->Save().value();
  Begin("ansor(model=\"" + path_ + "\")");
  EXPECT_EQ(agent_->memory()->Save(), saved);
}

TEST_F(LearnedOutputTest, WhatAgentAndSchedulerLearnedIsInOneFile) {
  FixedModelState memory;
  scheduler_ = &memory;
  Begin("random");
  EXPECT_THAT(Save(), HasSubstr("what was learned (fixed 1), 17"));
  EXPECT_EQ(ParseModelState(ReadUntrustedFile(path_, kModelFile), "it").kind, "fixed 1");
  Begin(kAnsor);
  Learn(8);
  EXPECT_THAT(Save(), HasSubstr("what was learned (boosted 1, fixed 1), 17"));
  EXPECT_EQ(ParseModelState(ReadUntrustedFile(path_, kModelFile), "it").kind, "search 1");
  EXPECT_EQ(ReadModelState(path_, kModelFile, {"fixed 1"}).text, "text");
  const std::string saved = agent_->memory()->Save().value();
  Begin("ansor(model=\"" + path_ + "\")");
  EXPECT_EQ(agent_->memory()->Save(), saved);
}

TEST_F(LearnedOutputTest, NothingLearnedIsNotWritten) {
  Begin(kAnsor);
  EXPECT_THAT(Save(), HasSubstr("has learned nothing"));
  EXPECT_EQ(Files(), 0u);
}

TEST_F(LearnedOutputTest, AgentsWithoutAModelAreRefused) {
  for (const char* agent :
       {"random", "dpansor(agent=random)", "ansor(model=random)", "ansor(model=analytical)"}) {
    Begin(agent);
    EXPECT_THAT(Refusal(path_), HasSubstr("--save-model: agent AGENT trains no cost model"));
    EXPECT_THAT(Refusal(path_), HasSubstr(": ansor"));
    EXPECT_THAT(Refusal(path_), HasSubstr("a scheduler: gradient, swucb"));
    EXPECT_THAT(Refusal(path_), Not(HasSubstr("random")));
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(LearnedOutputTest, ARefusalNamesAgentsThatSaveAlone) {
  Begin("random");
  const std::string refusal = Refusal(path_);
  const size_t begin = refusal.find("that does: ") + 11;
  const std::string names = refusal.substr(begin, refusal.find(", or for") - begin);
  EXPECT_THAT(names, HasSubstr("autotvm(features=ansor), harl"));
  for (const char* name : {"chameleon", "na2c", "value", "heron", "flextensor"}) {
    EXPECT_THAT(names, Not(HasSubstr(name)));
  }
  // The last one, harl, is in another process. Without a task any space is accepted.
  for (size_t at = 0, end = 0; (end = names.find(", ", at)) != std::string::npos; at = end + 2) {
    const std::string name = names.substr(at, end - at);
    SingleTaskAgent agent(ParseSpec(name).value(), space_, {}, Rng(1));
    EXPECT_NE(agent.memory(), nullptr) << name;
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(LearnedOutputTest, PlacesThatCannotBeWrittenAreRefused) {
  Begin(kAnsor);
  EXPECT_THAT(Refusal(folder_.Path("none/model.json")), HasSubstr("No such file or directory"));
  EXPECT_THAT(Refusal(folder_.Path(".")), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace schedulegym
