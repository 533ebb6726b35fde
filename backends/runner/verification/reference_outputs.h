// ReferenceOutputs: the input sets of a task, and what right kernels make of each.
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

// Integers, small and dense, then wide and sparse, where the computation is exact on them; then
// reals, before them positive ones if those leave fewer zeros where signed ones leave many.
class ReferenceOutputs {
 public:
  // Throws InputError for types that nothing here supports, std::logic_error when the means of
  // trust disagree.
  ReferenceOutputs(std::shared_ptr<const Task> task, const ReferenceBackend& means, uint64_t seed);

  const ComputeDag& dag() const { return task_->dag; }
  const Tensor& Output(size_t position) const;
  // Of each input, and of each output.
  std::vector<int64_t> InputBytes() const;
  std::vector<int64_t> OutputBytes() const;

  // How many sets there are; the last one is of reals.
  size_t size() const { return sets_.size(); }
  // Writes a set's inputs to plain tensors, always the same.
  void Fill(size_t set, std::span<void* const> inputs) const;
  // What kernels are timed on: reals of no other set, so that the reference, which runs beside the
  // candidate, leaves no right answer to any of those behind.
  void FillForTiming(std::span<void* const> inputs) const;
  // Finds out what they give, which Compare(size(), ...) asks for.
  void ExpectTimed(const ReferenceBackend& means);

  // The first difference in one line; nothing when all is right. Where reals say nothing, for their
  // errors have no bounds in this computation, only that every cell was written.
  std::optional<std::string> Compare(size_t set, std::span<void* const> outputs) const;

  // Where others, of the same task and seed but made by means that are trusted more, expect
  // something else, of the inputs for timing, too, where both expect anything of them; in one line.
  std::optional<std::string> DifferenceFrom(const ReferenceOutputs& trusted) const;

  // "" or why bits are not compared in some output.
  const std::string& inexact_reason() const { return plan_.reason; }
  // "" or which output is mostly zero, or has cells without a bound, on all reals: an error there
  // may go unnoticed.
  const std::string& mistrust() const { return mistrust_; }

 private:
  struct Set {
    InputPattern pattern = InputPattern::kReals;
    uint64_t seed = 0;
    std::vector<AlignedBuffer> exact = {};  // by output; empty for reals
    RealOutputs real = {};                  // empty where no bound is known, and for integers
  };
  void AddExactSet(InputPattern pattern, uint64_t seed, const ReferenceBackend& means);
  void AddRealSets(uint64_t seed, const ReferenceBackend& means);
  Set MakeRealSet(InputPattern pattern, uint64_t seed, const ErrorDag& error_dag,
                  const ReferenceBackend& means) const;
  void FillSet(InputPattern pattern, uint64_t seed, std::span<void* const> inputs) const;
  // Of the positive inputs beside the signed ones, or instead of them.
  void AddPositiveSet(Set& reals, const ErrorDag& error_dag, const ReferenceBackend& means);
  void NoteMistrust(const CellShare& zeros, const CellShare& unbounded);
  std::optional<std::string> DifferenceOf(const Set& mine, const ReferenceOutputs& trusted,
                                          const Set& theirs) const;
  std::optional<std::string> CompareExactly(const Set& set, std::span<void* const> outputs) const;
  std::optional<std::string> FindUnwritten(std::span<void* const> outputs) const;

  std::shared_ptr<const Task> task_;
  ExactPlan plan_;
  std::vector<Set> sets_;
  std::optional<Set> timed_;  // what the inputs for timing give, if anybody asked
  std::string mistrust_;
};

// Of bytes; zeroed.
std::vector<AlignedBuffer> MakeBuffers(const std::vector<int64_t>& sizes);
std::vector<void*> PointersTo(const std::vector<AlignedBuffer>& buffers);

}  // namespace schedulegym
