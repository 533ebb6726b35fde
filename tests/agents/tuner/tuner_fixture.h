// TunerFixture: a tuner on made-up tasks and measurements, with an observer of all its events.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/tuner/tuner.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {

// A random agent that records the results of one of the tasks.
class ListeningAgent : public Agent {
 public:
  ListeningAgent(const SearchSpace& space, const std::shared_ptr<const Task>& task)
      : agent_({"random", {}}, space, {task}, Rng(1)) {}

  std::vector<Proposal> Propose(int, int count) override {
    asked.push_back(count);
    proposed = agent_.Propose(0, count);
    for (Proposal& one : proposed) one.note = note;
    return proposed;
  }
  void Learn(std::span<const Trial> trials) override {
    if (asked.empty()) {
      for (const Trial& trial : trials) {
        EXPECT_EQ(trial.told, TrialStatus::kKnown);
        before.push_back(*trial.record);
      }
      return agent_.Learn(AsFirst(trials));
    }
    told.emplace_back(trials.begin(), trials.end());
    if (trials[0].told == TrialStatus::kRevised) return;
    ASSERT_EQ(trials.size(), proposed.size());
    for (size_t i = 0; i < trials.size(); ++i) {
      EXPECT_EQ(trials[i].key, proposed[i].key);
      EXPECT_EQ(trials[i].state.TraceText(), proposed[i].state.TraceText());
      const Record* record = trials[i].record.get();
      EXPECT_TRUE(record == nullptr || record->state_key == trials[i].key);
    }
  }

  std::vector<int> asked;
  std::vector<Proposal> proposed;
  std::string note;  // of every proposal
  std::vector<std::vector<Trial>> told;
  std::vector<Record> before;  // results received before the first proposal

 private:
  static std::vector<Trial> AsFirst(std::span<const Trial> trials) {
    std::vector<Trial> all(trials.begin(), trials.end());
    for (Trial& trial : all) trial.task = 0;
    return all;
  }

  SingleTaskAgent agent_;
};

// One agent for a run, made of one agent for each task.
class DealingAgent : public Agent {
 public:
  explicit DealingAgent(std::vector<ListeningAgent*> agents) : agents_(std::move(agents)) {}

  std::vector<Proposal> Propose(int task, int count) override {
    return agents_[task]->Propose(task, count);
  }
  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) EXPECT_EQ(trial.task, trials[0].task);
    agents_[trials[0].task]->Learn(trials);
  }

 private:
  std::vector<ListeningAgent*> agents_;
};

// Keeps events, and checks that each record is stored before its trial is announced.
class Witness : public TuneObserver {
 public:
  explicit Witness(const RecordStore& store) : store_(store) {}

  void OnStart(const StartEvent& event) override {
    EXPECT_TRUE(trials.empty());
    starts.push_back(event.task->workload);
    known.push_back(event.known);
    known_best = event.known_best;
  }
  void OnTrial(const TrialEvent& event) override {
    EXPECT_EQ(store_.ById(event.record.id), event.record);
    trials.push_back(event.record);
    gflops.push_back(event.gflops);
    best_seconds.push_back(event.best ? event.best->measurement.timing->seconds : 0);
    elapsed.push_back(event.elapsed);
    EXPECT_EQ(event.trials, static_cast<int64_t>(trials.size()));
    if (on_trial) on_trial();
  }
  void OnRevised(const RevisedEvent& event) override { revised.push_back(event); }
  void OnWarning(const WarningEvent& event) override { warnings.push_back(WarningText(event)); }
  void OnTurn(const TurnEvent& event) override {
    turns.push_back(event.task);
    whys.push_back(event.why);
  }
  void OnDone(const DoneEvent& event) override { dones.push_back(event.task->workload); }

  std::function<void()> on_trial;
  std::vector<std::string> starts, warnings, dones, whys;
  std::vector<int> turns;
  std::vector<int64_t> known;
  std::optional<Record> known_best;
  std::vector<RevisedEvent> revised;
  std::vector<Record> trials;
  std::vector<std::optional<double>> gflops;
  std::vector<double> best_seconds, elapsed;

 private:
  const RecordStore& store_;
};

class TunerFixture : public testing::Test {
 protected:
  std::vector<DoneEvent> Run(const std::vector<int>& extents = {97}) {
    const std::vector<TunerTask> tasks = TasksOf(extents);
    DealingAgent agent = AgentOf(tasks);
    SchedulerContext context;
    context.tasks.resize(tasks.size());
    const auto scheduler = MakeTaskScheduler(ParseSpec(scheduler_).value(), context);
    return Tune(tasks, {agent}, options_,
                {measurer_, *store_, *scheduler, witness_, clock_, calendar_});
  }

  static std::vector<TunerTask> TasksOf(const std::vector<int>& extents) {
    std::vector<TunerTask> tasks;
    for (int extent : extents) tasks.push_back({VectorTask(extent)});
    return tasks;
  }

  // Makes new agents and adds them to agents_.
  DealingAgent AgentOf(const std::vector<TunerTask>& tasks) {
    std::vector<ListeningAgent*> dealt;
    for (const TunerTask& task : tasks) {
      agents_.push_back(std::make_unique<ListeningAgent>(space_, task.task));
      dealt.push_back(agents_.back().get());
    }
    return DealingAgent(dealt);
  }

  TunerOptions options_{.request = {.agent = {"random", {}}, .trials = 20, .seed = 4},
                        .batch = 8,
                        .space = "splits",
                        .host = "here"};
  std::string scheduler_ = "round_robin";
  SplitSpace space_;
  FakeClock clock_, calendar_;
  ScriptedMeasurer measurer_{clock_, &calendar_};
  std::unique_ptr<RecordStore> store_ = MakeMemoryStore();
  Witness witness_{*store_};
  std::vector<std::unique_ptr<ListeningAgent>> agents_;
};

}  // namespace schedulegym
