// Searches: an agent's proposals under the tuner, on a made-up machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "env/measure/store/record_store.h"
#include "env/program/task.h"
#include "tests/conformance/doubts.h"

namespace schedulegym {

// A task on a made-up CPU with 256-bit vectors and two cores.
std::shared_ptr<const Task> SmallTask(const std::string& workload);

// A search as typed by a user.
struct SearchWords {
  std::string agent;
  std::string space = "ansor";
  std::string scheduler = "round_robin";
  uint64_t seed = 11;
  int64_t trials = 130;  // enough for every model to be trained and trusted
  int batch = 26;
  double started = 0;                   // seconds later than others: a record's id depends on it
  std::vector<AgentEntry> others = {};  // also available by name
};

// One call of Propose.
struct Round {
  int asked = 0;
  int proposed = 0;
};

struct SearchLog {
  std::vector<Round> rounds;
  std::vector<Record> records;  // of its trials, in order
  std::optional<Record> best;   // the tuner's result for the first task
};

// Runs the tuner. Continues from the records in the store, and adds its own.
SearchLog RunSearch(const SearchWords& words, const std::vector<std::shared_ptr<const Task>>& tasks,
                    Measurer& measurer, RecordStore& store);
// One task without known results.
SearchLog RunSearch(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer);
// Without the tuner: the agent does not receive records that say nothing about their candidate.
SearchLog RunByHand(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer, std::span<const Record> known = {});

std::vector<std::string> TracesOf(const std::vector<Record>& records);

// As fast as the analytical model predicts for the target, with noise that differs between
// measurements.
class MadeUpMachine : public Measurer {
 public:
  // The outcome of each measurement, by its number.
  using Fate = std::function<Outcome(int number)>;

  explicit MadeUpMachine(Fate fate = [](int) { return Outcome::kOk; }) : fate_(std::move(fate)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  int Width() const override { return 3; }
  DeferredResults TakeDeferredResults() override { return doubts_.Take(); }

  // From now on every tenth measurement is followed by a control; each third control is bad.
  void Disturb(const std::shared_ptr<const MeasuringSession>& session) { session_ = session; }

 private:
  Measurement MeasureOne(const Candidate& candidate);
  void Watch();

  Fate fate_;
  int count_ = 0;
  std::shared_ptr<const MeasuringSession> session_;
  Doubts doubts_;
};

}  // namespace schedulegym
