// Checks that an agent keeps the contract of agents: ten rules, each a short search on small tasks
// with made-up outcomes (answers, repeats for its seed, bears failures, learns known and lost
// records, proposes lost schedules again, goes on where none is left, takes any budget, stops
// within 0.25 s, learns what it saved, refuses unknown options). Times come from the analytical
// model, ratios from a reference of 10 us. A watched call that exceeds its seconds is a fault.
// Result: for each rule its name and the fault, or "".
#include "assembly/conformance.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "agents/agent_maker.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/estimated_seconds.h"
#include "env/measure/record.h"
#include "env/program/language/parser.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/task_list.h"

namespace schedulegym {
namespace {

using Tasks = std::vector<std::shared_ptr<const Task>>;

struct Subject {
  Spec agent;
  const Catalog& catalog;
  double answer_seconds;

  ConformanceSearch Begin() const { return Of(OrdinaryTasks()); }
  ConformanceSearch Of(Tasks tasks) const { return Within(std::move(tasks), Budget{64, {}}); }
  ConformanceSearch Within(Tasks tasks, std::optional<Budget> budget) const {
    return {agent, catalog, ConformancePlan{std::move(tasks), budget, answer_seconds}};
  }
};

// Each rule returns the fault, "" for none, or throws it.
std::string Answers(const Subject& subject) {
  return subject.Begin().Run(Succeeds).empty() ? "found no schedule at all" : "";
}

std::string RepeatsItself(const Subject& subject) {
  const std::vector<Key> first = subject.Begin().Run(Succeeds),
                         second = subject.Begin().Run(Succeeds);
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (first[i] != second[i]) return "proposal " + std::to_string(i) + " differs";
  }
  return first.size() == second.size() ? "" : "found another number of proposals";
}

// An agent may give up when all its candidates failed, but not for failures of the machine. It gets
// two questions, as it may change its mind after the first answer.
std::string BearsFailures(const Subject& subject) {
  for (const Outcome outcome : {Outcome::kWrongOutput, Outcome::kInfra}) {
    ConformanceSearch search = subject.Begin();
    search.Run([&](int64_t) { return outcome; });
    const bool has_more = !search.Ask(0, 8).empty() || !search.Ask(0, 8).empty();
    if (!has_more && !MayLearnFrom(outcome)) return "found no schedule once the machine had failed";
    subject.Begin().Run([&](int64_t i) { return i % 3 == 0 ? outcome : Outcome::kOk; });
  }
  return "";
}

std::string HearsTheRest(const Subject& subject) {
  ConformanceSearch search = subject.Begin();
  std::vector<Trial> known = search.TrialsOf({search.Draw(0)}, 0, TrialStatus::kKnown);
  search.Tell(known);
  std::vector<Trial> trials = search.TrialsOf(search.Ask(0, 3), 0, Succeeds);
  if (trials.empty()) return "found no schedule after what was known";
  std::vector<Trial> revised = {trials[0]};
  revised[0].told = TrialStatus::kRevised;
  trials.back().told = TrialStatus::kNotReached;
  trials.back().record = nullptr;
  search.Tell(trials);
  search.Tell(revised);
  search.Ask(0, 3);
  return "";
}

// Searches a space with one schedule.
std::string ProposesAgainWhatWasLost(const Subject& subject) {
  for (const TrialStatus told : {TrialStatus::kNotReached, TrialStatus::kSaysNothing}) {
    ConformanceSearch search = subject.Of(TaskOfOneSchedule());
    const std::vector<Proposal> first = search.Ask(0, 4);
    if (first.empty()) return "found none in a space of one schedule";
    search.Tell(search.TrialsOf(first, 0, told));
    if (search.Ask(0, 4).empty()) {
      return "found none once the only schedule was told as " + std::string(TrialStatusName(told));
    }
  }
  return "";
}

// Asks until it has no proposal twice in a row. It may leave schedules out or repeat them, but it
// must answer.
bool SearchesToTheEnd(ConformanceSearch&& search, const Fate& fate) {
  constexpr int kMostQuestions = 24;
  int found = 0;
  for (int i = 0, none = 0; i < kMostQuestions && none < 2; ++i) {
    const std::vector<Trial> trials = search.TrialsOf(search.Ask(0, 4), 0, fate);
    none = trials.empty() ? none + 1 : 0;
    found += static_cast<int>(trials.size());
    if (!trials.empty()) search.Tell(trials);
  }
  return found > 0;
}

std::string AnswersWhereNothingIsLeft(const Subject& subject) {
  for (const Tasks& tasks : {TaskOfOneSchedule(), TaskOfFourSchedules()}) {
    for (const Outcome outcome : {Outcome::kOk, Outcome::kWrongOutput}) {
      const Fate fate = [outcome](int64_t) { return outcome; };
      if (!SearchesToTheEnd(subject.Of(tasks), fate)) return "found no schedule at all";
    }
  }
  return "";
}

// One at a time, so that no share of the budget is a whole trial.
std::string TakesAnyBudget(const Subject& subject) {
  constexpr int kMostQuestions = 9;
  for (const std::optional<Budget>& budget :
       {std::optional<Budget>(), {Budget{1, {}}}, {Budget{9, {}}}, {Budget{1000, 3600.0}}}) {
    ConformanceSearch search = subject.Within(OrdinaryTasks(), budget);
    const int64_t trials = budget ? budget->trials : kMostQuestions;
    for (int i = 0; i < std::min<int64_t>(trials, kMostQuestions); ++i) {
      const std::vector<Proposal> proposals = search.Ask(1, 1);
      if (proposals.empty()) {
        return "found no schedule in question " + std::to_string(i) + " of " +
               std::to_string(trials) + " trials";
      }
      search.Tell(search.TrialsOf(proposals, 1, Succeeds));
    }
  }
  return "";
}

// The least of some tries, as the machine may be busy.
double LeastSecondsToStop(const Subject& subject, int questions_before, double enough) {
  constexpr int kTries = 3;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries && least > enough; ++i) {
    ConformanceSearch search = subject.Begin();
    search.Run(Succeeds, questions_before);
    least = std::min(least, search.SecondsToStop());
  }
  return least;
}

std::string StopsWhileItThinks(const Subject& subject) {
  constexpr double kMostSeconds = 0.25;
  for (const int questions_before : {0, 4}) {
    if (LeastSecondsToStop(subject, questions_before, kMostSeconds) <= kMostSeconds) continue;
    return "goes on thinking for more than " + FormatDouble(kMostSeconds) + " seconds";
  }
  return "";
}

// An agent without a model state passes.
std::string RemembersWhatItSaved(const Subject& subject) {
  ConformanceSearch teacher = subject.Begin();
  teacher.Run(Succeeds);
  ModelState* memory = teacher.agent().memory();
  const std::optional<std::string> saved = memory != nullptr ? memory->Save() : std::nullopt;
  if (!saved) return "";
  std::vector<std::vector<Key>> keys;
  for (int i = 0; i < 2; ++i) {
    ConformanceSearch pupil = subject.Begin();
    pupil.agent().memory()->Load(*saved);
    keys.push_back(pupil.Run(Succeeds));
  }
  return keys[0] == keys[1] ? "" : "found other proposals after the same was loaded";
}

std::string RefusesStrangeOptions(const Subject& subject) {
  subject.Begin();  // an agent that cannot be made fails here
  Subject strange = subject;
  strange.agent.options.push_back({"no_such_option", {int64_t{1}}});
  try {
    strange.Begin();
  } catch (const InputError&) {
    return "";
  }
  return "takes no_such_option=1, expected a refusal";
}

struct Rule {
  const char* name;
  std::string (*check)(const Subject& subject);
};

constexpr Rule kRules[] = {
    {"answers with schedules of the task, at most as many as asked", Answers},
    {"proposes the same again for the same seed", RepeatsItself},
    {"goes on where candidates or the machine fail", BearsFailures},
    {"hears of known, lost and revised records", HearsTheRest},
    {"proposes again what was never measured", ProposesAgainWhatWasLost},
    {"answers where no schedule is left", AnswersWhereNothingIsLeft},
    {"takes any budget, also one trial at a time", TakesAnyBudget},
    {"stops in the midst of thinking", StopsWhileItThinks},
    {"proposes the same again from what it saved", RemembersWhatItSaved},
    {"refuses an option that it does not have", RefusesStrangeOptions},
};

std::string FaultIn(const Rule& rule, const Subject& subject) {
  try {
    return rule.check(subject);
  } catch (const std::exception& fault) {
    return fault.what();
  }
}

// A reference that most schedules are near to.
constexpr double kReferenceSeconds = 1e-5;

// Sets a flag after some seconds, unless it is destroyed before.
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

std::vector<RuleCheck> CheckConformance(const Spec& agent, const Catalog& catalog,
                                        double answer_seconds,
                                        const std::function<void(const RuleCheck&)>& on_rule) {
  catalog.agents.Find(agent);
  const Subject subject = {agent, catalog, answer_seconds};
  std::vector<RuleCheck> checks;
  for (const Rule& rule : kRules) {
    checks.push_back({rule.name, FaultIn(rule, subject)});
    on_rule(checks.back());
  }
  return checks;
}

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

ConformanceSearch::ConformanceSearch(const Spec& agent, const Catalog& catalog,
                                     ConformancePlan plan)
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

std::vector<Key> ConformanceSearch::Run(const Fate& fate, int turns) {
  std::vector<Key> keys;
  for (int turn = 0; turn < turns; ++turn) {
    const int task = turn % static_cast<int>(setup_.tasks.size());
    const std::vector<Trial> trials = TrialsOf(Ask(task, 1 + 5 * turn % 8), task, fate);
    for (const Trial& trial : trials) keys.push_back(trial.key);
    if (!trials.empty()) Tell(trials);
  }
  return keys;
}

std::vector<Proposal> ConformanceSearch::Ask(int task, int count) {
  std::vector<Proposal> proposals;
  Watched([&] { proposals = agent_->Propose(task, count); });
  CheckProposals(proposals, task, count);
  ++asked_;
  return proposals;
}

void ConformanceSearch::Tell(const std::vector<Trial>& trials) {
  Watched([&] { agent_->Learn(trials); });
}

std::vector<Trial> ConformanceSearch::TrialsOf(const std::vector<Proposal>& proposals, int task,
                                               const Fate& fate) {
  std::vector<Trial> trials;
  for (const Proposal& one : proposals) trials.push_back(TrialOf(one, task, fate(number_++)));
  return trials;
}

std::vector<Trial> ConformanceSearch::TrialsOf(const std::vector<Proposal>& proposals, int task,
                                               TrialStatus told) {
  const bool has_failed = told == TrialStatus::kSaysNothing;
  std::vector<Trial> trials = TrialsOf(
      proposals, task, [&](int64_t) { return has_failed ? Outcome::kInfra : Outcome::kOk; });
  for (Trial& trial : trials) {
    trial.told = told;
    if (told == TrialStatus::kNotReached) trial.record.reset();
  }
  return trials;
}

Proposal ConformanceSearch::Draw(int task) {
  Rng rng(7);
  while (true) {
    Result<ScheduleState> state = space_->Sample(setup_.tasks[task].task, rng);
    if (state) return ProposalOf(*std::move(state));
  }
}

double ConformanceSearch::SecondsToStop() {
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

void ConformanceSearch::CheckProposals(const std::vector<Proposal>& proposals, int task,
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

Trial ConformanceSearch::TrialOf(const Proposal& proposal, int task, Outcome outcome) const {
  Measurement measurement = {.outcome = outcome};
  if (outcome == Outcome::kOk) {
    Timing timing;
    timing.seconds = EstimateSeconds(proposal.state);
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
  const TrialStatus told =
      MayLearnFrom(outcome) ? TrialStatus::kMeasured : TrialStatus::kSaysNothing;
  return {task, proposal.state, proposal.key, told, std::move(record)};
}

void ConformanceSearch::Watched(const std::function<void()>& call) {
  try {
    const Alarm alarm(answer_seconds_, stop_);
    call();
  } catch (const Interrupted&) {
    throw InputError("question " + std::to_string(asked_) + ": said nothing for " +
                     FormatDouble(answer_seconds_) + " seconds");
  }
}

}  // namespace schedulegym
