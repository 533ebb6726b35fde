// Verify: compares what a kernel wrote with what it should have written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Fills an output with a pattern (NaNs, for floating types) that tells cells that nobody wrote.
void Poison(const Tensor& tensor, void* memory);

// The first cell that still holds it, such as "C[3, 4] was not written". Integers can have that
// value by chance: for them, only when all cells have it.
std::optional<std::string> FindPoison(const Tensor& tensor, const void* memory);

// Each answers the first difference in one line, such as "C[3, 4] is 5.0, expected 6.0", and
// nothing when all cells agree.

// Equal values, so equal bits but for the sign of zeros.
std::optional<std::string> CompareExact(const Tensor& tensor, const void* found,
                                        const void* expected);
// |found - expected| <= bound + FinalRounding in every cell; `bounds` empty means 0. Where the
// expected value is not finite the found one is the same; where only the bound is not finite,
// nothing can be said.
std::optional<std::string> CompareBounded(const Tensor& tensor, const void* found,
                                          std::span<const double> expected,
                                          std::span<const double> bounds);

// Position of a cell in dense row-major order, as "[3, 4]".
std::string IndexText(const Tensor& tensor, int64_t flat);

// Of a large memory, at its speed.
uint64_t HashMemory(const void* memory, int64_t bytes);

}  // namespace schedulegym
