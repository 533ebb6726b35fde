// Bench rows as lines of a table, for people.
#pragma once

#include <string>

#include "experiments/bench/bench.h"

namespace schedulegym {

// Names the columns of BenchRowText.
std::string BenchHeaderText();
// One line, and another for a failure. Unknown values are "-".
std::string BenchRowText(const BenchRow& row);
std::string BenchSummaryText(const BenchSummary& summary);

}  // namespace schedulegym
