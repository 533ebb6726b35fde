#include "tests/conformance/searches.h"

#include "agents/builtin_agents.h"
#include "agents/tuner/known_best.h"
#include "agents/tuner/tuner.h"
#include "env/features/analytical_cost.h"
#include "env/features/pruner_cost.h"
#include "env/program/analysis.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

// Records the requested and the returned number of proposals.
class WatchedAgent : public Agent {
 public:
  WatchedAgent(std::unique_ptr<Agent> agent, std::vector<Round>& rounds)
      : agent_(std::move(agent)), rounds_(rounds) {}

  std::vector<Proposal> Propose(int task, int count) override {
    std::vector<Proposal> proposals = agent_->Propose(task, count);
    rounds_.push_back({count, static_cast<int>(proposals.size())});
    return proposals;
  }
  void Learn(std::span<const Trial> trials) override { agent_->Learn(trials); }

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

// The analytical model's seconds; a GPU without a known bandwidth has this one's.
double SecondsOf(const ScheduleState& state) {
  if (!state.task().target.IsGpu()) return EstimateCost(state).Seconds();
  GpuFacts gpu = state.task().target.gpu;
  if (gpu.bandwidth == 0) gpu.bandwidth = 1e11;
  double seconds = 0;
  for (const PrunerWork& work : FindPrunerWork(state)) seconds += PrunerSeconds(work, gpu);
  return seconds;
}

TunerOptions OptionsOf(const SearchWords& words) {
  TunerOptions options;
  options.request.trials = words.trials;
  options.batch = words.batch;
  options.request.agent = ParseSpec(words.agent).value();
  options.space = words.space;
  options.request.seed = words.seed;
  options.host = "somewhere";
  return options;
}

AgentSetup SetupOf(const SearchWords& words, const SearchSpace& space) {
  AgentSetup setup;
  setup.agent = ParseSpec(words.agent).value();
  setup.space = ParseSpec(space.Name()).value();
  setup.seed = words.seed;
  return setup;
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
  AgentSetup setup = SetupOf(words, *space);
  std::vector<TunerTask> tuned;
  SchedulerContext context = {.batch = words.batch};
  for (const auto& task : tasks) {
    setup.tasks.push_back({task});
    tuned.push_back({task});
    context.tasks.push_back({.flops = CountFlops(task->dag)});
  }
  const Rng stream = DrawAgentStream(static_cast<int>(tasks.size()), rng);
  WatchedAgent agent(std::make_unique<SingleTaskAgent>(setup, *space, stream, words.others),
                     log.rounds);
  context.rng = rng.Split();
  const auto scheduler = MakeTaskScheduler(ParseSpec(words.scheduler).value(), context);
  TrialLog trials(log.records);
  const FakeClock clock;
  const TickingClock calendar(words.started);  // so that a repeated measurement is another record
  const auto done = Tune(tuned, {agent}, OptionsOf(words),
                         {measurer, store, *scheduler, trials, clock, calendar});
  log.best = done[0].best;
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
  AgentSetup setup = SetupOf(words, *space);
  setup.tasks = {{task}};
  SingleTaskAgent agent(setup, *space, rng.Split(), words.others);
  if (!known.empty()) agent.Learn(TrialsOf({known.begin(), known.end()}, 0, task));
  while (std::ssize(log.records) < words.trials) {
    const auto left = static_cast<int>(words.trials - std::ssize(log.records));
    const int count = std::min(words.batch, left);
    const auto proposals = agent.Propose(0, count);
    log.rounds.push_back({count, static_cast<int>(proposals.size())});
    if (proposals.empty()) break;
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) {
      const Candidate candidate = {one.state};
      Measurement measurement = measurer.Measure({&candidate, 1})[0];
      if (measurement.outcome == Outcome::kCutOff) {  // not a trial
        trials.push_back({0, one.state, one.key, TrialStatus::kNotReached, nullptr});
        continue;
      }
      const Record record = MakeRecord({.task = DescribeTask(*task), .note = one.note}, one.state,
                                       one.key, std::move(measurement));
      log.records.push_back(record);
      const bool is_lesson = MayLearnFrom(record.measurement.outcome);
      trials.push_back({0, one.state, one.key,
                        is_lesson ? TrialStatus::kMeasured : TrialStatus::kSaysNothing,
                        is_lesson ? std::make_shared<const Record>(record) : nullptr});
    }
    agent.Learn(trials);
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
    measurement.timing = TimingOf(SecondsOf(*candidate.state) * (1 + 0.05 * rng.Uniform()));
    doubts_.OnSuccess(candidate);
  } else {
    measurement.message = "measurement " + std::to_string(number) + " was to fail";
  }
  if (session_ != nullptr && number % 10 == 9) Watch();
  return measurement;
}

void MadeUpMachine::Watch() {
  const bool good = count_ % 30 != 0;
  doubts_.OnControl({session_, count_ - 1, {good ? 1.0 : 1.2, 0.99, 1.21}, good});
}

}  // namespace schedulegym
