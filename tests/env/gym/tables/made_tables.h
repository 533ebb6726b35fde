// MadeTables: tables for tests, of real schedules whose times are made up.
#pragma once

#include <memory>
#include <string>

#include "env/gym/tables/table.h"

namespace schedulegym {

// The product that most tables of tests are of.
inline constexpr const char* kTableMatmul =
    "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";

// What a row gives, by its number alone: every seventh fails, no two successes are alike.
TableRow MadeRow(int64_t row);

// The same table, whose successes have the raw samples of nine rounds, a percent apart or so,
// around their ratio, and which knows the command `made`.
std::shared_ptr<const Table> WithSamples(const Table& table);

// A sketch of space `ansor`, thinned; every fifth point is not recorded.
std::shared_ptr<const Table> MadeGrid(const std::shared_ptr<const Task>& task, int64_t points);

std::shared_ptr<const Table> MadeTree(const std::shared_ptr<const Task>& task, int64_t points);

// A T4 file of two parameters with a choice, `block` of 32, 64, 128 and `unroll` of 0, 1, and
// `filter`, which has none. In milliseconds: {32,0} 4, {32,1} 2, {64,0} a compile error, {64,1} 1,
// {128,0} 3; {128,1} was never tried.
std::string MadeResults();
// The T1 file that goes with it: its values are in the order 64, 32, 128; the default is {32,0}.
std::string MadeInput();
std::shared_ptr<const Table> MadeTunerTable();

}  // namespace schedulegym
