// Bench events: what `bench` reports, as JSON events.
#pragma once

#include "experiments/bench/bench_row.h"
#include "experiments/bench/bench_summary.h"
#include "experiments/cli/json.h"

namespace schedulegym {

// Fields of the events `row` and `summary`.
JsonObject RowFields(const BenchRow& row);
JsonObject SummaryFields(const BenchSummary& summary);

}  // namespace schedulegym
