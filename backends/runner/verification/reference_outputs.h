// ReferenceOutputs: the input sets of a task, and the correct outputs for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/runner/verification/trusted_outputs.h"
#include "env/measure/timing/timing_memory.h"
#include "env/measure/verification/inputs.h"
#include "env/program/task.h"

namespace schedulegym {

// The sets: integers where the computation is exact on them, small and dense, then wide and sparse;
// then reals, preceded by positive ones if signed ones leave many zeros and those fewer.
class ReferenceOutputs {
 public:
  // Throws InputError for unsupported types, std::logic_error if the means of trust disagree.
  ReferenceOutputs(std::shared_ptr<const Task> task, const ReferenceBackend& means, uint64_t seed);

  const ComputeDag& dag() const { return task_->dag; }
  const Tensor& Output(size_t position) const;
  // Sizes of each input, and of each output.
  std::vector<int64_t> InputBytes() const;
  std::vector<int64_t> OutputBytes() const;

  // Number of sets; the last one is of reals.
  size_t size() const { return sets_.size(); }
  // Writes a set's inputs to plain tensors, always the same.
  void Fill(size_t set, std::span<void* const> inputs) const;
  // Writes the inputs for timing: reals of no other set. The reference runs beside the candidate,
  // and so leaves no correct output of another set behind.
  void FillForTiming(std::span<void* const> inputs) const;
  // Computes the outputs of the inputs for timing, which Compare(size(), ...) needs.
  void ExpectTimed(const ReferenceBackend& means);

  // Returns the first difference in one line; nullopt if all is right. If the errors of reals have
  // no bounds in this computation, it checks only that every cell was written.
  std::optional<std::string> Compare(size_t set, std::span<void* const> outputs) const;

  // Returns the first difference, in one line, from outputs of the same task and seed that more
  // trusted means made. Includes the inputs for timing if both have outputs for them.
  std::optional<std::string> DifferenceFrom(const ReferenceOutputs& trusted) const;

  // Why bits are not compared in some output; "" if they are compared in all.
  const std::string& inexact_reason() const { return plan_.reason; }
  // The output that is mostly zero, or has cells without a bound, on all reals; "" if none. An
  // error there may go unnoticed.
  const std::string& mistrust() const { return mistrust_; }

 private:
  struct Set {
    InputPattern pattern = InputPattern::kReals;
    uint64_t seed = 0;
    std::vector<AlignedBuffer> exact = {};  // by output; empty for reals
    RealOutputs real = {};                  // empty without a known bound, and for integers
  };
  void AddExactSet(InputPattern pattern, uint64_t seed, const ReferenceBackend& means);
  void AddRealSets(uint64_t seed, const ReferenceBackend& means);
  Set MakeRealSet(InputPattern pattern, uint64_t seed, const ErrorDag& error_dag,
                  const ReferenceBackend& means) const;
  void FillSet(InputPattern pattern, uint64_t seed, std::span<void* const> inputs) const;
  // Adds positive inputs beside the signed ones, or instead of them.
  void AddPositiveSet(Set& reals, const ErrorDag& error_dag, const ReferenceBackend& means);
  void NoteMistrust(const CellShare& zeros, const CellShare& unbounded);
  std::optional<std::string> DifferenceOf(const Set& mine, const ReferenceOutputs& trusted,
                                          const Set& theirs) const;
  std::optional<std::string> CompareExactly(const Set& set, std::span<void* const> outputs) const;
  std::optional<std::string> FindUnwritten(std::span<void* const> outputs) const;

  std::shared_ptr<const Task> task_;
  ExactPlan plan_;
  std::vector<Set> sets_;
  std::optional<Set> timed_;  // outputs for the timing inputs, after ExpectTimed
  std::string mistrust_;
};

// Zeroed buffers; sizes in bytes.
std::vector<AlignedBuffer> MakeBuffers(const std::vector<int64_t>& sizes);
std::vector<void*> PointersTo(const std::vector<AlignedBuffer>& buffers);

}  // namespace schedulegym
