// TableMeasurer: returns measurements that tables record; nothing runs.
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

// The toolchain in the session of its measurements: recorded, not measured.
std::string TableToolchain(const TableFacts& facts);

struct TableMeasurerOptions {
  // True: each measurement of a success is drawn from its recorded rounds (DrawAnew), so that a
  // search meets the noise under which they were taken. False: every measurement of a schedule is
  // the recorded one.
  bool noise = false;
  // A protocol with settle=cv. Each success keeps the rounds that it would have taken alone, and
  // the clock counts no others. A simulation: rounds of `sample` seconds are assumed.
  std::optional<Protocol> settle = {};
  // The seed, the schedule and the number of its earlier measurements determine each draw,
  // independent of the order of other measurements.
  uint64_t seed = 0;
};

// Searches and episodes on recorded tables, which end the same way each time. The clock counts the
// recorded cost of every returned measurement, repeated ones too. An agent that measures again is
// slower than one that caches, and clocks of agents compare whatever they cache. The agent's own
// time is not counted. Threads may call it concurrently.
class TableMeasurer : public Measurer {
 public:
  // The schedules of a table, and the schedule that its ratios refer to.
  struct Recorded {
    std::shared_ptr<const RecordedStates> states;
    ScheduleState reference;
  };

  // Tables of distinct tasks. Throws InputError if noise or settle is set and a table lacks raw
  // samples.
  explicit TableMeasurer(const std::vector<Recorded>& tables,
                         const TableMeasurerOptions& options = {});
  // Measures by row only, without replaying traces: for episodes on one table, which may be another
  // tuner's. Throws as above.
  explicit TableMeasurer(std::shared_ptr<const Table> table,
                         const TableMeasurerOptions& options = {});

  // Returns the recorded measurements; their session states that nothing was measured. A schedule
  // without a row is the reference, or a kInvalidSchedule at no cost. Rows are those of the only
  // table; without options they have no raw samples, since episodes do not read them.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

  // Seconds that all measurements so far would have cost, to the nanosecond; independent of their
  // order.
  double clock_seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }

 private:
  struct Known {
    std::shared_ptr<const Table> table;
    std::shared_ptr<const RecordedStates> states;  // null: measured by row
    std::optional<Key> reference;                  // with states
    std::shared_ptr<const MeasuringSession> session;
    Protocol protocol = {};  // by which it was made, if raw samples are read
  };
  const Known& Find(const Task& task) const;
  Measurement OfRow(int64_t number);
  Measurement OfState(const ScheduleState& state);
  void Count(double seconds);
  // Applies the options to a recorded success; the key is of the schedule, or of the row.
  void Retime(const TableRow& row, const Known& known, const Key& key, Measurement& measurement);
  Timing Draw(const TableRow& row, IntervalRule rule, const Key& key);
  // Cuts off the rounds that were not needed. Returns the seconds that they took.
  double Settle(Timing& timing, const Protocol& recorded) const;

  std::map<Key, Known> tables_;  // by task
  TableMeasurerOptions options_;
  std::mutex mutex_;
  std::map<Key, int64_t> drawn_;  // number of draws by schedule or row
  std::atomic<int64_t> nanoseconds_ = 0;
};

}  // namespace schedulegym
