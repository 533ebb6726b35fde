#include "env/lower/statements.h"

#include <utility>

namespace schedulegym {
namespace {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

std::vector<Expr> IndicesOf(const Store& store, const StatementMap& map) {
  std::vector<Expr> indices = map.prefix(store.buffer);
  for (const Expr& index : store.indices) indices.push_back(map.expr(index));
  return indices;
}

// With the expressions and variables that the map has for it; parts stay.
Statement MappedNode(const Statement& statement, const StatementMap& map) {
  return std::visit(
      Overloaded{
          [&](For loop) {
            loop.variable = map.bound(loop.variable);
            return Statement{std::move(loop)};
          },
          [&](Let let) {
            let.value = map.expr(let.value);
            let.variable = map.bound(let.variable);
            return Statement{std::move(let)};
          },
          [&](If branch) {
            branch.condition = map.expr(branch.condition);
            return Statement{std::move(branch)};
          },
          [&](const Store& store) {
            return Statement{Store{store.buffer, IndicesOf(store, map), map.expr(store.value)}};
          },
          [](const auto& other) { return Statement{other}; }},
      statement.node);
}

}  // namespace

std::vector<StatementPtr> PartsOf(const Statement& statement) {
  return std::visit(
      Overloaded{[](const If& branch) {
                   std::vector<StatementPtr> parts = {branch.then_body};
                   if (branch.else_body) parts.push_back(branch.else_body);
                   return parts;
                 },
                 [](const Block& block) { return block.statements; },
                 [](const Store&) { return std::vector<StatementPtr>(); },
                 [](const Barrier&) { return std::vector<StatementPtr>(); },
                 [](const auto& around) { return std::vector<StatementPtr>{around.body}; }},
      statement.node);
}

StatementPtr WithParts(const Statement& statement, std::vector<StatementPtr> parts) {
  return std::visit(Overloaded{[&](If branch) {
                                 branch.then_body = std::move(parts[0]);
                                 if (branch.else_body) branch.else_body = std::move(parts[1]);
                                 return MakeStatement(std::move(branch));
                               },
                               [&](const Block&) { return MakeStatement(Block{std::move(parts)}); },
                               [](const Store& store) { return MakeStatement(store); },
                               [](const Barrier& barrier) { return MakeStatement(barrier); },
                               [&](auto around) {
                                 around.body = std::move(parts[0]);
                                 return MakeStatement(std::move(around));
                               }},
                    statement.node);
}

void ForEachStatement(const Statement& statement,
                      const std::function<void(const Statement&)>& visit) {
  visit(statement);
  for (const StatementPtr& part : PartsOf(statement)) ForEachStatement(*part, visit);
}

void ForEachExpr(const Statement& statement, const std::function<void(const Expr&)>& visit) {
  std::visit(Overloaded{[&](const Let& let) { visit(let.value); },
                        [&](const If& branch) { visit(branch.condition); },
                        [&](const Store& store) {
                          for (const Expr& index : store.indices) visit(index);
                          visit(store.value);
                        },
                        [](const auto&) {}},
             statement.node);
}

void ForEachAccess(const Statement& statement, const AccessVisitor& visit) {
  ForEachStatement(statement, [&](const Statement& part) {
    ForEachExpr(part, [&](const Expr& expr) {
      Visit(expr, [&](const ExprNode& node) {
        if (node.op == Op::kRead) visit(node.id, false);
      });
    });
    if (const auto* store = std::get_if<Store>(&part.node)) visit(store->buffer, true);
  });
}

bool HasBarrier(const Statement& statement) {
  bool found = false;
  ForEachStatement(statement, [&](const Statement& part) {
    found = found || std::holds_alternative<Barrier>(part.node);
  });
  return found;
}

bool AllocatesShared(const LoopProgram& program, const Statement& statement) {
  bool found = false;
  ForEachStatement(statement, [&](const Statement& part) {
    const auto* allocate = std::get_if<Allocate>(&part.node);
    found = found || (allocate && program.buffers[allocate->buffer].scope == MemoryScope::kShared);
  });
  return found;
}

StatementPtr Mapped(const Statement& statement, const StatementMap& map) {
  std::vector<StatementPtr> parts = PartsOf(statement);
  for (StatementPtr& part : parts) part = Mapped(*part, map);
  return WithParts(MappedNode(statement, map), std::move(parts));
}

}  // namespace schedulegym
