// TunerFixture: a tuner on made-up tasks and measurements, with a witness to all that it says.
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
#include "agents/search/random.h"
#include "agents/tuner.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {

// Random, but writes down what it is told.
class ListeningAgent : public Agent {
 public:
  explicit ListeningAgent(const SearchSpace& space)
      : agent_(MakeRandomAgent(Spec{"random", {}}, {space, Rng(1)})) {}

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    asked.push_back(count);
    proposed = agent_->Propose(task, count);
    return proposed;
  }
  void Learn(std::span<const Record> records) override {
    if (asked.empty()) {
      before.assign(records.begin(), records.end());
      return agent_->Learn(records);
    }
    told.emplace_back(records.begin(), records.end());
    std::vector<std::string> traces;
    for (const ScheduleState& state : proposed) traces.push_back(state.TraceText());
    for (const Record& record : records) EXPECT_THAT(traces, testing::Contains(record.trace));
  }

  std::vector<int> asked;
  std::vector<ScheduleState> proposed;
  std::vector<std::vector<Record>> told;
  std::vector<Record> before;  // told of before the first proposal

 private:
  std::unique_ptr<Agent> agent_;
};

// Remembers events, and that every record was in the store when its trial was announced.
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
  void OnRemark(const RemarkEvent& event) override {
    remarks.push_back(event.task->workload + ": " + event.text);
  }
  void OnTurn(const TurnEvent& event) override { turns.push_back(event.task); }
  void OnDone(const DoneEvent& event) override { dones.push_back(event.task->workload); }

  std::function<void()> on_trial;
  std::vector<std::string> starts, remarks, dones;
  std::vector<int> turns;
  std::vector<int64_t> known;
  std::optional<Record> known_best;
  std::vector<Record> trials;
  std::vector<std::optional<double>> gflops;
  std::vector<double> best_seconds, elapsed;

 private:
  const RecordStore& store_;
};

class TunerFixture : public testing::Test {
 protected:
  std::vector<DoneEvent> Run(const std::vector<int>& extents = {97}) {
    std::vector<TunerTask> tasks;
    SchedulerContext context;
    for (int extent : extents) {
      agents_.push_back(std::make_unique<ListeningAgent>(space_));
      tasks.push_back({VectorTask(extent), *agents_.back()});
      context.tasks.emplace_back();
    }
    const auto scheduler = MakeTaskScheduler(ParseSpec(scheduler_).value(), context);
    return Tune(std::move(tasks), options_,
                {measurer_, *store_, *scheduler, witness_, clock_, calendar_});
  }

  TunerOptions options_{
      .trials = 20, .batch = 8, .agent = "random", .space = "splits", .seed = 4, .host = "here"};
  std::string scheduler_ = "round_robin";
  SplitSpace space_;
  FakeClock clock_, calendar_;
  ScriptedMeasurer measurer_{clock_, &calendar_};
  std::unique_ptr<RecordStore> store_ = MakeMemoryStore();
  Witness witness_{*store_};
  std::vector<std::unique_ptr<ListeningAgent>> agents_;
};

}  // namespace schedulegym
