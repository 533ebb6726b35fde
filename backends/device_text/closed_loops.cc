// A walk in the order of execution keeps whether a loop with barriers has ended and no barrier has
// come since. Only statements that all threads reach hold barriers, so that one may be put before
// any part of theirs. Cost: O(depth * program).
#include "backends/device_text/closed_loops.h"

#include <utility>
#include <vector>

#include "env/lower/statements.h"

namespace schedulegym {
namespace {

class Closer {
 public:
  explicit Closer(const KernelBody& kernel) : kernel_(kernel) {}

  StatementPtr Close(const StatementPtr& statement) {
    if (std::holds_alternative<Barrier>(statement->node)) has_ended_ = false;
    if (!HasBarrier(*statement)) return statement;
    const bool is_block = std::holds_alternative<Block>(statement->node);
    std::vector<StatementPtr> parts;
    for (const StatementPtr& part : PartsOf(*statement)) {
      if (is_block && has_ended_ && !HasBarrier(*part) && IsGuarded(*part)) {
        parts.push_back(MakeStatement(Barrier{}));
        has_ended_ = false;
      }
      parts.push_back(Close(part));
    }
    const auto* loop = std::get_if<For>(&statement->node);
    has_ended_ =
        has_ended_ || (loop && (!IsGpuLoop(loop->kind) || loop->kind == LoopKind::kVthread));
    return WithParts(*statement, std::move(parts));
  }

 private:
  bool IsGuarded(const Statement& statement) const {
    bool is_guarded = false;
    ForEachStatement(statement, [&](const Statement& within) {
      is_guarded = is_guarded || std::holds_alternative<If>(within.node) || IsShort(within);
    });
    return is_guarded;
  }

  // A loop over fewer threads than were launched.
  bool IsShort(const Statement& statement) const {
    const auto* loop = std::get_if<For>(&statement.node);
    if (!loop || !IsThreadLoop(loop->kind)) return false;
    const auto axis = static_cast<size_t>(loop->kind) - static_cast<size_t>(LoopKind::kThreadX);
    return loop->extent != kernel_.threads[axis];
  }

  const KernelBody& kernel_;
  bool has_ended_ = false;
};

}  // namespace

StatementPtr WithClosedLoops(const KernelBody& kernel) { return Closer(kernel).Close(kernel.body); }

}  // namespace schedulegym
