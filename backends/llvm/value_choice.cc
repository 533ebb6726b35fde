// Comparisons, masks and selects. A comparison of index forms is lane * step op bound, in 32 bits
// where both sides fit. A select on a scalar with more than 4 reads, or with functions, is a
// branch; otherwise both sides are computed, reads under the condition as masked or guarded loads,
// since the other side's memory may not exist. Where a load yields zeros for the lanes left out and
// the other side is 0, no select is made. Idle lanes may hold poison: masks join by logical and.
#include "backends/llvm/program_facts.h"
#include "backends/llvm/value_emitter_internal.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

using llvm::Value;

// More reads than this under a condition that all lanes share get a branch.
constexpr int kMostGuardedReads = 4;

bool IsZero(const Expr& expr) {
  return (expr->op == Op::kInteger && expr->integer == 0) ||
         (expr->op == Op::kNumber && expr->number == 0);
}

// Whether every number of the range is one of 32 bits.
bool Fits32(Range range) { return range.low >= INT32_MIN && range.high <= INT32_MAX; }

// Whether a load under the condition gives zeros where it does not hold.
bool ReadsZeros(Value* load, Value* condition) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(load)) {
    return call->getIntrinsicID() == llvm::Intrinsic::masked_load ||
           call->getIntrinsicID() == llvm::Intrinsic::masked_gather;
  }
  const auto* plain = llvm::dyn_cast<llvm::LoadInst>(load);
  return plain != nullptr && !condition->getType()->isVectorTy() &&
         llvm::isa<llvm::SelectInst>(plain->getPointerOperand());
}

}  // namespace

Value* ValueEmitter::EmitComparison(const Expr& expr, const LaneSet& lanes) {
  const ExprNode& node = *expr;
  if (node.args[0]->type != DType::kIndex) {
    Value* left = Emit(node.args[0], lanes);
    Value* right = Emit(node.args[1], lanes);
    if (left->getType()->isVectorTy() || right->getType()->isVectorTy()) {
      left = frame_->Splat(left, lanes.width);
      right = frame_->Splat(right, lanes.width);
    }
    return arithmetic_.Binary(builder(), node.op, node.args[0]->type, left, right);
  }
  if (const auto truth = forms_.Truth(expr)) return builder().getInt1(*truth);
  const auto left = forms_.Form(node.args[0]);
  const auto right = left ? forms_.Form(node.args[1]) : std::nullopt;
  if (!right) {
    return PerLane(builder().getInt1Ty(), lanes,
                   [&](const LaneSet& one, int) { return EmitComparison(expr, one); });
  }
  // lane * step `op` -rest
  const Affine difference = left->Plus(*right, -1);
  const Affine rest = WithoutLane(difference).Times(-1);
  const int64_t step = difference.Coefficient(kLane);
  if (step == 0) {
    return arithmetic_.Binary(builder(), node.op, DType::kIndex, builder().getInt64(0),
                              frame_->Number(rest));
  }
  const Range ramp = Times(Range{0, lanes.width - 1}, step);
  const bool fits = Fits32(forms_.BoundsOf(rest)) && Fits32(ramp);
  llvm::Type* integer = fits ? builder().getInt32Ty() : builder().getInt64Ty();
  Value* bound = builder().CreateTrunc(frame_->Number(rest), integer);
  return arithmetic_.Binary(builder(), node.op, DType::kIndex, Ramp(integer, lanes.width, step),
                            frame_->Splat(bound, lanes.width));
}

LaneSet ValueEmitter::Narrow(Value* condition, bool holds, LaneSet lanes) {
  if (!holds) condition = builder().CreateNot(condition);
  Value*& where = condition->getType()->isVectorTy() ? lanes.mask : lanes.guard;
  if (condition->getType()->isVectorTy() && where == nullptr && lanes.active < lanes.width) {
    llvm::Constant* active = Ramp(builder().getInt32Ty(), lanes.width, 1);
    where = builder().CreateICmpSLT(
        active, builder().CreateVectorSplat(lanes.width, builder().getInt32(lanes.active)));
  }
  // Lanes that are not active may hold poison, which a plain "and" would let through.
  where = where == nullptr ? condition : builder().CreateLogicalAnd(where, condition);
  return lanes;
}

Value* ValueEmitter::EmitSide(const Expr& side, Value* condition, bool holds, LaneSet lanes) {
  return Emit(side, CountReads(side) == 0 ? lanes : Narrow(condition, holds, lanes));
}

Value* ValueEmitter::EmitSelect(const Expr& expr, const LaneSet& lanes) {
  const ExprNode& node = *expr;
  const Expr& then_side = node.args[1];
  const Expr& else_side = node.args[2];
  if (const auto truth = forms_.Truth(node.args[0])) {
    return Emit(*truth ? then_side : else_side, lanes);
  }
  Value* condition = Emit(node.args[0], lanes);
  if (const auto* known = llvm::dyn_cast<llvm::Constant>(condition)) {
    if (known->isAllOnesValue()) return Emit(then_side, lanes);
    if (known->isNullValue()) return Emit(else_side, lanes);
  }
  const int reads = CountReads(then_side) + CountReads(else_side);
  const bool branches = reads > 0 && (reads > kMostGuardedReads || HasFunctions(expr));
  if (branches && !condition->getType()->isVectorTy()) {
    return EmitBranches(node, condition, lanes);
  }
  Value* then_value = EmitSide(then_side, condition, true, lanes);
  const bool may_be_zeros = then_side->op == Op::kRead && IsZero(else_side);
  if (may_be_zeros && ReadsZeros(then_value, condition)) return then_value;
  Value* else_value = EmitSide(else_side, condition, false, lanes);
  if (condition->getType()->isVectorTy() || then_value->getType()->isVectorTy() ||
      else_value->getType()->isVectorTy()) {
    then_value = frame_->Splat(then_value, lanes.width);
    else_value = frame_->Splat(else_value, lanes.width);
  }
  return builder().CreateSelect(condition, then_value, else_value);
}

Value* ValueEmitter::EmitBranches(const ExprNode& node, Value* condition, const LaneSet& lanes) {
  llvm::BasicBlock* sides[2] = {frame_->NewBlock("then"), frame_->NewBlock("else")};
  llvm::BasicBlock* join = frame_->NewBlock("join");
  llvm::Instruction* entry = builder().CreateCondBr(condition, sides[0], sides[1]);
  Value* values[2];
  llvm::BasicBlock* ends[2];
  for (int side = 0; side < 2; ++side) {
    builder().SetInsertPoint(sides[side]);
    frame_->EnterScope(entry, nullptr);
    values[side] = frame_->Splat(Emit(node.args[side + 1], lanes), lanes.width);
    frame_->LeaveScope();
    ends[side] = builder().GetInsertBlock();
    builder().CreateBr(join);
  }
  builder().SetInsertPoint(join);
  llvm::PHINode* value = builder().CreatePHI(values[0]->getType(), 2);
  for (int side = 0; side < 2; ++side) value->addIncoming(values[side], ends[side]);
  return value;
}

}  // namespace schedulegym
