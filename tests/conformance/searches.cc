#include "tests/conformance/searches.h"

#include "agents/builtin_agents.h"
#include "agents/tuner.h"
#include "env/features/analytical_cost.h"
#include "env/program/analysis.h"
#include "env/program/workload.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

// Notes how much it is asked for, and how much it proposes.
class WatchedAgent : public Agent {
 public:
  WatchedAgent(std::unique_ptr<Agent> agent, std::vector<Round>& rounds)
      : agent_(std::move(agent)), rounds_(rounds) {}

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    std::vector<ScheduleState> states = agent_->Propose(task, count);
    rounds_.push_back({count, static_cast<int>(states.size())});
    return states;
  }
  void Learn(std::span<const Record> records) override { agent_->Learn(records); }

 private:
  std::unique_ptr<Agent> agent_;
  std::vector<Round>& rounds_;
};

class TrialLog : public TuneObserver {
 public:
  explicit TrialLog(std::vector<Record>& records) : records_(records) {}

  void OnTrial(const TrialEvent& event) override { records_.push_back(event.record); }

 private:
  std::vector<Record>& records_;
};

TunerOptions OptionsOf(const SearchWords& words) {
  TunerOptions options;
  options.trials = words.trials;
  options.batch = words.batch;
  options.agent = words.agent;
  options.space = words.space;
  options.seed = words.seed;
  options.host = "somewhere";
  return options;
}

}  // namespace

std::shared_ptr<const Task> SmallTask(const std::string& workload) {
  return WorkloadTask(workload, Avx2Target(2));
}

SearchLog RunSearch(const SearchWords& words, const std::vector<std::shared_ptr<const Task>>& tasks,
                    Measurer& measurer, RecordStore& store) {
  SearchLog log;
  const auto space = MakeSpace(ParseSpec(words.space).value());
  Rng rng(words.seed);
  std::vector<std::unique_ptr<Agent>> agents;
  std::vector<TunerTask> tuned;
  SchedulerContext context = {.batch = words.batch};
  for (const auto& task : tasks) {
    agents.push_back(std::make_unique<WatchedAgent>(
        MakeAgent(ParseSpec(words.agent).value(), {*space, rng.Split()}), log.rounds));
    tuned.push_back({task, *agents.back()});
    context.tasks.push_back({.flops = CountFlops(task->dag)});
  }
  context.rng = rng.Split();
  const auto scheduler = MakeTaskScheduler(ParseSpec(words.scheduler).value(), context);
  TrialLog trials(log.records);
  const FakeClock clock;
  const TickingClock calendar(words.started);  // so that what is measured again is another record
  Tune(tuned, OptionsOf(words), {measurer, store, *scheduler, trials, clock, calendar});
  return log;
}

SearchLog RunSearch(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer) {
  return RunSearch(words, {task}, measurer, *MakeMemoryStore());
}

SearchLog RunByHand(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer, std::span<const Record> known) {
  SearchLog log;
  const auto space = MakeSpace(ParseSpec(words.space).value());
  Rng rng(words.seed);
  const auto agent = MakeAgent(ParseSpec(words.agent).value(), {*space, rng.Split()});
  if (!known.empty()) agent->Learn(known);
  while (std::ssize(log.records) < words.trials) {
    const auto left = static_cast<int>(words.trials - std::ssize(log.records));
    const int count = std::min(words.batch, left);
    const auto states = agent->Propose(task, count);
    log.rounds.push_back({count, static_cast<int>(states.size())});
    if (states.empty()) break;
    std::vector<Record> lessons;
    for (const ScheduleState& state : states) {
      const Candidate candidate = {state};
      Record record;
      record.task = DescribeTask(*task);
      record.trace = state.TraceText();
      record.state_key = StateKey(state);
      record.measurement = measurer.Measure({&candidate, 1})[0];
      if (MayLearnFrom(record.measurement.outcome)) lessons.push_back(record);
      log.records.push_back(record);
    }
    agent->Learn(lessons);
  }
  return log;
}

std::vector<std::string> TracesOf(const std::vector<Record>& records) {
  std::vector<std::string> traces;
  for (const Record& record : records) traces.push_back(record.trace);
  return traces;
}

std::vector<Measurement> MadeUpMachine::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  for (const Candidate& candidate : candidates) measurements.push_back(MeasureOne(candidate));
  return measurements;
}

Measurement MadeUpMachine::MeasureOne(const Candidate& candidate) {
  const int number = count_++;
  Rng rng(static_cast<uint64_t>(number));
  Measurement measurement;
  measurement.outcome = fate_(number);
  measurement.seed = rng.Next();
  measurement.phases = {rng.Uniform(), rng.Uniform(), rng.Uniform()};
  measurement.session = session_;
  measurement.sequence = number;
  if (measurement.ok()) {
    const double seconds = EstimateCost(candidate.state).Seconds();
    measurement.timing = TimingOf(seconds * (1 + 0.05 * rng.Uniform()));
    doubts_.OnSuccess(candidate);
  } else {
    measurement.message = "measurement " + std::to_string(number) + " was to fail";
  }
  if (session_ != nullptr && number % 10 == 9) Watch();
  return measurement;
}

void MadeUpMachine::Watch() {
  const bool good = count_ % 30 != 0;
  doubts_.OnSentinel({session_, count_ - 1, {good ? 1.0 : 1.2, 0.99, 1.21}, good});
}

}  // namespace schedulegym
