// ComputationFuzz: random computations, each under its reference schedule and three random ones,
// verified like a measured candidate.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/runner/verification/verifier.h"
#include "env/search/search_space.h"
#include "tests/fuzz/computations/grammar_computation.h"
#include "tests/fuzz/computations/operation_forms.h"

namespace schedulegym {

struct ComputationCounts {
  int64_t computations = 0;
  int64_t exact = 0;      // with all outputs compared bit for bit
  int64_t bounded = 0;    // with bounds for their values on reals
  int64_t cells = 0;      // of outputs on reals, in a sample of them
  int64_t unbounded = 0;  // of those, without a finite bound
  int64_t schedules = 0;  // right, refused or wrong
  int64_t right = 0;
  int64_t refused = 0;
  int64_t wrong = 0;
  std::map<std::string, int64_t> reasons;       // of refusals
  std::map<OperationForm, int64_t> operations;  // of right schedules, once each

  double RefusedShare() const;
};

// The next schedule to run, kept for the case that it crashes the process.
struct FuzzedSchedule {
  uint64_t seed = 0;
  std::string dag;
  std::string trace;  // "" while the trusted outputs are made
};
using BeforeRun = std::function<void(const FuzzedSchedule&)>;

// A schedule and its fault.
struct FuzzDiagnostic {
  FuzzedSchedule schedule;
  std::string message;
};

class ComputationFuzz {
 public:
  explicit ComputationFuzz(std::unique_ptr<Backend> backend, GrammarOptions grammar = {});

  // Tries the computation of this seed. Returns the faults; empty if all is right.
  std::vector<FuzzDiagnostic> Try(uint64_t seed, ComputationCounts& counts,
                                  const BeforeRun& before) const;

 private:
  struct Subject;

  std::vector<ScheduleState> SchedulesOf(const Subject& subject) const;
  void CountCells(Subject& subject, ComputationCounts& counts) const;
  std::string Check(Subject& subject, const ScheduleState& state, ComputationCounts& counts) const;

  std::unique_ptr<Backend> backend_;
  GrammarOptions grammar_;
  std::vector<std::unique_ptr<SearchSpace>> spaces_;
};

}  // namespace schedulegym
