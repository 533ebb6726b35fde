// Inputs: what verification and timing fill a computation's inputs with.
#pragma once

#include <cstdint>

#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/measure/verification/exact_plan.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

enum class InputPattern : uint8_t {
  kIntegers,        // as the ExactPlan says
  kSparseIntegers,  // the same, three of four zero unless it asks for positive ones
  kReals,           // uniform in [-1, 1); integers: all values of their type
  kPositiveReals,   // uniform in [0.25, 1.25); integers: 1 to 100
};

// Which inputs a task has: those of this protocol, and how often their making was changed. What was
// found out about other ones says nothing of these.
inline constexpr const char* kInputsName = "cpu1, 1";

// Of all inputs of a task that are the same in every session, so that what was found out about them
// once stays true.
uint64_t InputSeed(const Key& task);

// Throws InputError where an input has a type that cannot be filled, or an output one that cannot
// be compared, so that tasks are refused before anything is tried.
void CheckCanFill(const ComputeDag& dag);

// Fills the dense row-major memory of one input.
void FillInput(const Tensor& tensor, InputPattern pattern, const ExactPlan& plan, Rng& rng,
               void* memory);

}  // namespace schedulegym
