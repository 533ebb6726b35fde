// A walk in the order of execution keeps the buffers with copies on their way. A barrier ends them.
// A buffer is refused whose bytes are read or stored to in another way in between: by the thread
// itself, which needs no barrier for cells of its own. Bodies of serial loops are walked twice, so
// that the end of one iteration meets the begin of the next. Two copies to one cell without a
// barrier between them would arrive in any order: a loop without a barrier that moves the source
// moves the cell, too, or the copy is refused. Cost: O(2^depth * program).
#include "backends/device_text/async_copy.h"

#include <algorithm>
#include <map>
#include <vector>

#include "backends/device_text/named_values.h"
#include "backends/device_text/wide_copy.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

struct Copy {
  int to = 0, from = 0;
};

class Finder {
 public:
  Finder(const LoopProgram& program, const KernelBody& kernel)
      : program_(program), values_(*kernel.body) {
    ForEachAccess(*kernel.body, [this](int buffer, bool is_store) {
      if (is_store) stored_.insert(buffer);
    });
    Scan(*kernel.body);
  }

  AsyncCopies Take() {
    AsyncCopies found;
    for (const auto& [statement, copy] : copies_) {
      if (!refused_.contains(copy.to)) found.copies.insert(statement);
    }
    for (const auto& [barrier, buffers] : waits_) {
      const bool waits =
          std::ranges::any_of(buffers, [this](int buffer) { return !refused_.contains(buffer); });
      if (waits) found.waits.insert(barrier);
    }
    return found;
  }

 private:
  void Scan(const Statement& statement) {
    if (std::holds_alternative<Barrier>(statement.node)) {
      waits_[&statement].insert(pending_.begin(), pending_.end());
      pending_.clear();
      return;
    }
    if (const std::optional<Copy> copy = CopyOf(statement)) return Begin(statement, *copy);
    ForEachExpr(statement, [this](const Expr& expr) { UseReads(expr); });
    if (const auto* store = std::get_if<Store>(&statement.node)) Use(store->buffer);
    if (const auto* branch = std::get_if<If>(&statement.node)) return VisitBranch(*branch);
    const auto* loop = std::get_if<For>(&statement.node);
    const bool is_open = loop && !IsThreadLoop(loop->kind) && !HasBarrier(statement);
    if (is_open) open_.push_back(loop->variable);
    const bool repeats = loop && loop->extent > 1 && !IsLaunched(loop->kind);
    for (int i = 0; i < (repeats ? 2 : 1); ++i) {
      for (const StatementPtr& part : PartsOf(statement)) Scan(*part);
    }
    if (is_open) open_.pop_back();
  }

  static bool IsLaunched(LoopKind kind) { return IsGpuLoop(kind) && kind != LoopKind::kVthread; }

  void VisitBranch(const If& branch) {
    const std::set<int> before = pending_;
    Scan(*branch.then_body);
    std::set<int> after = pending_;
    pending_ = before;
    if (branch.else_body) Scan(*branch.else_body);
    pending_.merge(after);
  }

  std::optional<Copy> CopyOf(const Statement& statement) const {
    const auto* loop = std::get_if<For>(&statement.node);
    if (loop) {
      const std::optional<WideCopy> wide = FindWideCopy(program_, *loop);
      return wide ? Between(wide->to, wide->from, loop->extent) : std::nullopt;
    }
    const auto* store = std::get_if<Store>(&statement.node);
    if (!store || store->value->op != Op::kRead) return std::nullopt;
    return Between(store->buffer, store->value->id, 1);
  }

  std::optional<Copy> Between(int to, int from, int64_t lanes) const {
    const Buffer &shared = program_.buffers[to], &global = program_.buffers[from];
    const int64_t bytes = lanes * SizeInBytes(shared.type);
    const bool fits = shared.type == global.type && (bytes == 4 || bytes == 8 || bytes == 16);
    const bool reaches = shared.parameter < 0 && shared.scope == MemoryScope::kShared &&
                         shared.byte_offset % SizeInBytes(shared.type) == 0 &&
                         global.scope == MemoryScope::kGlobal && !stored_.contains(from);
    return fits && reaches ? std::optional(Copy{to, from}) : std::nullopt;
  }

  void Begin(const Statement& statement, const Copy& copy) {
    const auto* loop = std::get_if<For>(&statement.node);
    const auto& store = std::get<Store>((loop ? *loop->body : statement).node);
    for (const Expr& index : store.indices) UseReads(index);
    for (const Expr& index : store.value->args) UseReads(index);
    const std::set<int> source = VariablesOf(store.value->args), cell = VariablesOf(store.indices);
    for (const int variable : open_) {
      if (source.contains(variable) && !cell.contains(variable)) refused_.insert(copy.to);
    }
    for (const int other : pending_) {
      if (other != copy.to && Overlap(other, copy.to)) Refuse(other, copy.to);
    }
    copies_[&statement] = copy;
    pending_.insert(copy.to);
  }

  void Refuse(int a, int b) {
    refused_.insert(a);
    refused_.insert(b);
  }

  void UseReads(const Expr& expr) {
    Visit(expr, [this](const ExprNode& node) {
      if (node.op == Op::kRead) Use(node.id);
    });
  }

  // Other than by a copy.
  void Use(int buffer) {
    const Buffer& used = program_.buffers[buffer];
    if (used.parameter >= 0 || used.scope != MemoryScope::kShared) return;
    for (const int other : pending_) {
      if (other == buffer || Overlap(other, buffer)) refused_.insert(other);
    }
  }

  bool Overlap(int a, int b) const {
    const Buffer &first = program_.buffers[a], &second = program_.buffers[b];
    return first.byte_offset < second.byte_offset + second.SizeInBytes() &&
           second.byte_offset < first.byte_offset + first.SizeInBytes();
  }

  std::set<int> VariablesOf(const std::vector<Expr>& exprs) const {
    std::set<int> variables;
    for (const Expr& expr : exprs) variables.merge(values_.VariablesOf(expr));
    return variables;
  }

  const LoopProgram& program_;
  NamedValues values_;
  std::set<int> stored_;   // buffers
  std::set<int> pending_;  // shared buffers with copies on their way
  std::set<int> refused_;
  std::vector<int> open_;  // variables of loops around, without a barrier within
  std::map<const Statement*, Copy> copies_;
  std::map<const Statement*, std::set<int>> waits_;
};

}  // namespace

AsyncCopies FindAsyncCopies(const LoopProgram& program, const KernelBody& kernel) {
  return Finder(program, kernel).Take();
}

const char* AsyncCopyText() {
  return R"(#ifndef CUDA_ON_HOST
// Begins to copy from global to shared memory; the thread has the bytes after copy_wait.
template <int bytes>
static __device__ __forceinline__ void copy_async(void* to, const void* from) {
  const unsigned place = (unsigned)__cvta_generic_to_shared(to);
  if (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(bytes)
                 : "memory");
  }
}
static __device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
#endif
)";
}

}  // namespace schedulegym
