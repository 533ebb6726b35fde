#include "assembly/conformance.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "agents/agent_maker.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "env/measure/record.h"
#include "env/program/target.h"
#include "env/program/task_list.h"

namespace schedulegym {
namespace {

constexpr int kTurns = 8;
// A reference that most schedules are near to.
constexpr double kReferenceSeconds = 1e-5;

// What became of a candidate, by its number in the search.
using Fate = std::function<Outcome(int64_t number)>;

Outcome Succeeds(int64_t) { return Outcome::kOk; }

// A search of the agent, by hand.
class Course {
 public:
  Course(const Spec& agent, const Catalog& catalog, uint64_t seed)
      : setup_{.agent = agent, .space = {"ansor", {}}, .budget = Budget{64, {}}, .seed = seed},
        space_(catalog.spaces.Find(setup_.space)(setup_.space)),
        maker_(AgentsOf(catalog)) {
    const Target target = MakeTarget({"llvm", {}});
    for (const char* workload : {"matmul(m=32,n=32,k=32)", "softmax(n=16,m=32)"}) {
      setup_.tasks.push_back({LoadTask(workload, target)});
    }
    Rng run(seed);
    const Rng stream = DrawAgentStream(static_cast<int>(setup_.tasks.size()), run);
    agent_ = maker_->Make(
        {.setup = setup_, .space = *space_, .rng = stream, .maker = *maker_, .clock = clock_});
  }
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;

  // By turns, each task's; tells of each candidate what its fate is. Gives the proposals' keys.
  std::vector<Key> Run(const Fate& fate) {
    std::vector<Key> keys;
    for (int turn = 0; turn < kTurns; ++turn) {
      const std::vector<Trial> trials = TrialsOf(Ask(turn), turn % 2, fate);
      for (const Trial& trial : trials) keys.push_back(trial.key);
      if (!trials.empty()) agent_->Learn(trials);
    }
    return keys;
  }

  // What the rules ask of one answer; throws what is wrong with it.
  std::vector<Proposal> Ask(int turn) {
    const int task = turn % 2, count = 1 + 5 * turn % 8;
    std::vector<Proposal> proposals = agent_->Propose(task, count);
    const std::string where = "turn " + std::to_string(turn) + ", task " + std::to_string(task);
    if (std::ssize(proposals) > count) {
      throw InputError(where + ": found " + std::to_string(proposals.size()) +
                       " schedules, expected at most " + std::to_string(count));
    }
    for (const Proposal& one : proposals) CheckProposal(one, task, where);
    return proposals;
  }

  std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, int task, const Fate& fate) {
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) trials.push_back(TrialOf(one, task, fate(number_++)));
    return trials;
  }

  // Of a schedule that the space draws.
  Proposal Draw(int task) {
    Rng rng(7);
    while (true) {
      Result<ScheduleState> state = space_->Sample(setup_.tasks[task].task, rng);
      if (state) return ProposalOf(*std::move(state));
    }
  }

  Agent& agent() { return *agent_; }

 private:
  void CheckProposal(const Proposal& one, int task, const std::string& where) const {
    if (TaskKey(one.state.task()) != TaskKey(*setup_.tasks[task].task)) {
      throw InputError(where + ": found a schedule of another task");
    }
    if (!one.note.empty() && !ParseSpec(one.note)) {
      throw InputError(where + ": found note '" + one.note + "', expected a spec");
    }
  }

  Trial TrialOf(const Proposal& proposal, int task, Outcome outcome) const {
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

  AgentSetup setup_;
  std::unique_ptr<SearchSpace> space_;
  std::shared_ptr<const AgentMaker> maker_;
  SteadyClock clock_;
  int64_t number_ = 0;
  std::unique_ptr<Agent> agent_;
};

struct Subject {
  Spec agent;
  const Catalog& catalog;

  Course Begin() const { return {agent, catalog, 1}; }
};

// Each gives what is wrong, or throws it.
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

std::string BearsFailures(const Subject& subject) {
  for (const Outcome outcome : {Outcome::kWrongOutput, Outcome::kInfra}) {
    subject.Begin().Run([&](int64_t) { return outcome; });
    subject.Begin().Run([&](int64_t i) { return i % 3 == 0 ? outcome : Outcome::kOk; });
  }
  return "";
}

std::string HearsTheRest(const Subject& subject) {
  Course course = subject.Begin();
  std::vector<Trial> known = course.TrialsOf({course.Draw(0)}, 0, Succeeds);
  known[0].told = Told::kKnown;
  course.agent().Learn(known);
  std::vector<Trial> trials = course.TrialsOf(course.Ask(2), 0, Succeeds);
  if (trials.empty()) return "found no schedule after what was known";
  std::vector<Trial> revised = {trials[0]};
  revised[0].told = Told::kRevised;
  trials.back().told = Told::kNotReached;
  trials.back().record = nullptr;
  course.agent().Learn(trials);
  course.agent().Learn(revised);
  course.Ask(2);
  return "";
}

// Of one that learns nothing nothing is asked.
std::string RemembersWhatItSaved(const Subject& subject) {
  Course teacher = subject.Begin();
  teacher.Run(Succeeds);
  Memory* memory = teacher.agent().memory();
  const std::optional<std::string> saved = memory != nullptr ? memory->Save() : std::nullopt;
  if (!saved) return "";
  std::vector<std::vector<Key>> keys;
  for (int i = 0; i < 2; ++i) {
    Course pupil = subject.Begin();
    pupil.agent().memory()->Load(*saved);
    keys.push_back(pupil.Run(Succeeds));
  }
  return keys[0] == keys[1] ? "" : "found other proposals after the same was loaded";
}

std::string RefusesStrangeOptions(const Subject& subject) {
  Spec strange = subject.agent;
  strange.options.push_back({"no_such_option", {int64_t{1}}});
  try {
    Course(strange, subject.catalog, 1);
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

}  // namespace

std::vector<RuleCheck> CheckConformance(const Spec& agent, const Catalog& catalog) {
  catalog.agents.Find(agent);
  const Subject subject = {agent, catalog};
  std::vector<RuleCheck> checks;
  for (const Rule& rule : kRules) checks.push_back({rule.name, FaultIn(rule, subject)});
  return checks;
}

}  // namespace schedulegym
