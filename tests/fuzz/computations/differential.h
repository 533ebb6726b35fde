// Differential: runs schedules of one computation and compares them with its naive program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "env/measure/timing/timing_memory.h"
#include "env/schedule/state.h"

namespace schedulegym {

enum class TrialVerdict : uint8_t {
  kRight,
  kTooLarge,  // the program is too large, or takes too long
  kRefused,   // GPU: by the lowering, or beyond the device's launch limits
  kUnsafe,    // GPU: threads race in memory or miss a barrier
  kUnproved,  // the validator cannot prove an access, or on processors the absence of a race
  kWrong,     // did not compile, did not run, or computed something else
};

struct DifferentialTrial {
  TrialVerdict verdict = TrialVerdict::kRight;
  std::string message;  // one line; empty if all is right
};

// Inputs and expected outputs of one computation. Results must agree bit for bit if small integers
// are exact in any order, and for computations on integers. Otherwise they must lie within the
// error that the arithmetic allows.
class Differential {
 public:
  // Runs the naive program in the interpreter; `seed` draws the inputs.
  Differential(std::shared_ptr<const Task> task, uint64_t seed);

  const std::shared_ptr<const Task>& task() const { return task_; }
  bool is_exact() const { return is_exact_; }

  // Lowers, validates and compiles the state, runs it and compares.
  DifferentialTrial Run(const ScheduleState& state, const Backend& backend) const;

 private:
  using Buffers = std::vector<AlignedBuffer>;

  void ComputeBounded();
  Buffers RunNaively(const ComputeDag& dag) const;
  Result<Buffers> Arguments(const LoopProgram& program, const Kernel& kernel) const;
  std::string Compare(const Buffers& arguments) const;

  std::shared_ptr<const Task> task_;
  Buffers inputs_;
  Buffers expected_;  // outputs of the naive program; if not exact, in double precision
  std::vector<std::vector<double>> bounds_;  // greatest distance of a result from expected_
  bool is_exact_ = false;
};

// Whether all schedules of a computation give the same bits, on small enough integers.
bool IsExact(const ComputeDag& dag);

// Whether unrolled loops repeat so many statements that compiling takes seconds, or have by the
// estimate a fifth of the operations that the backend refuses.
bool IsTooLarge(const LoopProgram& program, const Target& target);

}  // namespace schedulegym
