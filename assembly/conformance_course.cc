#include "assembly/conformance_course.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "agents/agent_maker.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/analytical_cost.h"
#include "env/measure/record.h"
#include "env/program/language/parser.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/task_list.h"

namespace schedulegym {
namespace {

// A reference that most schedules are near to.
constexpr double kReferenceSeconds = 1e-5;

// Sets a flag once so many seconds have passed, unless it goes before.
class Alarm {
 public:
  Alarm(double seconds, std::atomic<bool>& flag)
      : thread_([seconds, &flag](const std::stop_token& gone) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never;
          never.wait_for(lock, gone, std::chrono::duration<double>(seconds), [] { return false; });
          if (!gone.stop_requested()) flag = true;
        }) {}

 private:
  std::jthread thread_;
};

std::vector<std::shared_ptr<const Task>> TaskOf(const char* text) {
  Result<ComputeDag> dag = ParseDag(text, "conformance.dag");
  SG_CHECK(dag.ok(), dag.error().message);
  return {std::make_shared<const Task>(Task{*std::move(dag), MakeTarget({"llvm", {}}), "small"})};
}

}  // namespace

Outcome Succeeds(int64_t) { return Outcome::kOk; }

std::vector<std::shared_ptr<const Task>> OrdinaryTasks() {
  const Target target = MakeTarget({"llvm", {}});
  return {LoadTask("matmul(m=32,n=32,k=32)", target), LoadTask("softmax(n=16,m=32)", target)};
}

std::vector<std::shared_ptr<const Task>> TaskOfOneSchedule() {
  return TaskOf("input X[2]\nY[i:2] = X[i] + 1\n");
}

std::vector<std::shared_ptr<const Task>> TaskOfFourSchedules() {
  return TaskOf("input X[2, 2]\nY[i:2] = sum(k:2) X[i, k]\n");
}

ConformanceCourse::ConformanceCourse(const Spec& agent, const Catalog& catalog, CoursePlan plan)
    : setup_{.agent = agent, .space = {"ansor", {}}, .budget = plan.budget, .seed = 1},
      answer_seconds_(plan.answer_seconds),
      space_(catalog.spaces.Find(setup_.space)(setup_.space)),
      maker_(AgentsOf(catalog)) {
  for (auto& task : plan.tasks) setup_.tasks.push_back({std::move(task)});
  Rng run(setup_.seed);
  const Rng stream = DrawAgentStream(static_cast<int>(setup_.tasks.size()), run);
  Watched([&] {
    agent_ = maker_->Make({.setup = setup_,
                           .space = *space_,
                           .rng = stream,
                           .maker = *maker_,
                           .clock = clock_,
                           .stop = StopToken(&stop_)});
  });
}

std::vector<Key> ConformanceCourse::Run(const Fate& fate, int turns) {
  std::vector<Key> keys;
  for (int turn = 0; turn < turns; ++turn) {
    const int task = turn % static_cast<int>(setup_.tasks.size());
    const std::vector<Trial> trials = TrialsOf(Ask(task, 1 + 5 * turn % 8), task, fate);
    for (const Trial& trial : trials) keys.push_back(trial.key);
    if (!trials.empty()) Tell(trials);
  }
  return keys;
}

std::vector<Proposal> ConformanceCourse::Ask(int task, int count) {
  std::vector<Proposal> proposals;
  Watched([&] { proposals = agent_->Propose(task, count); });
  CheckProposals(proposals, task, count);
  ++asked_;
  return proposals;
}

void ConformanceCourse::Tell(const std::vector<Trial>& trials) {
  Watched([&] { agent_->Learn(trials); });
}

std::vector<Trial> ConformanceCourse::TrialsOf(const std::vector<Proposal>& proposals, int task,
                                               const Fate& fate) {
  std::vector<Trial> trials;
  for (const Proposal& one : proposals) trials.push_back(TrialOf(one, task, fate(number_++)));
  return trials;
}

std::vector<Trial> ConformanceCourse::TrialsOf(const std::vector<Proposal>& proposals, int task,
                                               Told told) {
  const bool has_failed = told == Told::kSaysNothing;
  std::vector<Trial> trials = TrialsOf(
      proposals, task, [&](int64_t) { return has_failed ? Outcome::kInfra : Outcome::kOk; });
  for (Trial& trial : trials) {
    trial.told = told;
    if (told == Told::kNotReached) trial.record.reset();
  }
  return trials;
}

Proposal ConformanceCourse::Draw(int task) {
  Rng rng(7);
  while (true) {
    Result<ScheduleState> state = space_->Sample(setup_.tasks[task].task, rng);
    if (state) return ProposalOf(*std::move(state));
  }
}

double ConformanceCourse::SecondsToStop() {
  constexpr int kQuestions = 16, kCount = 256;
  constexpr double kBefore = 0.03;
  for (int i = 0; i < kQuestions; ++i) {
    const double begin = clock_.Now();
    std::vector<Proposal> proposals;
    try {
      const Alarm alarm(kBefore, stop_);
      proposals = agent_->Propose(0, kCount);
    } catch (const Interrupted&) {
    }
    if (stop_) return clock_.Now() - begin - kBefore;
    Tell(TrialsOf(proposals, 0, Succeeds));
  }
  return 0;
}

void ConformanceCourse::CheckProposals(const std::vector<Proposal>& proposals, int task,
                                       int count) const {
  const std::string where = "question " + std::to_string(asked_) + ", task " + std::to_string(task);
  if (std::ssize(proposals) > count) {
    throw InputError(where + ": found " + std::to_string(proposals.size()) +
                     " schedules, expected at most " + std::to_string(count));
  }
  for (const Proposal& one : proposals) {
    if (TaskKey(one.state.task()) != TaskKey(*setup_.tasks[task].task)) {
      throw InputError(where + ": found a schedule of another task");
    }
    if (!one.note.empty() && !ParseSpec(one.note)) {
      throw InputError(where + ": found note '" + one.note + "', expected a spec");
    }
  }
}

Trial ConformanceCourse::TrialOf(const Proposal& proposal, int task, Outcome outcome) const {
  Measurement measurement = {.outcome = outcome};
  if (outcome == Outcome::kOk) {
    Timing timing;
    timing.seconds = EstimateCost(proposal.state).Seconds();
    const double ratio = kReferenceSeconds / timing.seconds;
    timing.ratio = {ratio, ratio * 0.99, ratio * 1.01};
    timing.samples = {static_cast<float>(timing.seconds)};
    measurement.timing = timing;
  }
  const RecordOrigin origin = {.task = DescribeTask(proposal.state.task()),
                               .agent = setup_.agent.ToText(),
                               .space = setup_.space.ToText()};
  auto record = std::make_shared<const Record>(
      MakeRecord(origin, proposal.state, proposal.key, std::move(measurement)));
  const Told told = MayLearnFrom(outcome) ? Told::kMeasured : Told::kSaysNothing;
  return {task, proposal.state, proposal.key, told, std::move(record)};
}

void ConformanceCourse::Watched(const std::function<void()>& call) {
  try {
    const Alarm alarm(answer_seconds_, stop_);
    call();
  } catch (const Interrupted&) {
    throw InputError("question " + std::to_string(asked_) + ": said nothing for " +
                     FormatDouble(answer_seconds_) + " seconds");
  }
}

}  // namespace schedulegym
