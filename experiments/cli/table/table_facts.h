// TableFacts for users: the contents of a table, as fields and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/gym/tables/table.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// `kind` (`modify`, `construct` or `file`), `workload`, `task`, `target`, `space`, `seed`,
// `protocol`, `host`, `command` (null if unknown), `knobs` (object: name to number of values; null
// for a tree), `points`, `ok`, `failed` (object: outcome to count), `reference_seconds`, `best` and
// `worst` (null, or `row`, `seconds`, `ratio`), `chance` (the random baseline: null without a
// success, or `trials`, 64, `ratio`, the median of the best of so many random points, null for a
// failure, and `of_best`, that over the best), `within_10_percent` (of the best, share of points,
// null without a success), `noise` (null without ten rows with samples, or `ceiling`, the speed of
// the ten best by half of the rounds in the other half, and `rank_correlation` of both halves over
// `rows`, the best 300), `measure_seconds` (of all points), `samples` (raw ones kept, of all
// points).
JsonObject TableFields(const Table& table);
std::string TableFactsText(const Table& table);

// The random baseline of a table: how hard it is to find its best by random search.
struct TableRandomBaseline {
  int64_t trials = 64;          // of a search; all points if there are fewer
  std::optional<double> speed;  // median best over searches; nullopt: a failure
  double of_best = 0;           // that, over the best of all; 0 for a failure
  double near = 0;              // share of all points within 10 % of the best
};

// Computes the baseline from the speed of each point, nullopt for a failure. Exact, by order
// statistics of 64 draws without replacement. nullopt without a success.
std::optional<TableRandomBaseline> RandomBaselineOf(std::span<const std::optional<double>> speeds);

}  // namespace schedulegym
