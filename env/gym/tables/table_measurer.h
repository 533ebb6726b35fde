// TableMeasurer: answers as a measurer does, from tables; nothing runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "env/gym/tables/table.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// What its records name as the maker of their machine code: recorded, not measured.
std::string TableToolchain(const TableFacts& facts);

struct TableMeasurerOptions {
  // Whether each measurement of a success is drawn anew from the rounds that were recorded
  // (DrawAnew), so that a search meets noise as it would where these were taken; else every
  // measurement of a schedule is the recorded one.
  bool noise = false;
  // By a protocol with settle=cv: each success has the rounds that it would have taken alone, and
  // the clock counts no others. What if, not measured: rounds of `sample` seconds are assumed.
  std::optional<Protocol> settle = {};
  // With the schedule, and how often it was measured before, it decides what is drawn, in whatever
  // order others are measured.
  uint64_t seed = 0;
};

// Searches and episodes among what tables record, which end the same way each time. The clock
// counts what every answer would have cost, one given before too: an agent that asks again is
// slower than one that remembers, and two agents' clocks compare whatever they cache. The agent's
// own time is not in it. Threads may ask at once.
class TableMeasurer : public Measurer {
 public:
  // What a table records, and the schedule that its ratios are of.
  struct Recorded {
    std::shared_ptr<const RecordedStates> states;
    ScheduleState reference;
  };

  // Of distinct tasks. Throws InputError where noise or settle is asked for and a table
  // lacks raw samples.
  explicit TableMeasurer(const std::vector<Recorded>& tables,
                         const TableMeasurerOptions& options = {});
  // By row alone, without replaying a trace: of episodes on one table, another tuner's included.
  // Throws as above.
  explicit TableMeasurer(std::shared_ptr<const Table> table,
                         const TableMeasurerOptions& options = {});

  // As their rows have it, but for the session, which says that nothing was measured. A schedule
  // that is no row is the reference, or a kInvalidSchedule at no cost. What is asked about by row
  // is of the one table; without options it has no raw samples: episodes do not look at them.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

  // What all answers so far would have cost, to the nanosecond; the same in whatever order they
  // were given.
  double clock_seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }

 private:
  struct Known {
    std::shared_ptr<const Table> table;
    std::shared_ptr<const RecordedStates> states;  // null: asked about by row
    std::optional<Key> reference;                  // with states
    std::shared_ptr<const MeasuringSession> session;
    Protocol protocol = {};  // that it was made with, where raw samples are read
  };
  const Known& Find(const Task& task) const;
  Measurement OfRow(int64_t number);
  Measurement OfState(const ScheduleState& state);
  void Count(double seconds);
  // What the options make of a recorded success; the key is of the schedule, or of the row.
  void Retime(const TableRow& row, const Known& known, const Key& key, Measurement& measurement);
  Timing Draw(const TableRow& row, IntervalRule rule, const Key& key);
  // Cuts off the rounds that were not needed; the seconds that they took.
  double Settle(Timing& timing, const Protocol& recorded) const;

  std::map<Key, Known> tables_;  // by task
  TableMeasurerOptions options_;
  std::mutex mutex_;
  std::map<Key, int64_t> drawn_;  // by schedule or row, how often
  std::atomic<int64_t> nanoseconds_ = 0;
};

}  // namespace schedulegym
