// Verifier: decides whether kernels of one task compute what the task says, in this very process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/runner/verification/expectations.h"
#include "backends/runner/verification/failure.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "env/measure/timing/aligned_buffer.h"
#include "env/program/task.h"

namespace schedulegym {

class Verifier {
 public:
  // Throws what Expectations throws. `expects_timed`: what the inputs for timing give is found out,
  // too, for OnTimed.
  Verifier(std::shared_ptr<const Task> task, const TrustedMeans& means, uint64_t seed,
           bool expects_timed = false);

  // Plain tensors, real inputs and one set of outputs, for every kernel that is verified or timed.
  std::span<void* const> arguments() { return sets_.at(reals()).arguments; }

  // Both gates: small integers, dense and sparse, bit for bit where the computation allows it; then
  // reals within their bounds. Leaves the kernel bound to arguments() with weights packed.
  std::optional<Failure> Before(PreparedKernel& kernel);
  // The reals once more, after timing: right, and the same bits as before.
  std::optional<Failure> After(PreparedKernel& kernel);
  // Reals of the inputs for timing.
  std::optional<Failure> OnTimed(PreparedKernel& kernel);

  const Expectations& expectations() const { return expectations_; }
  const std::string& inexact_reason() const { return expectations_.inexact_reason(); }

 private:
  struct InputSet {
    std::vector<AlignedBuffer> inputs;
    uint64_t hash = 0;
    std::vector<void*> arguments;
  };

  size_t reals() const { return expectations_.size() - 1; }
  void AddSet(size_t set);
  void Fill(size_t set);
  std::optional<Failure> Run(PreparedKernel& kernel, size_t set);
  std::optional<Failure> CheckMemory(const PreparedKernel& kernel, size_t set);
  std::span<void* const> InputsOf(const InputSet& set) const;

  Expectations expectations_;
  std::vector<AlignedBuffer> outputs_;  // of the kernel under test
  std::vector<InputSet> sets_;          // as the expectations number them, then those for timing
  uint64_t output_hash_ = 0;            // of the reals, before timing
};

}  // namespace schedulegym
