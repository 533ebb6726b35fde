// One walk, inside out. Of each statement it keeps the shared buffers used before its first barrier
// (head) and after its last (tail). Two uses conflict where one fills and the other reads, or both
// fill different buffers, in bytes that overlap. A buffer of which each thread uses only the cells
// that it fills itself (the thread's variable is the index of one dimension everywhere) does not
// conflict with itself. In a sequence a barrier goes before a part whose head conflicts with the
// uses since the last barrier. A loop whose tail conflicts with its own head starts with one. Bound
// loops and virtual threads have no next iteration: those of one thread are its own, others run at
// the same time. Cost: O(program * buffers^2).
#include "env/lower/place_barriers.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "env/lower/statements.h"

namespace schedulegym {
namespace {

// Shared buffers by their kind of use.
struct Uses {
  std::set<int> filled;  // stored to, or read for such a store
  std::set<int> read;

  void Add(const Uses& other) {
    filled.insert(other.filled.begin(), other.filled.end());
    read.insert(other.read.begin(), other.read.end());
  }
};

struct Walked {
  StatementPtr statement;
  Uses head, tail;       // equal where there is no barrier
  bool may_pass = true;  // whether there is a path without a barrier
};

// The dimensions of each buffer whose index is a variable in all accesses, as a mask of 64.
class PlainDimensions {
 public:
  PlainDimensions(const LoopProgram& program, const Statement& statement, int variable)
      : variable_(variable), masks_(program.buffers.size(), ~uint64_t{0}) {
    ForEachStatement(statement, [this](const Statement& part) {
      if (const auto* store = std::get_if<Store>(&part.node)) Note(store->buffer, store->indices);
      ForEachExpr(part, [this](const Expr& expr) {
        Visit(expr, [this](const ExprNode& node) {
          if (node.op == Op::kRead) Note(node.id, node.args);
        });
      });
    });
  }

  bool HasAny(int buffer) const { return masks_[buffer] != 0; }

 private:
  void Note(int buffer, const std::vector<Expr>& indices) {
    uint64_t plain = 0;
    for (size_t i = 0; i < indices.size() && i < 64; ++i) {
      const bool is_plain = indices[i]->op == Op::kVariable && indices[i]->id == variable_;
      plain |= uint64_t{is_plain} << i;
    }
    masks_[buffer] &= plain;
  }

  int variable_;
  std::vector<uint64_t> masks_;
};

// By buffer: whether each thread uses only cells that no other thread uses. Virtual threads of one
// thread share what was filled before a barrier.
std::vector<bool> OwnBuffers(const LoopProgram& program, const Statement& statement) {
  std::vector<bool> is_own(program.buffers.size(), true);
  ForEachStatement(statement, [&](const Statement& part) {
    const auto* loop = std::get_if<For>(&part.node);
    if (loop && loop->kind == LoopKind::kVthread) is_own.assign(is_own.size(), false);
    if (!loop || !IsThreadLoop(loop->kind) || loop->extent == 1) return;
    const PlainDimensions plain(program, statement, loop->variable);
    for (size_t i = 0; i < is_own.size(); ++i) {
      is_own[i] = is_own[i] && plain.HasAny(static_cast<int>(i));
    }
  });
  return is_own;
}

class Placer {
 public:
  Placer(const LoopProgram& program, const Statement& statement)
      : program_(program), is_own_(OwnBuffers(program, statement)) {}

  Walked PlaceStatement(const StatementPtr& statement) {
    if (const auto* block = std::get_if<Block>(&statement->node)) return PlaceBlock(*block);
    if (const auto* branch = std::get_if<If>(&statement->node)) return PlaceBranch(*branch);
    if (std::holds_alternative<Barrier>(statement->node)) return {statement, {}, {}, false};
    Walked walked = PlaceParts(*statement);
    const auto* loop = std::get_if<For>(&statement->node);
    const bool repeats = loop && !IsGpuLoop(loop->kind) && loop->extent > 1;
    if (!repeats || !Conflict(walked.tail, walked.head)) return walked;
    For made = *loop;
    made.body = MakeStatement(Block{{MakeStatement(Barrier{}), BodyOf(*walked.statement)}});
    return {MakeStatement(std::move(made)), {}, walked.tail, false};
  }

 private:
  static const StatementPtr& BodyOf(const Statement& loop) { return std::get<For>(loop.node).body; }

  // Places barriers in a statement with at most one part.
  Walked PlaceParts(const Statement& statement) {
    Walked walked;
    Uses own;
    ForEachExpr(statement, [&](const Expr& expr) { AddReads(expr, own); });
    if (const auto* store = std::get_if<Store>(&statement.node)) {
      if (IsShared(store->buffer)) {
        own.read.erase(store->buffer);
        own.filled.insert(store->buffer);
      }
    }
    std::vector<StatementPtr> parts = PartsOf(statement);
    if (!parts.empty()) {
      walked = PlaceStatement(parts[0]);
      parts[0] = walked.statement;
    }
    if (walked.may_pass) walked.tail.Add(own);
    walked.head.Add(own);
    walked.statement = WithParts(statement, std::move(parts));
    return walked;
  }

  Walked PlaceBlock(const Block& block) {
    Walked walked;
    Block made;
    for (const StatementPtr& part : block.statements) {
      Walked next = PlaceStatement(part);
      if (Conflict(walked.tail, next.head)) {
        made.statements.push_back(MakeStatement(Barrier{}));
        walked.may_pass = false;
        walked.tail = {};
      }
      if (walked.may_pass) walked.head.Add(next.head);
      if (!next.may_pass) {
        walked.may_pass = false;
        walked.tail = {};
      }
      walked.tail.Add(next.tail);
      made.statements.push_back(std::move(next.statement));
    }
    walked.statement = MakeStatement(std::move(made));
    return walked;
  }

  Walked PlaceBranch(const If& branch) {
    Walked walked = PlaceStatement(branch.then_body);
    If made = branch;
    made.then_body = walked.statement;
    if (branch.else_body) {
      Walked other = PlaceStatement(branch.else_body);
      made.else_body = std::move(other.statement);
      walked.head.Add(other.head);
      walked.tail.Add(other.tail);
      walked.may_pass = walked.may_pass || other.may_pass;
    } else {
      walked.may_pass = true;
    }
    AddReads(branch.condition, walked.head);
    AddReads(branch.condition, walked.tail);
    walked.statement = MakeStatement(std::move(made));
    return walked;
  }

  bool IsShared(int buffer) const { return program_.buffers[buffer].scope == MemoryScope::kShared; }

  void AddReads(const Expr& expr, Uses& uses) const {
    Visit(expr, [&](const ExprNode& node) {
      if (node.op == Op::kRead && IsShared(node.id)) uses.read.insert(node.id);
    });
  }

  bool Overlap(int a, int b) const {
    const Buffer &first = program_.buffers[a], &second = program_.buffers[b];
    return first.byte_offset < second.byte_offset + second.SizeInBytes() &&
           second.byte_offset < first.byte_offset + first.SizeInBytes();
  }

  bool AnyOverlap(const std::set<int>& some, const std::set<int>& others, bool with_itself) const {
    return std::ranges::any_of(some, [&](int a) {
      return std::ranges::any_of(
          others, [&](int b) { return a == b ? with_itself && !is_own_[a] : Overlap(a, b); });
    });
  }

  bool Conflict(const Uses& before, const Uses& after) const {
    return AnyOverlap(before.filled, after.read, true) ||
           AnyOverlap(before.read, after.filled, true) ||
           AnyOverlap(before.filled, after.filled, false);
  }

  const LoopProgram& program_;
  std::vector<bool> is_own_;  // by buffer
};

}  // namespace

StatementPtr PlaceBarriers(const LoopProgram& program, const StatementPtr& statement) {
  return Placer(program, *statement).PlaceStatement(statement).statement;
}

int CountBarriers(const Statement& statement) {
  int count = 0;
  ForEachStatement(statement, [&](const Statement& part) {
    count += std::holds_alternative<Barrier>(part.node) ? 1 : 0;
  });
  return count;
}

}  // namespace schedulegym
