// MadeTables: tables for tests, of real schedules whose times are made up.
#pragma once

#include <memory>
#include <string>

#include "env/gym/tables/table.h"

namespace schedulegym {

// The product in most tables of the tests.
inline constexpr const char* kTableMatmul =
    "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";

// The result of a row, from its number: every seventh fails, all successes differ.
TableRow MadeRow(int64_t row);

// The same table with raw samples for each success (nine rounds, about a percent apart, around its
// ratio) and the command `made`.
std::shared_ptr<const Table> WithSamples(const Table& table);

// A sketch of space `ansor`, thinned; every fifth point is not recorded.
std::shared_ptr<const Table> MadeGrid(const std::shared_ptr<const Task>& task, int64_t points);

std::shared_ptr<const Table> MadeTree(const std::shared_ptr<const Task>& task, int64_t points);

// A T4 file of two parameters with a choice (`block` of 32, 64, 128; `unroll` of 0, 1) and
// `filter`, which has none. In milliseconds: {32,0} 4, {32,1} 2, {64,0} a compile error, {64,1} 1,
// {128,0} 3; {128,1} was not measured.
std::string MadeResults();
// The T1 file that goes with it: its values are in the order 64, 32, 128; the default is {32,0}.
std::string MadeInput();
std::shared_ptr<const Table> MadeTunerTable();

}  // namespace schedulegym
