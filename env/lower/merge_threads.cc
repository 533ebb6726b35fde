// Two walks over a kernel. The first finds the longest loop of each axis; its variable becomes the
// axis' own. The second removes the loops: a variable of a loop as long becomes the axis' variable,
// a shorter loop
//   threadIdx.x i in 0..n { body }   becomes   if t < n { let i = t { body } }
// Shared allocations leave their places and stand around all threads; the one at depth d begins
// where those around it end, so siblings use the same bytes. Cost: O(program * axes).
#include "env/lower/merge_threads.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "env/lower/builder.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

// Three of blocks, then three of threads, in the order of LoopKind.
constexpr int kAxes = 6;
constexpr int kFirstThread = 3;
// Alignment of shared buffers, for the widest access.
constexpr int64_t kSharedAlignment = 16;

int AxisOf(LoopKind kind) {
  return kind < LoopKind::kBlockX ? -1
                                  : static_cast<int>(kind) - static_cast<int>(LoopKind::kBlockX);
}

LoopKind KindOfAxis(int axis) {
  return static_cast<LoopKind>(static_cast<int>(LoopKind::kBlockX) + axis);
}

using Counts = std::array<int, kAxes>;

class Merger {
 public:
  explicit Merger(LoopProgram& program) : program_(program), values_(program.variables.size()) {}

  Result<StatementPtr> Run(const StatementPtr& kernel) {
    ForEachStatement(*kernel, [this](const Statement& statement) {
      const auto* loop = std::get_if<For>(&statement.node);
      const int axis = loop ? AxisOf(loop->kind) : -1;
      if (axis < 0 || loop->extent <= extents_[axis]) return;
      extents_[axis] = loop->extent;
      variables_[axis] = loop->variable;
    });
    StatementPtr body = Merge(kernel);
    if (failure_) return *failure_;
    for (int axis = kAxes; axis-- > kFirstThread;) body = InLoop(axis, std::move(body));
    for (size_t i = shared_.size(); i-- > 0;) {
      body = MakeStatement(Allocate{shared_[i], std::move(body)});
    }
    for (int axis = kFirstThread; axis-- > 0;) body = InLoop(axis, std::move(body));
    return body;
  }

 private:
  StatementPtr InLoop(int axis, StatementPtr body) const {
    if (variables_[axis] < 0) return body;
    return MakeStatement(
        For{variables_[axis], 0, extents_[axis], KindOfAxis(axis), std::move(body)});
  }

  void Fail(const std::string& message) {
    if (!failure_) failure_ = InvalidSchedule(message);
  }

  Expr Merged(const Expr& expr) const {
    return Transform(expr, [this](const Expr& leaf) -> Expr {
      return leaf->op == Op::kVariable ? values_[leaf->id] : nullptr;
    });
  }

  StatementPtr Merge(const StatementPtr& statement) {
    return std::visit([&](const auto& node) { return MergeNode(node); }, statement->node);
  }

  StatementPtr MergeNode(const For& loop) {
    if (const int axis = AxisOf(loop.kind); axis >= 0) return MergeBound(loop, axis);
    For made = loop;
    if (loop.kind != LoopKind::kVector) {
      made.body = Merge(loop.body);
      return MakeStatement(std::move(made));
    }
    in_vector_ = true;
    lifted_.clear();
    made.body = Merge(loop.body);
    in_vector_ = false;
    return Guarded(std::exchange(lifted_, {}), MakeStatement(std::move(made)));
  }

  StatementPtr MergeBound(const For& loop, int axis) {
    if (axis < kFirstThread && open_[axis] > 0) {
      Fail(std::string("a kernel has a loop on ") + LoopKindName(loop.kind) +
           " within another, expected one");
    }
    const Expr thread = Variable(variables_[axis]);
    const bool is_whole = loop.extent == extents_[axis];
    if (is_whole && loop.variable != variables_[axis]) values_[loop.variable] = thread;
    ++open_[axis];
    StatementPtr body = Merge(loop.body);
    --open_[axis];
    if (is_whole) return body;
    return Guarded({Binary(Op::kLess, thread, IndexConstant(loop.extent))},
                   MakeStatement(Let{loop.variable, thread, std::move(body)}));
  }

  static StatementPtr Guarded(const std::vector<Expr>& conditions, StatementPtr body) {
    if (conditions.empty()) return body;
    return MakeStatement(If{Conjunction(conditions), std::move(body), nullptr});
  }

  StatementPtr MergeNode(const Let& let) {
    return MakeStatement(Let{let.variable, Merged(let.value), Merge(let.body)});
  }

  StatementPtr MergeNode(const If& branch) {
    return MakeStatement(If{Merged(branch.condition), Merge(branch.then_body),
                            branch.else_body ? Merge(branch.else_body) : nullptr});
  }

  StatementPtr MergeNode(const Allocate& allocate) {
    opened_at_[allocate.buffer] = open_;
    Buffer& buffer = program_.buffers[allocate.buffer];
    if (buffer.scope != MemoryScope::kShared) {
      return MakeStatement(Allocate{allocate.buffer, Merge(allocate.body)});
    }
    const int64_t end = end_of_shared_;
    buffer.byte_offset = (end + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    end_of_shared_ = buffer.byte_offset + buffer.SizeInBytes();
    shared_.push_back(allocate.buffer);
    open_shared_.push_back(allocate.buffer);
    StatementPtr body = Merge(allocate.body);
    open_shared_.pop_back();
    end_of_shared_ = end;
    return body;
  }

  StatementPtr MergeNode(const Store& store) {
    CheckNoSharedWithin(store.buffer);
    std::vector<Expr> guards;
    for (int axis = kFirstThread; axis < kAxes; ++axis) {
      if (variables_[axis] >= 0 && IsAlone(store.buffer, axis)) {
        guards.push_back(Binary(Op::kEqual, Variable(variables_[axis]), IndexConstant(0)));
      }
    }
    Store made{store.buffer, {}, Merged(store.value)};
    for (const Expr& index : store.indices) made.indices.push_back(Merged(index));
    if (in_vector_) lifted_ = std::exchange(guards, {});
    return Guarded(guards, MakeStatement(std::move(made)));
  }

  // Whether one thread along the axis makes a store for all threads.
  bool IsAlone(int id, int axis) {
    const Buffer& buffer = program_.buffers[id];
    const auto opened = opened_at_.find(id);
    const int loops = open_[axis] - (opened == opened_at_.end() ? 0 : opened->second[axis]);
    const bool is_own = opened != opened_at_.end() && buffer.scope == MemoryScope::kLocal;
    if (is_own && loops > 0) {
      Fail("threads share " + buffer.name + ", which is local: expected no loop of it on " +
           LoopKindName(KindOfAxis(axis)));
    }
    if (loops > 1) {
      Fail(buffer.name + " is stored in a loop on " + LoopKindName(KindOfAxis(axis)) +
           " within another, expected one");
    }
    return !is_own && loops == 0;
  }

  // All threads of a block must fill a shared buffer, so it must not be computed within the threads
  // that fill another one.
  void CheckNoSharedWithin(int id) {
    const auto opened = opened_at_.find(id);
    if (opened == opened_at_.end() || program_.buffers[id].scope != MemoryScope::kShared) return;
    for (const int other : open_shared_) {
      for (int axis = kFirstThread; axis < kAxes; ++axis) {
        if (opened_at_[other][axis] <= opened->second[axis]) continue;
        Fail(program_.buffers[other].name + " is computed within the threads that fill " +
             program_.buffers[id].name);
      }
    }
  }

  StatementPtr MergeNode(const Block& block) {
    Block made;
    for (const StatementPtr& part : block.statements) made.statements.push_back(Merge(part));
    return MakeStatement(std::move(made));
  }

  StatementPtr MergeNode(const Barrier& barrier) { return MakeStatement(barrier); }

  LoopProgram& program_;
  std::array<int64_t, kAxes> extents_ = {};
  Counts variables_ = {-1, -1, -1, -1, -1, -1};
  Counts open_ = {};                 // enclosing loops, by axis
  std::map<int, Counts> opened_at_;  // counts of the buffers around the allocation, by buffer
  std::vector<Expr> values_;         // values of the variables of removed loops
  std::vector<int> shared_, open_shared_;
  int64_t end_of_shared_ = 0;
  bool in_vector_ = false;
  std::vector<Expr> lifted_;  // guards that move outside of a vector loop
  std::optional<Error> failure_;
};

}  // namespace

Result<StatementPtr> MergeThreads(LoopProgram& program, const StatementPtr& kernel) {
  return Merger(program).Run(kernel);
}

}  // namespace schedulegym
