// ProgramBuilder: a LoopProgram under construction, with the current buffers of stages.
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

// The buffer and the region that hold a stage's values while its consumers run.
struct Residence {
  int buffer = -1;
  Region region;
};

// A variable and its value, bound around a statement (Wrap).
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
  // By stage, for stages computed further in: the region that enclosing loops assume. The stage's
  // sources hold only the data for this region, so the stage computes no more.
  std::vector<std::optional<Region>>& limits() { return limits_; }

  // Adds the variable of a loop, or of a let with the value `definition`.
  int AddVariable(const std::string& name, Range range, Expr definition = nullptr);
  Expr definition(int variable) const { return definitions_[variable]; }
  // Marks a variable whose loop runs on threads (or virtual threads) of a GPU.
  void MarkThreads(int variable) { is_threads_[variable] = true; }
  bool is_threads(int variable) const { return is_threads_[variable]; }
  // Adds a dense buffer for a region of the stage, in the stage's layout and alignment.
  int AddBuffer(const Stage& stage, const std::vector<int64_t>& extent, MemoryScope scope);
  int AddBuffer(Buffer buffer);

  RangeOf ranges() const {
    return [this](int variable) { return program_.variables[variable].range; };
  }
  Expr Simplified(const Expr& expr) const { return Simplify(expr, ranges()); }
  // Returns the expression if it is linear; else a variable of that value, from `bindings` or new
  // and added to them.
  Expr Named(const std::string& name, const Expr& value, std::vector<Binding>& bindings);

  // Returns the indices of an element of the tensor in the stage's current buffer.
  std::vector<Expr> LocateElement(int stage, std::vector<Expr> indices) const;
  // The same for an element that is given by its offsets within the region.
  std::vector<Expr> LocateOffset(const Stage& stage, std::vector<Expr> offsets) const;

  // Counts a statement (null counts none) and returns it. See too_large for the limit.
  StatementPtr Count(StatementPtr statement);
  bool too_large() const { return statements_ > kMostStatements || has_too_much_code(); }
  double most_code() const { return most_code_; }
  // Considers the statements counted so far, and only their stores.
  bool has_too_much_code() const { return code_ > most_code_; }

  // During its lifetime, counted statements belong to a loop of this kind and extent.
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
  double copies_ = 1;   // copies of a counted statement by unrolled loops
  int64_t vector_ = 1;  // extent of the enclosing vector loop
  LoopProgram program_;
  std::vector<Expr> definitions_;  // by variable
  std::vector<bool> is_threads_;   // likewise
  std::vector<Residence> residences_;
  std::vector<std::optional<Region>> limits_;
  int statements_ = 0;
};

// Wraps a statement in bindings, the first outermost. Null (no statement) stays null.
StatementPtr Wrap(const std::vector<Binding>& bindings, StatementPtr statement);
// Returns the statements in sequence, without nulls; null if none remains.
StatementPtr Sequence(std::vector<StatementPtr> statements);

// Returns the region of `producer` that the nest's stage, and stages computed within it, read while
// the bound loops of `nest` are fixed. A region that would leave the tensor is shifted inward. New
// variables are added to `bindings`.
Region RequiredRegion(ProgramBuilder& builder, const Nest& nest, int producer,
                      const std::vector<bool>& live, std::vector<Binding>& bindings);

// True if the condition is this constant.
bool IsTrue(const Expr& condition);
bool IsFalse(const Expr& condition);

// Returns the conjunction of the conditions; true if there is none.
Expr Conjunction(const std::vector<Expr>& conditions);
// The inverse: appends the conjuncts of a condition.
void CollectConjuncts(const Expr& condition, std::vector<Expr>& conjuncts);

// A null side does nothing. Returns null if both sides are null.
StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body);

}  // namespace schedulegym
