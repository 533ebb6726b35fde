// Bench rows as lines of a table, for people.
#pragma once

#include <string>

#include "experiments/bench/bench.h"

namespace schedulegym {

// Names the columns of BenchRowText.
std::string BenchHeaderText();
// One line, and one more for a failure. A dash stands for what is unknown.
std::string BenchRowText(const BenchRow& row);
std::string BenchSummaryText(const BenchSummary& summary);

}  // namespace schedulegym
