// Checks that a loop program is safe to run: buffers have distinct cells within their parameters,
// variables and buffers are bound once and used inside their scope, every let and every index stays
// within its range, and iterations of parallel, vector and block loops do not meet in a cell that
// either stores. A program with barriers is checked as its sequential form. Ranges are shown by
// interval bounds, else by the prover under the conditions around, else by trying all values of the
// variables involved; races by FindRace, else IterationsAreDisjoint. Trying values has a budget of
// 5,000,000 for the program; what is not shown within it is an error of kind kInvalidSchedule. A
// program that passes is safe; a safe one may be refused.
#include "env/lower/validate.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "env/base/text.h"
#include "env/lower/buffer_access.h"
#include "env/lower/iterations_are_disjoint.h"
#include "env/lower/place_barriers.h"
#include "env/lower/sequential_form.h"
#include "env/lower/statements.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// Budget of variable values that are tried if proofs fail, for a program: one or two seconds.
constexpr int64_t kMostWork = 5'000'000;

// Whether iterations of a loop of this kind run in any order or at the same time.
bool IsIndependent(LoopKind kind) {
  return kind == LoopKind::kParallel || kind == LoopKind::kVector || IsGpuLoop(kind);
}

// Walks a program once; the first complaint ends it.
class Validator {
 public:
  explicit Validator(const LoopProgram& program)
      : program_(program),
        bound_(program.variables.size()),
        open_variables_(program.variables.size()),
        allocated_(program.buffers.size()),
        open_buffers_(program.buffers.size(), -1) {}

  Result<void> Run() {
    if (auto layout = CheckBufferLayout(program_); !layout) return layout;
    Descend(*program_.body, Prover());
    if (failure_) return Error{ErrorKind::kInvalidSchedule, *failure_};
    return {};
  }

 private:
  void Fail(const std::string& message) {
    if (!failure_) failure_ = message;
  }

  std::string Text(const Expr& expr) const {
    return ToText(expr, {[this](int id) { return program_.variables[id].name; },
                         [this](int id) { return program_.buffers[id].name; }});
  }

  std::string Text(int buffer, const std::vector<Expr>& indices) const {
    std::vector<std::string> texts;
    for (const Expr& index : indices) texts.push_back(Text(index));
    return program_.buffers[buffer].name + "[" + Join(texts, ", ") + "]";
  }

  // ---- statements ------------------------------------------------------------------------------

  void Descend(const Statement& statement, const Prover& prover) {
    if (failure_) return;
    std::visit([&](const auto& node) { WalkNode(node, prover); }, statement.node);
  }

  void WalkNode(const Block& block, const Prover& prover) {
    for (const StatementPtr& statement : block.statements) Descend(*statement, prover);
  }

  void WalkNode(const For& loop, const Prover& prover) {
    const LoopVariable& variable = program_.variables[loop.variable];
    const Range range{loop.begin, loop.begin + loop.extent - 1};
    if (loop.extent < 1) return Fail("loop " + variable.name + " has no iterations");
    if (range.low < variable.range.low || range.high > variable.range.high) {
      return Fail("loop " + variable.name + " leaves the range of its variable");
    }
    if (in_vector_) return Fail("loop " + variable.name + " stands in a vector loop");
    if (loop.kind == LoopKind::kVector && loop.begin != 0) {
      return Fail("vector loop " + variable.name + " begins at " + std::to_string(loop.begin));
    }
    if (!Bind(loop.variable)) return;
    if (!IsIndependent(loop.kind)) return WalkLoop(loop, range, prover);
    WalkIndependent(loop, range, prover);
  }

  void WalkLoop(const For& loop, Range range, const Prover& prover) {
    Within({Fact::Kind::kRange, loop.variable, range, nullptr}, *loop.body, prover);
    open_variables_[loop.variable] = false;
  }

  void WalkIndependent(const For& loop, Range range, const Prover& prover) {
    const size_t first_access = accesses_.size();
    const size_t first_fact = path_.size();
    const int depth = parallel_depth_;
    in_vector_ = loop.kind == LoopKind::kVector;
    if (!in_vector_) ++parallel_depth_;
    ++independent_depth_;
    WalkLoop(loop, range, prover);
    --independent_depth_;
    in_vector_ = false;
    parallel_depth_ = depth;
    if (!failure_) CheckRaces(loop, first_access, first_fact, prover);
    if (independent_depth_ == 0) accesses_.clear();
  }

  void CheckRaces(const For& loop, size_t first_access, size_t first_fact, const Prover& prover) {
    std::map<int, std::vector<BufferAccess>> by_buffer;
    for (size_t i = first_access; i < accesses_.size(); ++i) {
      const int buffer = accesses_[i].buffer;
      // Negative: the buffer is allocated within the loop, so each iteration has its own.
      const bool is_shared = open_buffers_[buffer] >= 0 || program_.buffers[buffer].parameter >= 0;
      if (is_shared) by_buffer[buffer].push_back(accesses_[i]);
    }
    for (const auto& [buffer, accesses] : by_buffer) CheckRace(loop, accesses, first_fact, prover);
  }

  // Checks the accesses to one buffer.
  void CheckRace(const For& loop, const std::vector<BufferAccess>& accesses, size_t first_fact,
                 const Prover& prover) {
    const int variables = static_cast<int>(program_.variables.size());
    const BufferAccess* race = FindRace(prover, accesses, first_fact, variables);
    if (!race || IterationsAreDisjoint(accesses, first_fact, variables, work_)) return;
    Fail(std::string("iterations of the ") + LoopKindName(loop.kind) + " loop " +
         program_.variables[loop.variable].name + " may meet in " +
         Text(race->buffer, race->indices));
  }

  void WalkNode(const Let& let, const Prover& prover) {
    const LoopVariable& variable = program_.variables[let.variable];
    CheckVariables(let.value);
    if (!Bind(let.variable)) return;
    if (!StaysWithin(let.value, variable.range, prover)) {
      return Fail("cannot prove " + variable.name + " = " + Text(let.value) + " within " +
                  RangeText(variable.range));
    }
    Prover inner = prover;
    Add({Fact::Kind::kRange, let.variable, variable.range, nullptr}, inner);
    Add({Fact::Kind::kValue, let.variable, {}, let.value}, inner);
    Descend(*let.body, inner);
    path_.resize(path_.size() - 2);
    open_variables_[let.variable] = false;
  }

  void WalkNode(const Barrier&, const Prover&) {
    Fail("a barrier stands where no threads wait for each other");
  }

  void WalkNode(const If& branch, const Prover& prover) {
    CheckReads(branch.condition, prover);
    Within({Fact::Kind::kTrue, 0, {}, branch.condition}, *branch.then_body, prover);
    if (!branch.else_body) return;
    Within({Fact::Kind::kFalse, 0, {}, branch.condition}, *branch.else_body, prover);
  }

  void WalkNode(const Allocate& allocate, const Prover& prover) {
    const Buffer& buffer = program_.buffers[allocate.buffer];
    if (buffer.parameter >= 0) return Fail("parameter " + buffer.name + " is allocated");
    if (allocated_[allocate.buffer]) return Fail("buffer " + buffer.name + " is allocated twice");
    allocated_[allocate.buffer] = true;
    open_buffers_[allocate.buffer] = parallel_depth_;
    Descend(*allocate.body, prover);
    open_buffers_[allocate.buffer] = -1;
  }

  void WalkNode(const Store& store, const Prover& prover) {
    const Buffer& buffer = program_.buffers[store.buffer];
    if (buffer.parameter >= 0 && !program_.parameters[buffer.parameter].is_output) {
      return Fail("input " + buffer.name + " is stored to");
    }
    if (store.value->type != buffer.type) {
      return Fail("a value of type " + std::string(DTypeName(store.value->type)) +
                  " is stored to " + buffer.name);
    }
    CheckReads(store.value, prover);
    CheckAccess(store.buffer, store.indices, true, prover);
  }

  void Within(const Fact& fact, const Statement& body, const Prover& prover) {
    Prover inner = prover;
    const size_t depth = path_.size();
    Add(fact, inner);
    Descend(body, inner);
    path_.resize(depth);
  }

  void Add(const Fact& fact, Prover& prover) {
    Tell(prover, fact);
    AddParts(fact, path_);
  }

  bool Bind(int variable) {
    if (bound_[variable]) {
      Fail("variable " + program_.variables[variable].name + " is bound twice");
      return false;
    }
    bound_[variable] = open_variables_[variable] = true;
    return true;
  }

  // ---- expressions -----------------------------------------------------------------------------

  void CheckVariables(const Expr& expr) {
    Visit(expr, [this](const ExprNode& node) {
      if (node.op != Op::kVariable || open_variables_[node.id]) return;
      Fail("variable " + program_.variables[node.id].name + " is used outside of its loop");
    });
  }

  // Checks reads within an expression. Reads in a side of a select or of && and || are executed
  // only under its condition.
  void CheckReads(const Expr& expr, const Prover& prover) {
    if (failure_ || !HasReads(expr)) return CheckVariables(expr);
    switch (expr->op) {
      case Op::kRead:
        for (const Expr& index : expr->args) CheckVariables(index);
        return CheckAccess(expr->id, expr->args, false, prover);
      case Op::kSelect:
        CheckReads(expr->args[0], prover);
        CheckReadsUnder(expr->args[0], true, expr->args[1], prover);
        return CheckReadsUnder(expr->args[0], false, expr->args[2], prover);
      case Op::kAnd:
      case Op::kOr:
        CheckReads(expr->args[0], prover);
        return CheckReadsUnder(expr->args[0], expr->op == Op::kAnd, expr->args[1], prover);
      default:
        for (const Expr& arg : expr->args) CheckReads(arg, prover);
    }
  }

  void CheckReadsUnder(const Expr& condition, bool truth, const Expr& expr, const Prover& prover) {
    if (!HasReads(expr)) return CheckVariables(expr);
    Prover inner = prover;
    const size_t depth = path_.size();
    Add({truth ? Fact::Kind::kTrue : Fact::Kind::kFalse, 0, {}, condition}, inner);
    CheckReads(expr, inner);
    path_.resize(depth);
  }

  static bool HasReads(const Expr& expr) {
    bool found = false;
    Visit(expr, [&](const ExprNode& node) { found = found || node.op == Op::kRead; });
    return found;
  }

  void CheckAccess(int id, const std::vector<Expr>& indices, bool is_store, const Prover& prover) {
    if (failure_) return;
    const Buffer& buffer = program_.buffers[id];
    if (buffer.parameter < 0 && open_buffers_[id] < 0) {
      return Fail("buffer " + buffer.name + " is used outside of its allocation");
    }
    if (buffer.scope == MemoryScope::kLocal && open_buffers_[id] < parallel_depth_) {
      return Fail("local buffer " + buffer.name +
                  " is shared by the iterations of a parallel loop");
    }
    if (indices.size() != buffer.shape.size()) {
      return Fail(Text(id, indices) + " has not one index for each dimension");
    }
    for (size_t d = 0; d < indices.size(); ++d) {
      CheckVariables(indices[d]);
      const Range range{0, buffer.shape[d] - 1};
      if (failure_ || StaysWithin(indices[d], range, prover)) continue;
      return Fail("cannot prove index " + Text(indices[d]) + " of " + Text(id, indices) +
                  (is_store ? ", which is stored," : "") + " within " + RangeText(range));
    }
    if (independent_depth_ > 0) accesses_.push_back({id, is_store, indices, path_});
  }

  // The checked variable ranges prove most bounds. They also prove some that the prover misses
  // within its limit as it takes quotients apart. Each end is proved by either method, or all
  // values are tried.
  bool StaysWithin(const Expr& value, Range range, const Prover& prover) {
    const Range possible = BoundsOf(value, [this](int id) { return program_.variables[id].range; });
    if (possible.low >= range.low) range.low = -kUnbounded;
    if (possible.high <= range.high) range.high = kUnbounded;
    const bool is_shown = range.low == -kUnbounded && range.high == kUnbounded;
    return is_shown || prover.ProvesWithin(value, range) || IsAlwaysWithin(value, range);
  }

  bool IsAlwaysWithin(const Expr& value, Range range) {
    if (!HasValue(value)) return false;
    std::set<int> related;
    AddVariables(value, related);
    AddRelated(path_, related);
    return HoldsAtEveryPoint(FactsAbout(path_, related),
                             static_cast<int>(program_.variables.size()), work_,
                             [&](const Point& point) {
                               const int64_t here = ValueAt(value, point);
                               return range.low <= here && here <= range.high;
                             });
  }

  static std::string RangeText(Range range) {
    return std::to_string(range.low) + ".." + std::to_string(range.high);
  }

  const LoopProgram& program_;
  std::optional<std::string> failure_;
  std::vector<bool> bound_;             // variables that were bound at any time
  std::vector<bool> open_variables_;    // variables that are bound now
  std::vector<bool> allocated_;         // buffers that were allocated at any time
  std::vector<int> open_buffers_;       // parallel loops around the allocation, -1 outside of it
  std::vector<Fact> path_;              // facts that hold at this statement
  std::vector<BufferAccess> accesses_;  // within the independent loops around
  int parallel_depth_ = 0;              // number of enclosing loops that threads share
  int independent_depth_ = 0;           // number of enclosing loops of those kinds and vector loops
  bool in_vector_ = false;
  int64_t work_ = kMostWork;
};

constexpr int64_t kAlignment = 64;  // bytes

// Whether the stride of each dimension exceeds the reach of all smaller strides.
bool HasDistinctCells(const Buffer& buffer) {
  std::vector<size_t> order(buffer.shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return buffer.strides[a] < buffer.strides[b]; });
  int64_t reach = 1;
  for (const size_t d : order) {
    if (buffer.shape[d] < 1) return false;
    if (buffer.shape[d] == 1) continue;
    if (buffer.strides[d] < reach) return false;
    reach += (buffer.shape[d] - 1) * buffer.strides[d];
  }
  return true;
}

bool LiesWithin(const Buffer& buffer, const Parameter& parameter) {
  return buffer.byte_offset % kAlignment == 0 &&
         buffer.byte_offset + buffer.SizeInBytes() <= parameter.bytes;
}

}  // namespace

Result<void> Validate(const LoopProgram& program) {
  if (HasBarrier(*program.body)) {
    if (auto valid = CheckBarriers(program); !valid) return valid;
    return Validate(SequentialForm(program));
  }
  if (auto valid = Validator(program).Run(); !valid) return valid;
  for (const WeightPack& pack : program.packs) {
    auto valid = Validate(*pack.program);
    if (valid) continue;
    return Error{valid.error().kind, "packing " + program.parameters[pack.parameter].name + ": " +
                                         valid.error().message};
  }
  return {};
}

Result<void> CheckBufferLayout(const LoopProgram& program) {
  const auto invalid = [](const std::string& message) {
    return Error{ErrorKind::kInvalidSchedule, message};
  };
  for (const Buffer& buffer : program.buffers) {
    if (buffer.shape.size() != buffer.strides.size()) {
      return invalid("buffer " + buffer.name + " has not one stride for each dimension");
    }
    if (!HasDistinctCells(buffer)) {
      return invalid("elements of buffer " + buffer.name + " share cells");
    }
    if (buffer.parameter < 0) continue;
    const Parameter& parameter = program.parameters[buffer.parameter];
    if (!LiesWithin(buffer, parameter)) {
      return invalid("buffer " + buffer.name + " does not lie within parameter " + parameter.name);
    }
  }
  return {};
}

}  // namespace schedulegym
