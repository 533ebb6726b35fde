// Builds a loop program: variables, buffers, statements, and an estimate of its code. A buffer's
// strides are dense from the last dimension on, raised to stride = offset (mod factor) where a
// storage alignment says so; a packed layout cuts each dimension in tiles and permutes the parts.
// Named binds an index that is not affine to a variable, once for equal values, so that later
// indices stay affine. Operations are counted as statements are made, times the unrolled loops
// around (code_size.h), so that a program too large is given up early.
#include "env/lower/builder.h"

#include <algorithm>

#include "env/lower/code_size.h"

namespace schedulegym {

int ProgramBuilder::AddVariable(const std::string& name, Range range, Expr definition) {
  program_.variables.push_back({name, range});
  definitions_.push_back(std::move(definition));
  is_threads_.push_back(false);
  return static_cast<int>(program_.variables.size()) - 1;
}

int ProgramBuilder::AddBuffer(Buffer buffer) {
  program_.buffers.push_back(std::move(buffer));
  return static_cast<int>(program_.buffers.size()) - 1;
}

int ProgramBuilder::AddBuffer(const Stage& stage, const std::vector<int64_t>& extent,
                              MemoryScope scope) {
  const StageOp& op = *stage.op;
  Buffer buffer{op.name, op.type, {}, {}, scope};
  std::vector<int64_t> shape = extent;
  if (!op.layout.empty()) {
    std::vector<int64_t> split;
    for (size_t i = 0; i < extent.size(); ++i) {
      const int64_t tile = op.layout.tile[i];
      split.push_back((extent[i] + tile - 1) / tile);
      if (tile > 1) split.push_back(tile);
    }
    shape.clear();
    for (int dimension : op.layout.order) shape.push_back(split[dimension]);
  }
  buffer.shape = shape;
  buffer.strides.assign(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t stride = i + 1 < shape.size() ? buffer.strides[i + 1] * shape[i + 1] : 1;
    for (const StorageAlignment& alignment : stage.alignments) {
      if (alignment.axis != static_cast<int>(i)) continue;
      const int64_t excess = (stride - alignment.offset) % alignment.factor;
      if (excess > 0) stride += alignment.factor - excess;
      if (excess < 0) stride -= excess;
    }
    buffer.strides[i] = stride;
  }
  return AddBuffer(std::move(buffer));
}

Expr ProgramBuilder::Named(const std::string& name, const Expr& value,
                           std::vector<Binding>& bindings) {
  const Expr simple = Simplified(value);
  if (ToAffine(simple)) return simple;
  for (const Binding& binding : bindings) {
    if (Equal(binding.value, simple)) return Variable(binding.variable);
  }
  const int variable = AddVariable(name, BoundsOf(simple, ranges()), simple);
  bindings.push_back({variable, simple});
  return Variable(variable);
}

std::vector<Expr> ProgramBuilder::LocateOffset(const Stage& stage,
                                               std::vector<Expr> offsets) const {
  const Layout& layout = stage.op->layout;
  if (layout.empty()) {
    for (Expr& offset : offsets) offset = Simplified(offset);
    return offsets;
  }
  std::vector<Expr> split;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (layout.tile[i] == 1) {
      split.push_back(Simplified(offsets[i]));
      continue;
    }
    const Expr tile = IndexConstant(layout.tile[i]);
    split.push_back(Simplified(Binary(Op::kFloorDivide, offsets[i], tile)));
    split.push_back(Simplified(Binary(Op::kModulo, offsets[i], tile)));
  }
  std::vector<Expr> located;
  for (int dimension : layout.order) located.push_back(split[dimension]);
  return located;
}

std::vector<Expr> ProgramBuilder::LocateElement(int stage, std::vector<Expr> indices) const {
  const Region& region = residences_[stage].region;
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = indices[i] - region.base[i];
  return LocateOffset(state_.stage(stage), std::move(indices));
}

StatementPtr ProgramBuilder::Count(StatementPtr statement) {
  if (!statement) return nullptr;
  ++statements_;
  if (const Store* store = std::get_if<Store>(&statement->node)) {
    const DType type = program_.buffers[store->buffer].type;
    code_ += copies_ * StoreOperations(store->value, type, vector_, state_.task().target);
  }
  return statement;
}

ProgramBuilder::CodeScope::CodeScope(ProgramBuilder& builder, LoopKind kind, int64_t extent)
    : builder_(builder), copies_(builder.copies_), vector_(builder.vector_) {
  if (kind == LoopKind::kUnrolled) builder.copies_ *= static_cast<double>(extent);
  if (kind == LoopKind::kVector) builder.vector_ = extent;
}

ProgramBuilder::CodeScope::~CodeScope() {
  builder_.copies_ = copies_;
  builder_.vector_ = vector_;
}

StatementPtr Wrap(const std::vector<Binding>& bindings, StatementPtr statement) {
  if (!statement) return nullptr;
  for (size_t i = bindings.size(); i-- > 0;) {
    statement = MakeStatement(Let{bindings[i].variable, bindings[i].value, std::move(statement)});
  }
  return statement;
}

StatementPtr Sequence(std::vector<StatementPtr> statements) {
  Block block;
  for (StatementPtr& statement : statements) {
    if (!statement) continue;
    if (const Block* inner = std::get_if<Block>(&statement->node)) {
      block.statements.insert(block.statements.end(), inner->statements.begin(),
                              inner->statements.end());
    } else {
      block.statements.push_back(std::move(statement));
    }
  }
  if (block.statements.empty()) return nullptr;
  if (block.statements.size() == 1) return block.statements[0];
  return MakeStatement(std::move(block));
}

bool IsTrue(const Expr& condition) {
  return condition->op == Op::kInteger && condition->integer != 0;
}

bool IsFalse(const Expr& condition) { return IsInteger(condition, 0); }

Expr Conjunction(const std::vector<Expr>& conditions) {
  Expr all = BoolConstant(true);
  for (const Expr& condition : conditions) all = Binary(Op::kAnd, all, condition);
  return all;
}

void CollectConjuncts(const Expr& condition, std::vector<Expr>& conjuncts) {
  if (condition->op != Op::kAnd) {
    conjuncts.push_back(condition);
    return;
  }
  for (const Expr& side : condition->args) CollectConjuncts(side, conjuncts);
}

StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body) {
  if (!then_body && !else_body) return nullptr;
  if (!then_body) {
    condition = Unary(Op::kNot, condition);
    std::swap(then_body, else_body);
  }
  return MakeStatement(If{std::move(condition), std::move(then_body), std::move(else_body)});
}

}  // namespace schedulegym
