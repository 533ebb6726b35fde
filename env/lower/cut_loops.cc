// Walks down to statements without a barrier, with a list of the nodes on the way: loops of the
// kind that is cut, lets that depend on them, branches, and lets within branches. Other nodes keep
// their place. A piece without a barrier is wrapped in the part of the list that it needs: each
// loop and let that it mentions, also by way of others of the list, and each branch. The first
// piece keeps the list's variables, later ones get copies. Cost: O(program * pieces).
#include "env/lower/cut_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "env/lower/fact.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

class Cutter {
 public:
  Cutter(LoopProgram& program, CutLoopKind kind)
      : program_(program),
        kind_(kind),
        differs_(program.variables.size()),
        is_cut_(program.variables.size()) {}

  StatementPtr Cut(const StatementPtr& statement) {
    if (!HasBarrier(*statement)) return Piece({statement}, IsForBlock(*statement));
    return std::visit([&](const auto& node) { return CutNode(node); }, statement->node);
  }

 private:
  // An enclosing loop, let or branch; its body is ignored. The else side of a branch is a branch on
  // the negated condition.
  using Around = Statement;

  bool IsCut(LoopKind kind) const {
    return kind_ == CutLoopKind::kVthread ? kind == LoopKind::kVthread : IsThreadLoop(kind);
  }

  StatementPtr CutNode(const For& loop) {
    differs_[loop.variable] = IsThreadLoop(loop.kind) || loop.kind == LoopKind::kVthread;
    if (!IsCut(loop.kind)) {
      For made = loop;
      made.body = Cut(loop.body);
      return MakeStatement(std::move(made));
    }
    is_cut_[loop.variable] = true;
    return CutWithin(Around{loop}, loop.body);
  }

  StatementPtr CutNode(const Let& let) {
    differs_[let.variable] = Differs(let.value);
    is_cut_[let.variable] = Mentions(let.value, is_cut_);
    // Under a branch the value may be legal only there, so the let moves with its piece.
    const bool is_guarded = std::ranges::any_of(around_, IsBranch);
    if (is_cut_[let.variable] || is_guarded) return CutWithin(Around{let}, let.body);
    return MakeStatement(Let{let.variable, let.value, Cut(let.body)});
  }

  static bool IsBranch(const Around& around) { return std::holds_alternative<If>(around.node); }

  StatementPtr CutNode(const If& branch) {
    Block made{{CutWithin(Around{If{branch.condition, nullptr, nullptr}}, branch.then_body)}};
    if (branch.else_body) {
      const Expr otherwise = Unary(Op::kNot, branch.condition);
      made.statements.push_back(
          CutWithin(Around{If{otherwise, nullptr, nullptr}}, branch.else_body));
    }
    return MakeStatement(std::move(made));
  }

  StatementPtr CutWithin(Around around, const StatementPtr& body) {
    around_.push_back(std::move(around));
    StatementPtr made = Cut(body);
    around_.pop_back();
    return made;
  }

  StatementPtr CutNode(const Allocate& allocate) {
    Buffer& buffer = program_.buffers[allocate.buffer];
    if (buffer.scope == MemoryScope::kLocal) AddDimensions(allocate.buffer);
    return MakeStatement(Allocate{allocate.buffer, Cut(allocate.body)});
  }

  void AddDimensions(int id) {
    Buffer& buffer = program_.buffers[id];
    std::vector<int>& loops = dimensions_[id];
    std::vector<int64_t> shape, strides;
    for (const Around& around : around_) {
      const auto* loop = std::get_if<For>(&around.node);
      if (!loop) continue;
      loops.push_back(loop->variable);
      shape.push_back(loop->extent);
    }
    if (loops.empty()) return;
    int64_t stride = buffer.ElementSpan();
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
      strides.insert(strides.begin(), stride);
    }
    buffer.shape.insert(buffer.shape.begin(), shape.begin(), shape.end());
    buffer.strides.insert(buffer.strides.begin(), strides.begin(), strides.end());
    if (kind_ == CutLoopKind::kThread) buffer.scope = MemoryScope::kGlobal;
  }

  StatementPtr CutNode(const Block& block) {
    Block made;
    std::vector<StatementPtr> together;
    bool is_for_block = false;
    const auto flush = [&] {
      if (!together.empty()) made.statements.push_back(Piece(together, is_for_block));
      together.clear();
    };
    for (const StatementPtr& part : block.statements) {
      if (std::holds_alternative<Barrier>(part->node)) {
        flush();
        if (kind_ == CutLoopKind::kVthread) made.statements.push_back(part);
      } else if (HasBarrier(*part)) {
        flush();
        made.statements.push_back(Cut(part));
      } else {
        const bool is_next_for_block = IsForBlock(*part);
        if (is_next_for_block != is_for_block) flush();
        is_for_block = is_next_for_block;
        together.push_back(part);
      }
    }
    flush();
    return MakeStatement(std::move(made));
  }

  StatementPtr CutNode(const Store& store) { return MakeStatement(store); }  // holds no barrier
  StatementPtr CutNode(const Barrier& barrier) {
    return kind_ == CutLoopKind::kVthread ? MakeStatement(barrier) : MakeStatement(Block{});
  }

  // Whether the piece only fills shared memory, which all threads do together in any branch.
  bool IsForBlock(const Statement& piece) const {
    if (kind_ == CutLoopKind::kThread) return false;
    std::set<int> own;
    bool is_shared = true;
    ForEachStatement(piece, [&](const Statement& part) {
      if (const auto* allocate = std::get_if<Allocate>(&part.node)) own.insert(allocate->buffer);
      const auto* store = std::get_if<Store>(&part.node);
      if (!store || own.contains(store->buffer)) return;
      const Buffer& buffer = program_.buffers[store->buffer];
      is_shared = is_shared && buffer.scope == MemoryScope::kShared &&
                  !buffer.name.ends_with(kPartialSuffix);
    });
    return is_shared;
  }

  bool Differs(const Expr& expr) const {
    bool reads_own = false;
    Visit(expr, [&](const ExprNode& node) {
      if (node.op != Op::kRead) return;
      reads_own = reads_own || program_.buffers[node.id].scope == MemoryScope::kLocal;
    });
    return reads_own || Mentions(expr, differs_);
  }

  static bool Mentions(const Expr& expr, const std::vector<bool>& variables) {
    std::set<int> mentioned;
    AddVariables(expr, mentioned);
    return std::ranges::any_of(mentioned, [&](int variable) { return variables[variable]; });
  }

  // ---- pieces ----------------------------------------------------------------------------------

  StatementPtr Piece(const std::vector<StatementPtr>& parts, bool is_for_block) {
    StatementPtr piece = parts.size() == 1 ? parts[0] : MakeStatement(Block{parts});
    const std::vector<const Around*> needed = Needed(*piece, is_for_block);
    std::map<int, int> names;  // names of the list's variables in this piece
    for (const Around* around : needed) {
      const int variable = VariableOf(*around);
      if (variable >= 0) names[variable] = NameFor(variable);
    }
    const StatementMap map = {[&](const Expr& expr) { return Renamed(expr, names); },
                              [&](int variable) { return Renamed(variable, names); },
                              [&](int buffer) { return PrefixOf(buffer, names); }};
    if (!needed.empty()) piece = Mapped(*piece, map);
    for (size_t i = needed.size(); i-- > 0;) piece = Put(*needed[i], map, std::move(piece));
    return piece;
  }

  static StatementPtr Put(const Around& around, const StatementMap& map, StatementPtr body) {
    if (const auto* loop = std::get_if<For>(&around.node)) {
      return MakeStatement(
          For{map.bound(loop->variable), loop->begin, loop->extent, loop->kind, std::move(body)});
    }
    if (const auto* let = std::get_if<Let>(&around.node)) {
      return MakeStatement(Let{map.bound(let->variable), map.expr(let->value), std::move(body)});
    }
    const Expr& condition = std::get<If>(around.node).condition;
    return MakeStatement(If{map.expr(condition), std::move(body), nullptr});
  }

  std::vector<const Around*> Needed(const Statement& piece, bool is_for_block) const {
    std::set<int> mentioned;
    ForEachStatement(piece, [&](const Statement& part) {
      ForEachExpr(part, [&](const Expr& expr) { AddVariables(expr, mentioned); });
    });
    ForEachAccess(piece, [&](int buffer, bool) {
      const auto found = dimensions_.find(buffer);
      if (found == dimensions_.end()) return;
      mentioned.insert(found->second.begin(), found->second.end());
    });
    std::vector<const Around*> needed;
    for (size_t i = around_.size(); i-- > 0;) {
      if (!IsNeeded(around_[i], mentioned, is_for_block)) continue;
      ForEachExpr(around_[i], [&](const Expr& expr) { AddVariables(expr, mentioned); });
      needed.insert(needed.begin(), &around_[i]);
    }
    return needed;
  }

  bool IsNeeded(const Around& around, const std::set<int>& mentioned, bool is_for_block) const {
    if (const auto* branch = std::get_if<If>(&around.node)) {
      return !is_for_block || !Differs(branch->condition);
    }
    const bool is_loop = std::holds_alternative<For>(around.node);
    if (is_loop && kind_ == CutLoopKind::kThread) return true;
    return mentioned.contains(VariableOf(around));
  }

  static int VariableOf(const Around& around) {
    if (const auto* loop = std::get_if<For>(&around.node)) return loop->variable;
    if (const auto* let = std::get_if<Let>(&around.node)) return let->variable;
    return -1;
  }

  int NameFor(int variable) {
    if (taken_.insert(variable).second) return variable;
    program_.variables.push_back(LoopVariable(program_.variables[variable]));
    return static_cast<int>(program_.variables.size()) - 1;
  }

  static int Renamed(int variable, const std::map<int, int>& names) {
    const auto found = names.find(variable);
    return found == names.end() ? variable : found->second;
  }

  std::vector<Expr> PrefixOf(int buffer, const std::map<int, int>& names) const {
    std::vector<Expr> prefix;
    const auto found = dimensions_.find(buffer);
    if (found == dimensions_.end()) return prefix;
    for (const int loop : found->second) prefix.push_back(Variable(Renamed(loop, names)));
    return prefix;
  }

  Expr Renamed(const Expr& expr, const std::map<int, int>& names) const {
    return Transform(expr, [&](const Expr& leaf) -> Expr {
      if (leaf->op == Op::kVariable) return Variable(Renamed(leaf->id, names));
      std::vector<Expr> indices = PrefixOf(leaf->id, names);
      if (indices.empty()) return nullptr;
      indices.insert(indices.end(), leaf->args.begin(), leaf->args.end());
      return Read(leaf->type, leaf->id, std::move(indices));
    });
  }

  LoopProgram& program_;
  CutLoopKind kind_;
  std::vector<bool> differs_;  // by variable: differs between threads, or virtual threads
  std::vector<bool> is_cut_;   // by variable: is a loop of the list, or depends on one
  std::vector<Around> around_;
  std::set<int> taken_;                         // variables of the list that a piece has bound
  std::map<int, std::vector<int>> dimensions_;  // dimensions that buffers got, by loop
};

}  // namespace

StatementPtr CutLoops(LoopProgram& program, const StatementPtr& statement, CutLoopKind kind) {
  return Cutter(program, kind).Cut(statement);
}

}  // namespace schedulegym
