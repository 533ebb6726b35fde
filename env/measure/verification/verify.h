// Verify: compares a kernel's outputs with the expected ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Fills an output with a pattern (NaNs, for floating types) that marks unwritten cells.
void Poison(const Tensor& tensor, void* memory);

// Returns the first cell that still holds it, such as "C[3, 4] was not written"; nullopt if none
// does. Integers can have that value by chance: reports them only if all cells have it.
std::optional<std::string> FindPoison(const Tensor& tensor, const void* memory);

// Each returns the first difference in one line, such as "C[3, 4] is 5.0, expected 6.0"; nullopt if
// all cells agree.

// Equal values, so equal bits but for the sign of zeros.
std::optional<std::string> CompareExact(const Tensor& tensor, const void* found,
                                        const void* expected);
// |found - expected| <= bound + FinalRounding in every cell; `bounds` empty means 0. Where the
// expected value is not finite the found one must be the same; where only the bound is not finite,
// any value but the poison passes.
std::optional<std::string> CompareBounded(const Tensor& tensor, const void* found,
                                          std::span<const double> expected,
                                          std::span<const double> bounds);

// Position of a cell in dense row-major order, as "[3, 4]".
std::string IndexText(const Tensor& tensor, int64_t flat);

// Hashes a large memory at memory speed.
uint64_t HashMemory(const void* memory, int64_t bytes);

}  // namespace schedulegym
