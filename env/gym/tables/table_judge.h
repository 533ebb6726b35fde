// TableJudge: judges places by their rows of a table, and keeps the time that measuring would take.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "env/gym/evaluators/judge.h"
#include "env/gym/tables/table.h"

namespace schedulegym {

// The clock counts what every answer would have cost, one given before too: an agent that asks
// again is slower than one that remembers, and two agents' clocks compare whatever they cache. The
// agent's own time is not in it.
class TableJudge : public Judge {
 public:
  explicit TableJudge(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  std::string Name() const override { return "table"; }
  // What has no row is a kInvalidSchedule, at no cost.
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return false; }

  const Table& table() const { return *table_; }
  // What asking about a place costs.
  double CostOf(const Walk& place) const;
  // Of all answers so far, to the nanosecond; the same in whatever order they were given.
  double clock_seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }
  int64_t answers() const { return answers_; }

 private:
  std::shared_ptr<const Table> table_;
  std::atomic<int64_t> nanoseconds_ = 0;
  std::atomic<int64_t> answers_ = 0;
};

}  // namespace schedulegym
