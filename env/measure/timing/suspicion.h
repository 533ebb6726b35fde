// Suspicion: what is too good, or says too little, to be believed at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "env/measure/measurement.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// Of the cells, how many are 0 or -0; f64, f32, i32, i8.
int64_t CountZeros(DType type, const void* cells, int64_t count);

// Inputs that make more of an output zero than this (oneDNN's benchdnn calls such a test
// mistrusted) are joined by others. A ReLU's half may stay: then it is said, and is no failure.
constexpr double kMostZeros = 0.3;

// Why a candidate is to be verified again on inputs that nobody has seen before it is believed:
// more than ten times as fast as the best that is known (the reference, where that is faster), or
// than the machine can be (`outcome` is kImpossibleTime). "" where there is no reason.
std::string SuspicionOf(const Measurement& measurement, std::optional<double> best_ratio);

}  // namespace schedulegym
