// TableFacts as a user sees them: what a table holds, as fields and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/gym/tables/table.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// `kind` (`modify`, `construct` or `file`), `workload`, `task`, `target`, `space`, `seed`,
// `protocol`, `host`, `command` (null where it is not known), `knobs` (object: name to number of
// values; null of a tree), `points`, `ok`, `failed` (object: outcome to count),
// `reference_seconds`, `best` and `worst` (null, or `row`, `seconds`, `ratio`), `chance`
// (null without a success, or `trials`, 64, `ratio`, the median of the best that so many random
// ones find, null of a failure, and `of_best`, that over the best), `within_10_percent` (of the
// best, share of points, null without a success), `noise` (null without ten rows that kept samples,
// or `ceiling`, what the ten best by half of the rounds are worth by the other, and
// `rank_correlation` of both halves over `rows`, the best 300), `measure_seconds` (of all points),
// `samples` (raw ones kept, of all points).
JsonObject TableFields(const Table& table);
std::string TableFactsText(const Table& table);

// How hard it is to find the best of a table by chance.
struct TableRandomBaseline {
  int64_t trials = 64;          // of a search, or all points where there are fewer
  std::optional<double> speed;  // median over searches of the best they find; none: a failure
  double of_best = 0;           // that, over the best of all; 0 of a failure
  double near = 0;              // share of all points within 10 % of the best
};

// Of the speed of each point, none of a failure: exact, by order statistics of 64 draws without
// replacement. None where nothing succeeded.
std::optional<TableRandomBaseline> RandomBaselineOf(std::span<const std::optional<double>> speeds);

}  // namespace schedulegym
