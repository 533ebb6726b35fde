#include "tests/hostile/long_runs.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include "env/base/clock.h"
#include "env/base/rng.h"
#include "tests/hostile/checker_place.h"
#include "tests/hostile/corpus.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

constexpr double kMostGrowth = 1.05;

// Runs random candidates and counts outcomes.
class MixedRun {
 public:
  MixedRun() : one_(1, PatientLimits()), two_(2, PatientLimits()), late_one_(1), late_two_(2) {}

  void Step() {
    const std::vector<HostileCase>& corpus = HostileCorpus();
    if (rng_.Below(2) == 0) {
      Try({rng_.Below(2) == 0 ? "good" : "good_threads", {Outcome::kOk}, "", 2});
      return;
    }
    Try(corpus[static_cast<size_t>(rng_.Below(static_cast<int64_t>(corpus.size())))]);
  }

  int deaths() const {
    return one_.deaths() + two_.deaths() + late_one_.deaths() + late_two_.deaths();
  }
  int unexpected() const { return unexpected_; }
  int count() const { return count_; }

  void Report() const {
    std::printf("%d candidates, %d with another outcome than expected, %d deaths of a checker\n",
                count_, unexpected_, deaths());
    for (const auto& [outcome, count] : outcomes_) {
      std::printf("  %d %s\n", count, OutcomeName(outcome));
    }
    std::fflush(stdout);
  }

 private:
  void Try(const HostileCase& hostile) {
    CheckerPlace& place = PlaceOf(hostile);
    const std::string object = CandidateObject(hostile.name);
    const Measurement found = IsExpected(hostile, Outcome::kCorruptResult)
                                  ? place.Measure(object, hostile.is_packed)
                                  : place.MeasureCalmly(object, hostile.is_packed);
    ++count_;
    ++outcomes_[found.outcome];
    if (IsExpected(hostile, found.outcome)) return;
    ++unexpected_;
    std::printf("%s: %s: %s\n", hostile.name, OutcomeName(found.outcome), found.message.c_str());
  }

  CheckerPlace& PlaceOf(const HostileCase& hostile) {
    if (IsExpected(hostile, Outcome::kRunTimeout)) {
      return hostile.threads == 1 ? late_one_ : late_two_;
    }
    return hostile.threads == 1 ? one_ : two_;
  }

  Rng rng_{5};
  CheckerPlace one_, two_, late_one_, late_two_;  // the latter for candidates that hang
  std::map<Outcome, int> outcomes_;
  int count_ = 0;
  int unexpected_ = 0;
};

// Waits until the last candidate has ended and a process for the next has replaced it.
TreeFacts FactsAtRest() {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return FactsOfTree(getpid());
}

}  // namespace

int RunMixed(int count) {
  const SteadyClock clock;
  const double begin = clock.Now();
  MixedRun run;
  while (run.count() < count) run.Step();
  run.Report();
  std::printf("%.1f s\n", clock.Now() - begin);
  return run.deaths() + run.unexpected() == 0 ? 0 : 1;
}

int RunSoak(double seconds) {
  constexpr int kWarmUp = 50;  // until everything has been loaded once
  const SteadyClock clock;
  MixedRun run;
  while (run.count() < kWarmUp) run.Step();
  const TreeFacts before = FactsAtRest();
  const double begin = clock.Now();
  while (clock.Now() - begin < seconds) run.Step();
  const TreeFacts after = FactsAtRest();
  run.Report();
  std::printf("resident %.1f -> %.1f MB, descriptors %d -> %d, zombies %d, processes %d -> %d\n",
              before.resident_bytes / 1e6, after.resident_bytes / 1e6, before.descriptors,
              after.descriptors, after.zombies, before.processes, after.processes);
  const bool steady = after.resident_bytes < kMostGrowth * before.resident_bytes &&
                      after.descriptors == before.descriptors && after.zombies == 0 &&
                      after.processes == before.processes;
  return steady && run.deaths() + run.unexpected() == 0 ? 0 : 1;
}

}  // namespace schedulegym
