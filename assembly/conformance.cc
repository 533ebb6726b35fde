#include "assembly/conformance.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "assembly/conformance_course.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

using Tasks = std::vector<std::shared_ptr<const Task>>;

struct Subject {
  Spec agent;
  const Catalog& catalog;
  double answer_seconds;

  ConformanceCourse Begin() const { return Of(OrdinaryTasks()); }
  ConformanceCourse Of(Tasks tasks) const { return Within(std::move(tasks), Budget{64, {}}); }
  ConformanceCourse Within(Tasks tasks, std::optional<Budget> budget) const {
    return {agent, catalog, CoursePlan{std::move(tasks), budget, answer_seconds}};
  }
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

// One may give up where all its candidates failed, but not for the machine's sake. It is asked
// twice: with the first answer it may change its mind.
std::string BearsFailures(const Subject& subject) {
  for (const Outcome outcome : {Outcome::kWrongOutput, Outcome::kInfra}) {
    ConformanceCourse course = subject.Begin();
    course.Run([&](int64_t) { return outcome; });
    const bool has_more = !course.Ask(0, 8).empty() || !course.Ask(0, 8).empty();
    if (!has_more && !MayLearnFrom(outcome)) return "found no schedule once the machine had failed";
    subject.Begin().Run([&](int64_t i) { return i % 3 == 0 ? outcome : Outcome::kOk; });
  }
  return "";
}

std::string HearsTheRest(const Subject& subject) {
  ConformanceCourse course = subject.Begin();
  std::vector<Trial> known = course.TrialsOf({course.Draw(0)}, 0, Told::kKnown);
  course.Tell(known);
  std::vector<Trial> trials = course.TrialsOf(course.Ask(0, 3), 0, Succeeds);
  if (trials.empty()) return "found no schedule after what was known";
  std::vector<Trial> revised = {trials[0]};
  revised[0].told = Told::kRevised;
  trials.back().told = Told::kNotReached;
  trials.back().record = nullptr;
  course.Tell(trials);
  course.Tell(revised);
  course.Ask(0, 3);
  return "";
}

// Where there is no other schedule.
std::string ProposesAgainWhatWasLost(const Subject& subject) {
  for (const Told told : {Told::kNotReached, Told::kSaysNothing}) {
    ConformanceCourse course = subject.Of(TaskOfOneSchedule());
    const std::vector<Proposal> first = course.Ask(0, 4);
    if (first.empty()) return "found none in a space of one schedule";
    course.Tell(course.TrialsOf(first, 0, told));
    if (course.Ask(0, 4).empty()) {
      return "found none once the only schedule was told as " + std::string(ToldName(told));
    }
  }
  return "";
}

// Until it has none twice. Whether it finds all, or repeats itself, is its own affair; that it
// answers is not.
bool SearchesToTheEnd(ConformanceCourse&& course, const Fate& fate) {
  constexpr int kMostQuestions = 24;
  int found = 0;
  for (int i = 0, none = 0; i < kMostQuestions && none < 2; ++i) {
    const std::vector<Trial> trials = course.TrialsOf(course.Ask(0, 4), 0, fate);
    none = trials.empty() ? none + 1 : 0;
    found += static_cast<int>(trials.size());
    if (!trials.empty()) course.Tell(trials);
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
    ConformanceCourse course = subject.Within(OrdinaryTasks(), budget);
    const int64_t trials = budget ? budget->trials : kMostQuestions;
    for (int i = 0; i < std::min<int64_t>(trials, kMostQuestions); ++i) {
      const std::vector<Proposal> proposals = course.Ask(1, 1);
      if (proposals.empty()) {
        return "found no schedule in question " + std::to_string(i) + " of " +
               std::to_string(trials) + " trials";
      }
      course.Tell(course.TrialsOf(proposals, 1, Succeeds));
    }
  }
  return "";
}

// The best of some tries, for the machine may be busy.
double LeastSecondsToStop(const Subject& subject, int questions_before, double enough) {
  constexpr int kTries = 3;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries && least > enough; ++i) {
    ConformanceCourse course = subject.Begin();
    course.Run(Succeeds, questions_before);
    least = std::min(least, course.SecondsToStop());
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

// Of one that learns nothing nothing is asked.
std::string RemembersWhatItSaved(const Subject& subject) {
  ConformanceCourse teacher = subject.Begin();
  teacher.Run(Succeeds);
  Memory* memory = teacher.agent().memory();
  const std::optional<std::string> saved = memory != nullptr ? memory->Save() : std::nullopt;
  if (!saved) return "";
  std::vector<std::vector<Key>> keys;
  for (int i = 0; i < 2; ++i) {
    ConformanceCourse pupil = subject.Begin();
    pupil.agent().memory()->Load(*saved);
    keys.push_back(pupil.Run(Succeeds));
  }
  return keys[0] == keys[1] ? "" : "found other proposals after the same was loaded";
}

std::string RefusesStrangeOptions(const Subject& subject) {
  subject.Begin();  // what cannot be made at all refuses nothing
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

}  // namespace

std::vector<RuleCheck> CheckConformance(const Spec& agent, const Catalog& catalog,
                                        double answer_seconds) {
  catalog.agents.Find(agent);
  const Subject subject = {agent, catalog, answer_seconds};
  std::vector<RuleCheck> checks;
  for (const Rule& rule : kRules) checks.push_back({rule.name, FaultIn(rule, subject)});
  return checks;
}

}  // namespace schedulegym
