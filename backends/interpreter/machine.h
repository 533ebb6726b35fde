// Machine: one run of a FlatProgram over checked buffers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backends/interpreter/checked_buffer.h"
#include "backends/interpreter/flat_program.h"

namespace schedulegym {

class Machine {
 public:
  // One pointer for each parameter of `program`. `end`: as CompileOptions has it.
  Machine(const LoopProgram& program, const FlatProgram& flat, std::vector<std::byte*> arguments,
          const std::function<bool()>& end);

  // kRun naming the first thing that the program may not do.
  Result<void> Run();

 private:
  // A store of one lane, before any lane of it is written.
  struct PendingStore {
    int64_t cell = 0;
    Scalar value;
  };
  // A let or an if around a store in a vector loop.
  struct LaneStep {
    const FlatStep* step = nullptr;
    bool holds = true;
  };

  Scalar Evaluate(int expr);
  Scalar EvaluateRead(const FlatExpr& expr);
  int64_t EvaluateIndex(int expr) { return Evaluate(expr).integer; }
  // The cell that a store writes; none after an error.
  std::optional<int64_t> CellOf(const FlatStep& store);

  void Execute(int step);
  void ExecuteLoop(const FlatStep& loop);
  void ExecuteStore(const FlatStep& store);
  void ExecuteLanes(const FlatStep& loop, int step);
  void StoreLanes(const FlatStep& loop, const FlatStep& store);
  bool EnterLane();
  void LookAtEnd();

  template <typename T>
  T Checked(Result<T> result, T otherwise);
  bool failed() const { return error_.has_value(); }

  const LoopProgram& program_;
  const FlatProgram& flat_;
  std::vector<CheckedBuffer> buffers_;
  std::vector<int64_t> variables_;
  std::vector<ParallelStep> parallel_;
  std::vector<LaneStep> lane_steps_;
  std::vector<PendingStore> pending_;
  int64_t executions_ = 0;
  const std::function<bool()>& end_;
  int64_t turns_ = 0;  // of loops
  std::optional<Error> error_;
};

}  // namespace schedulegym
