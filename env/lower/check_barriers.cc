// One walk. A barrier must not be under a condition, or in a loop, that differs between threads; a
// value differs if it depends on a thread's number or on memory. PlaceBarriers must have no barrier
// to add to the threads of a kernel. A shared buffer is read only while its bytes hold its own
// values: a store to another buffer in the same bytes ends that. Loops are walked twice, so that
// each iteration sees the state that the one before it left. Cost: O(program * 2^depth of loops).
#include "env/lower/place_barriers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "env/lower/fact.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

class Checker {
 public:
  explicit Checker(const LoopProgram& program)
      : program_(program), differs_(program.variables.size()) {}

  Result<void> Run() {
    CheckStatement(*program_.body);
    if (failure_) return Error{ErrorKind::kInvalidSchedule, *failure_};
    return {};
  }

 private:
  void Fail(const std::string& message) {
    if (!failure_) failure_ = message;
  }

  void CheckStatement(const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.node))
      return CheckStore(statement, *store);
    ForEachExpr(statement, [&](const Expr& expr) { CheckReads(expr); });
    if (std::holds_alternative<Barrier>(statement.node)) return CheckBarrier();
    const auto* loop = std::get_if<For>(&statement.node);
    if (loop) return CheckLoop(*loop);
    if (const auto* let = std::get_if<Let>(&statement.node)) {
      differs_[let->variable] = Differs(let->value);
    }
    const auto* branch = std::get_if<If>(&statement.node);
    const bool diverges = branch && Differs(branch->condition);
    diverging_ += diverges ? 1 : 0;
    for (const StatementPtr& part : PartsOf(statement)) CheckStatement(*part);
    diverging_ -= diverges ? 1 : 0;
  }

  // Twice, as an iteration starts in the state that the one before it left.
  void CheckLoop(const For& loop) {
    differs_[loop.variable] = IsThreadLoop(loop.kind) || loop.kind == LoopKind::kVthread;
    const bool holds_no_barrier = loop.kind == LoopKind::kVector || loop.kind == LoopKind::kVthread;
    diverging_ += holds_no_barrier ? 1 : 0;
    const bool begins_block = IsThreadLoop(loop.kind) && threads_ == 0;
    if (begins_block) held_.clear();
    threads_ += IsThreadLoop(loop.kind) ? 1 : 0;
    CheckStatement(*loop.body);
    if (!IsGpuLoop(loop.kind) && loop.extent > 1) CheckStatement(*loop.body);
    threads_ -= IsThreadLoop(loop.kind) ? 1 : 0;
    diverging_ -= holds_no_barrier ? 1 : 0;
    if (begins_block) CheckPlaces(MakeStatement(loop));
  }

  // Of everything that the threads of a block execute.
  void CheckPlaces(const StatementPtr& threads) {
    if (CountBarriers(*PlaceBarriers(program_, threads)) == CountBarriers(*threads)) return;
    Fail("threads use the same shared memory without a barrier between");
  }

  void CheckBarrier() {
    if (diverging_ > 0) Fail("a barrier is not reached by all threads of a block");
  }

  bool Differs(const Expr& expr) const {
    std::set<int> mentioned;
    AddVariables(expr, mentioned);
    bool reads = false;
    Visit(expr, [&](const ExprNode& node) { reads = reads || node.op == Op::kRead; });
    return reads || std::ranges::any_of(mentioned, [&](int id) { return differs_[id]; });
  }

  // ---- shared bytes ----------------------------------------------------------------------------

  void CheckStore(const Statement& statement, const Store& store) {
    const Buffer& stored = program_.buffers[store.buffer];
    ForEachExpr(statement, [&](const Expr& expr) { CheckReads(expr, store.buffer); });
    if (stored.scope != MemoryScope::kShared) return;
    std::erase_if(held_,
                  [&](int other) { return other != store.buffer && Overlap(store.buffer, other); });
    held_.insert(store.buffer);
  }

  // `own` is the buffer that the values are stored to.
  void CheckReads(const Expr& expr, int own = -1) {
    Visit(expr, [&](const ExprNode& node) {
      if (node.op != Op::kRead || node.id == own || held_.contains(node.id)) return;
      const Buffer& buffer = program_.buffers[node.id];
      if (buffer.scope != MemoryScope::kShared) return;
      Fail(buffer.name + " is read where its shared memory holds nothing of it");
    });
  }

  bool Overlap(int a, int b) const {
    const Buffer &first = program_.buffers[a], &second = program_.buffers[b];
    return first.byte_offset < second.byte_offset + second.SizeInBytes() &&
           second.byte_offset < first.byte_offset + first.SizeInBytes();
  }

  const LoopProgram& program_;
  std::vector<bool> differs_;  // by variable: from thread to thread
  std::set<int> held_;  // shared buffers whose bytes no store to another buffer has overwritten
  int diverging_ = 0;   // conditions and loops around that must not contain a barrier
  int threads_ = 0;     // loops of threads around
  std::optional<std::string> failure_;
};

}  // namespace

Result<void> CheckBarriers(const LoopProgram& program) { return Checker(program).Run(); }

}  // namespace schedulegym
