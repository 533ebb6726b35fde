// ProgramBuilder: a LoopProgram under construction, with the buffers that stages have at the
// moment.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/lower/nest.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Part of a tensor: `extent` values of each dimension from `base` on.
struct Region {
  std::vector<Expr> base;
  std::vector<int64_t> extent;
};

// Where a stage's values are while its consumers run.
struct Residence {
  int buffer = -1;
  Region region;
};

// A variable and its value, to be put around a statement.
struct Binding {
  int variable = 0;
  Expr value;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const ScheduleState& state,
                          double most_code = std::numeric_limits<double>::infinity())
      : state_(state), most_code_(most_code), residences_(state.size()), limits_(state.size()) {}

  const ScheduleState& state() const { return state_; }
  LoopProgram& program() { return program_; }
  Residence& residence(int stage) { return residences_[stage]; }
  const Residence& residence(int stage) const { return residences_[stage]; }
  // Of stages computed further in: the region that loops around count on. What they are read from
  // holds just that, so they compute no more.
  std::vector<std::optional<Region>>& limits() { return limits_; }

  // Of a value that a let gives it, or of a loop.
  int AddVariable(const std::string& name, Range range, Expr definition = nullptr);
  Expr definition(int variable) const { return definitions_[variable]; }
  // Threads of a GPU, virtual ones too, run the iterations of the variable's loop.
  void MarkThreads(int variable) { is_threads_[variable] = true; }
  bool is_threads(int variable) const { return is_threads_[variable]; }
  // A dense buffer for a region of the stage, in its layout and alignment.
  int AddBuffer(const Stage& stage, const std::vector<int64_t>& extent, MemoryScope scope);
  int AddBuffer(Buffer buffer);

  RangeOf ranges() const {
    return [this](int variable) { return program_.variables[variable].range; };
  }
  Expr Simplified(const Expr& expr) const { return Simplify(expr, ranges()); }
  // The expression itself where it is linear, else a variable of that value: one of `bindings`, or
  // a new one, added to them.
  Expr Named(const std::string& name, const Expr& value, std::vector<Binding>& bindings);

  // Indices into the buffer where the stage lives, for an element of the tensor.
  std::vector<Expr> LocateElement(int stage, std::vector<Expr> indices) const;
  // The same for an element given by its offsets within the region.
  std::vector<Expr> LocateOffset(const Stage& stage, std::vector<Expr> offsets) const;

  // Counts statements, of which null is none; beyond a limit the schedule is refused.
  StatementPtr Count(StatementPtr statement);
  bool too_large() const { return statements_ > kMostStatements || has_too_much_code(); }
  double most_code() const { return most_code_; }
  // Of what has been counted so far, stores alone.
  bool has_too_much_code() const { return code_ > most_code_; }

  // While it lives, what is counted stands in a loop of this kind and extent.
  class CodeScope {
   public:
    CodeScope(ProgramBuilder& builder, LoopKind kind, int64_t extent);
    ~CodeScope();
    CodeScope(const CodeScope&) = delete;
    CodeScope& operator=(const CodeScope&) = delete;

   private:
    ProgramBuilder& builder_;
    double copies_;   // of the builder, before
    int64_t vector_;  // likewise
  };

 private:
  static constexpr int kMostStatements = 1 << 15;

  const ScheduleState& state_;
  double most_code_;
  double code_ = 0;
  double copies_ = 1;   // that unrolled loops make of what is counted
  int64_t vector_ = 1;  // extent of the vector loop around it
  LoopProgram program_;
  std::vector<Expr> definitions_;  // by variable
  std::vector<bool> is_threads_;   // likewise
  std::vector<Residence> residences_;
  std::vector<std::optional<Region>> limits_;
  int statements_ = 0;
};

// Wraps a statement in bindings, the first outermost. Null stays null: nothing to do.
StatementPtr Wrap(const std::vector<Binding>& bindings, StatementPtr statement);
// One statement after another; nulls are left out; null if none remains.
StatementPtr Sequence(std::vector<StatementPtr> statements);

// The region of `producer` that is read while the bound loops of `nest` stand still, by the nest's
// stage and what is computed within it. Regions keep within the tensor: one that would stand out is
// shifted inward. New variables go to `bindings`.
Region RequiredRegion(ProgramBuilder& builder, const Nest& nest, int producer,
                      const std::vector<bool>& live, std::vector<Binding>& bindings);

// Constants.
bool IsTrue(const Expr& condition);
bool IsFalse(const Expr& condition);

// All of them at once; true if there is none.
Expr Conjunction(const std::vector<Expr>& conditions);
// The other way round: appends what a condition is a conjunction of.
void CollectConjuncts(const Expr& condition, std::vector<Expr>& conjuncts);

// Null sides do nothing; null if both are.
StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body);

}  // namespace schedulegym
