// Verifier: decides whether kernels of one task compute what the task says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/runner/prepared_kernel.h"
#include "backends/runner/trusted_outputs.h"
#include "env/measure/aligned_buffer.h"
#include "env/measure/exact_plan.h"
#include "env/measure/inputs.h"
#include "env/measure/outcome.h"
#include "env/program/task.h"

namespace schedulegym {

// Why a kernel is not to be timed or trusted.
struct Failure {
  Outcome outcome = Outcome::kWrongOutput;
  std::string message;
};

class Verifier {
 public:
  // Makes inputs and what they must give. Throws InputError for types that nothing here supports,
  // std::logic_error when the means of trust disagree.
  Verifier(std::shared_ptr<const Task> task, const TrustedMeans& means, uint64_t seed);

  // Plain tensors, real inputs and one set of outputs, for every kernel that is verified or timed.
  std::span<void* const> arguments() { return sets_.back().arguments; }

  // Both gates: small integers, dense and sparse, bit for bit where the computation allows it; then
  // reals within their bounds. Leaves the kernel bound to arguments() with weights packed.
  std::optional<Failure> Before(PreparedKernel& kernel);
  // The reals once more, after timing: right, and the same bits as before.
  std::optional<Failure> After(PreparedKernel& kernel);

  // "" or why bits are not compared in some output.
  const std::string& inexact_reason() const { return plan_.reason; }

 private:
  struct InputSet {
    InputPattern pattern = InputPattern::kReals;
    uint64_t seed = 0;
    std::vector<AlignedBuffer> inputs;
    uint64_t hash = 0;
    std::vector<void*> arguments;
    std::vector<AlignedBuffer> exact;  // by output; empty for reals
  };

  void AddExactSet(InputPattern pattern, uint64_t seed, const TrustedMeans& means);
  void AddRealSet(uint64_t seed, const TrustedMeans& means);
  InputSet MakeSet(InputPattern pattern, uint64_t seed);
  void Fill(InputSet& set);
  uint64_t HashInputs(const InputSet& set) const;
  bool AllFinite() const;
  std::optional<Failure> Run(PreparedKernel& kernel, InputSet& set);
  std::optional<Failure> CheckMemory(const PreparedKernel& kernel, InputSet& set);
  std::optional<std::string> CompareExactly(const InputSet& set) const;
  std::optional<std::string> CompareReals() const;
  std::span<void* const> InputsOf(const InputSet& set) const;
  const Tensor& Output(size_t position) const;
  uint64_t HashOutputs() const;

  std::shared_ptr<const Task> task_;
  ExactPlan plan_;
  std::vector<AlignedBuffer> outputs_;  // of the kernel under test
  std::vector<InputSet> sets_;          // exact ones, then the reals
  RealOutputs real_;                    // empty where no bound is known
  uint64_t output_hash_ = 0;            // of the reals, before timing
};

}  // namespace schedulegym
