#include "env/schedule/stage.h"

namespace schedulegym {
namespace {

bool IsZero(const Expr& expr) {
  if (expr->op == Op::kInteger) return expr->integer == 0;
  return expr->op == Op::kNumber && expr->number == 0;
}

void AddConjuncts(const Expr& condition, std::vector<Expr>& conjuncts) {
  if (condition->op != Op::kAnd) {
    conjuncts.push_back(condition);
    return;
  }
  AddConjuncts(condition->args[0], conjuncts);
  AddConjuncts(condition->args[1], conjuncts);
}

// Takes the conditions out of select(c, x, 0) where a zero makes the whole term zero.
Expr ExtractConditions(const Expr& expr, std::vector<Expr>& conditions) {
  if (expr->op == Op::kSelect && IsZero(expr->args[2])) {
    AddConjuncts(expr->args[0], conditions);
    return ExtractConditions(expr->args[1], conditions);
  }
  if (expr->op == Op::kMultiply) {
    const Expr left = ExtractConditions(expr->args[0], conditions);
    const Expr right = ExtractConditions(expr->args[1], conditions);
    return Rebuild(*expr, {left, right});
  }
  if (expr->op == Op::kNegate || expr->op == Op::kCast) {
    return Rebuild(*expr, {ExtractConditions(expr->args[0], conditions)});
  }
  return expr;
}

}  // namespace

StageOpPtr FinishStageOp(StageOp op) {
  op.reads.clear();
  op.conditions.clear();
  op.value = op.body;
  if (op.body == nullptr) return std::make_shared<const StageOp>(std::move(op));
  bool has_select = false;
  Visit(op.body, [&](const ExprNode& node) {
    has_select = has_select || node.op == Op::kSelect;
    if (node.op != Op::kRead) return;
    ReadAccess access{node.id, node.args, {}};
    access.affine.reserve(node.args.size());
    for (const Expr& index : node.args) access.affine.push_back(ToAffine(index));
    op.reads.push_back(std::move(access));
  });
  if (has_select && op.combiner == Combiner::kSum) {
    op.value = ExtractConditions(op.body, op.conditions);
  }
  return std::make_shared<const StageOp>(std::move(op));
}

bool Stage::untouched_order() const {
  for (size_t i = 0; i < loops.size(); ++i) {
    if (loops[i] != StageLoop{static_cast<int>(i)}) return false;
  }
  return true;
}

int Stage::FindLoop(int node) const {
  for (size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].node == node) return static_cast<int>(i);
  }
  return -1;
}

Stage FreshStage(StageOpPtr op) {
  Stage stage;
  const int count = op->body ? static_cast<int>(op->axes.size()) : 0;
  stage.nodes.reserve(count + 8);
  stage.loops.reserve(count + 8);
  for (int i = 0; i < count; ++i) {
    stage.nodes.push_back({op->axes[i].extent, i >= op->spatial});
    stage.loops.push_back({i, Annotation::kNone});
  }
  stage.op = op;
  stage.effective = std::move(op);
  return stage;
}

const char* AnnotationName(Annotation annotation) {
  switch (annotation) {
    case Annotation::kNone: return "for";
    case Annotation::kUnroll: return "unrolled";
    case Annotation::kVectorize: return "vector";
    case Annotation::kParallel: return "parallel";
    case Annotation::kVthread: return "vthread";
    case Annotation::kBlockX: return "blockIdx.x";
    case Annotation::kBlockY: return "blockIdx.y";
    case Annotation::kBlockZ: return "blockIdx.z";
    case Annotation::kThreadX: return "threadIdx.x";
    case Annotation::kThreadY: return "threadIdx.y";
    case Annotation::kThreadZ: return "threadIdx.z";
  }
  return "unknown";
}

}  // namespace schedulegym
