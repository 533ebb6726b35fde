// Row contest: what was timed for one row, on its way from the process that timed to the row.
#pragma once

#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/bench/bench.h"
#include "experiments/bench/interleaved_result.h"

namespace schedulegym {

// Of the contenders ours is called kOurs, each library what it is called in BenchOptions::peers.
struct InterleavedRow {
  static constexpr const char* kName = "row contest";
  static constexpr const char* kOurs = "schedulegym";

  InterleavedResult timing;  // without entries: there was nothing to time
  std::string failure;       // as in BenchRow

  static constexpr auto Fields() {
    return std::tuple(&InterleavedRow::timing, &InterleavedRow::failure);
  }
};

// Of several processes; the first that failed stands for all, for it may lack a kernel of ours. Not
// empty.
InterleavedRow PoolInterleavedRows(std::span<const InterleavedRow> interleaved_rows);

// The row of a case whose schedule, if any, stands in it.
BenchRow RowOf(const BenchCase& row_case, const std::vector<std::string>& peers,
               const InterleavedRow& interleaved);

}  // namespace schedulegym
