// Verifier: checks, in this process, whether kernels of one task compute the task's outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "backends/runner/verification/failure.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "backends/runner/verification/reference_outputs.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "env/base/result.h"
#include "env/measure/timing/timing_memory.h"
#include "env/program/task.h"

namespace schedulegym {

class Verifier {
 public:
  // Throws what ReferenceOutputs throws. `expects_timed`: also computes the outputs of the inputs
  // for timing, for OnTimed.
  Verifier(std::shared_ptr<const Task> task, const ReferenceBackend& means, uint64_t seed,
           bool expects_timed = false);

  // Plain tensors, real inputs and one set of outputs, for every kernel that is verified or timed.
  std::span<void* const> arguments() { return sets_.at(reals()).arguments; }

  // Before timing: small integers, dense and sparse, bit for bit where the computation allows it;
  // then reals within their bounds. Leaves the kernel bound to arguments() with weights packed.
  std::optional<Failure> Before(PreparedKernel& kernel);
  // Checks the reals again after timing: correct, and the same bits as before.
  std::optional<Failure> After(PreparedKernel& kernel);
  // Checks the reals of the inputs for timing.
  std::optional<Failure> OnTimed(PreparedKernel& kernel);

  const ReferenceOutputs& reference_outputs() const { return reference_outputs_; }
  const std::string& inexact_reason() const { return reference_outputs_.inexact_reason(); }

 private:
  struct InputSet {
    std::vector<AlignedBuffer> inputs;
    uint64_t hash = 0;
    std::vector<void*> arguments;
  };

  size_t reals() const { return reference_outputs_.size() - 1; }
  void AddSet(size_t set);
  void Fill(size_t set);
  std::optional<Failure> Run(PreparedKernel& kernel, size_t set);
  std::optional<Failure> CheckMemory(const PreparedKernel& kernel, size_t set);
  std::span<void* const> InputsOf(const InputSet& set) const;

  ReferenceOutputs reference_outputs_;
  std::vector<AlignedBuffer> outputs_;  // of the kernel under test
  std::vector<InputSet> sets_;          // as the expectations number them, then those for timing
  uint64_t output_hash_ = 0;            // of the reals, before timing
};

// Reference check: whether a task's reference, and the outputs that candidates are compared with,
// are right in every cell.
struct ReferenceCheckMeans {
  const Backend& backend;      // of the task's target
  const Backend& interpreter;  // runs definitions as they stand, checks every access
  const ReferenceFunction& reference;
  // Code of the reference schedule, as candidates are paired with it. nullopt if candidates run
  // elsewhere: then `backend` compiles the schedule.
  std::optional<ObjectCode> code;
};

// Limit: a naive program of more operations takes some minutes, and its outputs some gigabytes.
inline constexpr double kMostCheckedFlops = 3e10;
// Number of operations that the interpreter runs in some seconds.
inline constexpr double kMostInterpretedFlops = 1e7;

// Compares the naive program, compiled without transformations, with the interpreter at shrunk
// shapes of the same computation, or at the task's own if that is small. Then runs it at the task's
// shape on every set of inputs, also those for timing. In every cell, the reference's code must
// give the same integers bit for bit and reals within their bounds, and the outputs that candidates
// are compared with must be the same. The error is kRun and says where they differ. Takes seconds
// if the naive program does. Throws what ReferenceOutputs throws.
Result<void> CheckReference(const std::shared_ptr<const Task>& task,
                            const ReferenceCheckMeans& means, uint64_t seed);

}  // namespace schedulegym
