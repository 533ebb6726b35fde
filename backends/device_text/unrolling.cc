// Straight code grows by the product of unrolled loops. Those that index a thread's array must be
// unrolled, however far outside they stand. So the plan goes from the outside in with the product
// of the unrolled loops around, and unrolls another loop only where this product, its extent, and
// the stores of its body with all loops unrolled that must be, stay within the bound. A compiler
// would unroll more by itself; ptxas then takes seconds and spills addresses (a copy of 256 steps,
// all unrolled, kept 7 KB of them). Cost: O(depth * statements).
#include "backends/device_text/unrolling.h"

#include <algorithm>
#include <set>

#include "backends/device_text/named_values.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

// Arrays of more elements than a thread has registers stay in memory.
constexpr int64_t kMostElements = 256;
// So many stores: 64 results of a tile for 16 terms. With twice as many 3 of 50 random products
// spilled for sm_90a, with these 2, with half of them 1.
constexpr int64_t kMostStraight = 1024;
constexpr int64_t kMostLeft = 64;
constexpr int64_t kMostOverlapped = 16;

// Variables that move an index of a thread's array, through the values that are named between.
class LocalIndexFinder {
 public:
  LocalIndexFinder(const LoopProgram& program, const Statement& kernel)
      : program_(program), values_(kernel) {
    ForEachStatement(kernel, [this](const Statement& statement) {
      if (const auto* store = std::get_if<Store>(&statement.node)) {
        TakeAccess(store->buffer, store->indices);
      }
      ForEachExpr(statement, [this](const Expr& expr) { TakeReads(expr); });
    });
  }

  std::set<int> Take() { return std::move(found_); }

 private:
  void TakeReads(const Expr& expr) {
    Visit(expr, [this](const ExprNode& node) {
      if (node.op == Op::kRead) TakeAccess(node.id, node.args);
    });
  }

  void TakeAccess(int id, const std::vector<Expr>& indices) {
    const Buffer& buffer = program_.buffers[id];
    const bool is_local = buffer.parameter < 0 && buffer.scope == MemoryScope::kLocal;
    if (!is_local || buffer.ElementSpan() > kMostElements) return;
    for (const Expr& index : indices) found_.merge(values_.VariablesOf(index));
  }

  const LoopProgram& program_;
  NamedValues values_;
  std::set<int> found_;
};

class Planner {
 public:
  Planner(const LoopProgram& program, const Statement& kernel) {
    LocalIndexFinder finder(program, kernel);
    local_ = finder.Take();
    Plan(kernel, 1);
  }

  std::map<int, Unrolling> Take() { return std::move(plan_); }

 private:
  bool Must(const For& loop) const { return local_.contains(loop.variable); }

  // Stores of straight code where only the loops are unrolled that must be.
  int64_t StoresOf(const Statement& statement) const {
    const auto* loop = std::get_if<For>(&statement.node);
    if (std::holds_alternative<Store>(statement.node)) return 1;
    int64_t stores = 0;
    for (const StatementPtr& part : PartsOf(statement)) stores += StoresOf(*part);
    const bool repeats = loop && Must(*loop) && !IsLaunched(loop->kind);
    return std::min(kMostStraight + 1, repeats ? stores * loop->extent : stores);
  }

  static bool IsLaunched(LoopKind kind) { return IsGpuLoop(kind) && kind != LoopKind::kVthread; }

  // `around` is the product of the unrolled loops around.
  void Plan(const Statement& statement, int64_t around) {
    if (const auto* loop = std::get_if<For>(&statement.node)) {
      return Plan(*loop->body, IsLaunched(loop->kind) ? around : PlanLoop(*loop, around));
    }
    for (const StatementPtr& part : PartsOf(statement)) Plan(*part, around);
  }

  int64_t PlanLoop(const For& loop, int64_t around) {
    const int64_t stores = StoresOf(*loop.body);
    const bool is_large = around > kMostStraight || loop.extent > kMostStraight ||
                          around * loop.extent * stores > kMostStraight;
    if (Must(loop) || (loop.kind != LoopKind::kSerial && !is_large)) {
      plan_[loop.variable] = Unrolling::kFully;
      return std::min(kMostStraight + 1, around * loop.extent);
    }
    if (is_large || loop.extent * stores > kMostLeft) {
      plan_[loop.variable] = stores <= kMostOverlapped ? Unrolling::kByFour : Unrolling::kNever;
    }
    return 1;
  }

  std::set<int> local_;
  std::map<int, Unrolling> plan_;
};

}  // namespace

std::map<int, Unrolling> PlanUnrolling(const LoopProgram& program, const Statement& kernel) {
  return Planner(program, kernel).Take();
}

}  // namespace schedulegym
