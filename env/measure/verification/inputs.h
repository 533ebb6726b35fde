// Inputs: values of a computation's inputs for verification and timing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

// Small integers with which a computation is exact in every order, so that all its schedules must
// agree bit for bit.
struct ExactPlan {
  // Positions in dag.outputs() whose values are exact, or one correctly rounded operation (sqrt, /)
  // away from exact ones. Empty: bits cannot be compared, as after exp or division.
  std::vector<int> outputs;
  // Inputs are drawn from -range .. range.
  int64_t range = 0;
  // By input, other ranges with which it is exact too, as unequal as can be: the first floating
  // input takes what the types hold while the others are -1 .. 1. Numbers that need more bits than
  // the types of lower precision have: matrix units that round their inputs are found out, however
  // long the sums.
  std::vector<int64_t> wide;
  // Some integer is divided by values that are not constant: inputs are drawn from 1 .. range.
  bool positive = false;
  // Why an output is missing; "" if none is.
  std::string reason;
};

// Every partial sum of every order stays within the integers that its type holds without gaps
// (2^24 for f32), which the worst case of each tensor proves.
ExactPlan PlanExact(const ComputeDag& dag);

enum class InputPattern : uint8_t {
  kIntegers,        // as the ExactPlan says
  kSparseIntegers,  // the same, three of four zero unless it asks for positive ones
  kReals,           // uniform in [-1, 1); integers: all values of their type
  kPositiveReals,   // uniform in [0.25, 1.25); integers: 1 to 100
};

// Version of the inputs of tasks: their protocol, and how often their generation has changed.
// Results for other versions do not apply.
inline constexpr const char* kInputsName = "cpu1, 1";

// Seed of the task's inputs that are the same in every session, so that results about them stay
// valid.
uint64_t InputSeed(const Key& task);

// Fills the dense row-major memory of one input.
void FillInput(const Tensor& tensor, InputPattern pattern, const ExactPlan& plan, Rng& rng,
               void* memory);

}  // namespace schedulegym
