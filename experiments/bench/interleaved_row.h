// Interleaved row: the timing of one row, to be sent from the timing process to the bench.
#pragma once

#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/bench/bench.h"
#include "experiments/bench/interleaved_result.h"

namespace schedulegym {

// Our contender is named kOurs, each library as in BenchOptions::peers.
struct InterleavedRow {
  static constexpr const char* kName = "row contest";
  static constexpr const char* kOurs = "schedulegym";

  InterleavedResult timing;  // without entries if there was nothing to time
  std::string failure;       // as in BenchRow

  static constexpr auto Fields() {
    return std::tuple(&InterleavedRow::timing, &InterleavedRow::failure);
  }
};

// Pools rows of several processes, at least one. Returns the first failed one, if any, since it may
// lack a kernel of ours.
InterleavedRow PoolInterleavedRows(std::span<const InterleavedRow> interleaved_rows);

// Makes the row of a case, with its own schedule, if any.
BenchRow RowOf(const BenchCase& row_case, const std::vector<std::string>& peers,
               const InterleavedRow& interleaved);

}  // namespace schedulegym
