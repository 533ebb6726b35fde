// Searches: what an agent proposes under the tuner, on a machine that a test makes up.
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

// Of a made-up CPU with vectors of 256 bits and two cores.
std::shared_ptr<const Task> SmallTask(const std::string& workload);

// A search as a user types it.
struct SearchWords {
  std::string agent;
  std::string space = "ansor";
  std::string scheduler = "round_robin";
  uint64_t seed = 11;
  int64_t trials = 130;  // enough for every model to be trained and believed
  int batch = 26;
  double started = 0;                   // how much later than others: a record's id holds the time
  std::vector<AgentEntry> others = {};  // that may be named, too
};

// One question to an agent.
struct Round {
  int asked = 0;
  int proposed = 0;
};

struct SearchLog {
  std::vector<Round> rounds;
  std::vector<Record> records;  // of its trials, in order
  std::optional<Record> best;   // what the tuner ends the first task with
};

// Under the tuner. Goes on from what the store knows, and leaves its records there.
SearchLog RunSearch(const SearchWords& words, const std::vector<std::shared_ptr<const Task>>& tasks,
                    Measurer& measurer, RecordStore& store);
// One task, nothing known before.
SearchLog RunSearch(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer);
// Without the tuner: the agent is not shown a record that does not say anything about its
// candidate.
SearchLog RunByHand(const SearchWords& words, const std::shared_ptr<const Task>& task,
                    Measurer& measurer, std::span<const Record> known = {});

std::vector<std::string> TracesOf(const std::vector<Record>& records);

// As fast as the target's analytical estimate says, but for some noise, which differs from
// measurement to measurement.
class MadeUpMachine : public Measurer {
 public:
  // What becomes of each measurement, by its number.
  using Fate = std::function<Outcome(int number)>;

  explicit MadeUpMachine(Fate fate = [](int) { return Outcome::kOk; }) : fate_(std::move(fate)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  int Width() const override { return 3; }
  DeferredResults TakeDeferredResults() override { return doubts_.Take(); }

  // From now on a control measurement follows every tenth measurement, and each third one is bad.
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
