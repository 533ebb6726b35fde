// CheckedTask: everything that the candidates of one task share, on the checker's side.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/runner/sandbox/candidate_process.h"
#include "backends/runner/sandbox/result_page.h"
#include "backends/runner/sandbox/shared_memory.h"
#include "backends/runner/sandbox/tensor_layout.h"
#include "backends/runner/verification/failure.h"
#include "backends/runner/verification/reference_outputs.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/worker/candidate_run.h"
#include "env/measure/protocol.h"

namespace schedulegym {

class CheckedTask {
 public:
  // Makes inputs and what they must give; runs only programs of its own, compiled without
  // transformations or by the reference's schedule. Throws InputError, or std::logic_error when the
  // means of trust disagree. What the naive program takes more operations for, the reference's
  // schedule gives.
  explicit CheckedTask(const PrepareRequest& request, double most_naive_flops = kMostNaiveFlops);

  const Task& task() const { return *task_; }
  const Protocol& protocol() const { return protocol_; }
  const CandidateLimits& limits() const { return limits_; }
  const TaskSetup& setup() const { return setup_; }
  const TensorNames& names() const { return names_; }
  // Files for ZygoteLink::SetUp.
  std::vector<int> Files() const;

  // As ReferenceOutputs::mistrust.
  const std::string& mistrust() const { return reference_outputs_->mistrust(); }
  size_t sets() const { return reference_outputs_->size(); }
  // The set on which kernels are timed; of a task that is only verified it has inputs alone.
  size_t timing_set() const { return sets(); }
  // Poison and borders in place before a call on a set, and what the call left: wrong, not written,
  // beside.
  void ArmOutputs(size_t set);
  std::optional<Failure> CheckOutputs(size_t set) const;
  std::optional<Failure> CheckBorders(size_t set) const;
  uint64_t HashOutputs(size_t set) const;

  // What the candidate's process wrote; a copy, for it may go on writing.
  ResultPage ReadResult() const;
  void ClearResult();
  // The last of its stderr, which is emptied.
  std::string TakeStderr();

 private:
  Placement PlacementOf(size_t set) const;
  std::vector<void*> Outputs(size_t set) const;
  SharedMemory MakeInputs(size_t set) const;

  std::shared_ptr<const Task> task_;
  Protocol protocol_;
  CandidateLimits limits_;
  std::unique_ptr<ReferenceOutputs> reference_outputs_;
  TensorNames names_;
  TaskSetup setup_;
  TensorLayout input_layout_;
  TensorLayout output_layout_;
  std::vector<SharedMemory> inputs_;  // by set, then the one for timing
  SharedMemory outputs_;
  SharedMemory result_;
  Descriptor stderr_;
};

}  // namespace schedulegym
