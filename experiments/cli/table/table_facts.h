// TableFacts as a user sees them: what a table holds, as fields and as text.
#pragma once

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
// best, share of points, null without a success), `measure_seconds` (of all points), `samples` (raw
// ones kept, of all points).
JsonObject TableFields(const Table& table);
std::string TableFactsText(const Table& table);

}  // namespace schedulegym
