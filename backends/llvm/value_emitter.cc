#include <algorithm>
#include <bit>

#include "backends/llvm/program_facts.h"
#include "backends/llvm/value_emitter_internal.h"
#include "env/program/integer_math.h"

namespace schedulegym {
namespace {

using llvm::Value;

// More than this behind a condition that all lanes share is worth a branch.
constexpr int kMostGuardedReads = 4;

int CountReads(const Expr& expr) {
  int reads = expr->op == Op::kRead ? 1 : 0;
  for (const Expr& arg : expr->args) reads += CountReads(arg);
  return reads;
}

bool IsZero(const Expr& expr) {
  return (expr->op == Op::kInteger && expr->integer == 0) ||
         (expr->op == Op::kNumber && expr->number == 0);
}

// Whether every number of the range is one of 32 bits.
bool Fits32(Range range) { return range.low >= INT32_MIN && range.high <= INT32_MAX; }

llvm::CmpInst::Predicate Predicate(Op op) {
  switch (op) {
    case Op::kLess: return llvm::CmpInst::ICMP_SLT;
    case Op::kLessEqual: return llvm::CmpInst::ICMP_SLE;
    case Op::kGreater: return llvm::CmpInst::ICMP_SGT;
    case Op::kGreaterEqual: return llvm::CmpInst::ICMP_SGE;
    case Op::kEqual: return llvm::CmpInst::ICMP_EQ;
    default: return llvm::CmpInst::ICMP_NE;
  }
}

// 0, step, 2 * step, ...
llvm::Constant* Ramp(llvm::Type* integer, int width, int64_t step) {
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (int lane = 0; lane < width; ++lane) {
    numbers.push_back(llvm::ConstantInt::get(integer, lane * step, true));
  }
  return llvm::ConstantVector::get(numbers);
}

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

Affine WithoutLane(Affine form) {
  if (!form.terms.empty() && form.terms.back().first == kLane) form.terms.pop_back();
  return form;
}

}  // namespace

ValueEmitter::ValueEmitter(const LoopProgram& program, const CpuFacts& cpu, llvm::Module& module,
                           bool optimize)
    : program_(program),
      optimize_(optimize),
      memory_(program, cpu, module),
      arithmetic_(cpu, module, optimize),
      forms_(*this, static_cast<int>(program.variables.size())) {}

void ValueEmitter::SetFrame(Frame* frame) {
  frame_ = frame;
  memory_.SetFrame(frame);
}

Value* ValueEmitter::Emit(const Expr& expr, const LaneSet& lanes) {
  ++emitted_;
  const ExprNode& node = *expr;
  if (node.op == Op::kSelect) return EmitSelect(expr, lanes);
  if (node.type == DType::kIndex) return EmitIndex(expr, lanes);
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber: return ConstantOf(node.type, node);
    case Op::kRead: return EmitRead(expr, lanes);
    case Op::kCast:
      return arithmetic_.Cast(builder(), node.args[0]->type, node.type, Emit(node.args[0], lanes));
    default: break;
  }
  if (IsComparison(node.op)) return EmitComparison(expr, lanes);
  if (node.args.size() == 2) return EmitBinary(expr, lanes);
  return arithmetic_.Unary(builder(), node.op, node.type, Emit(node.args[0], lanes));
}

Value* ValueEmitter::ConstantOf(DType type, const ExprNode& node) {
  llvm::Type* element = ElementType(builder().getContext(), type);
  if (!IsFloating(type)) return llvm::ConstantInt::get(element, node.integer, true);
  const double number = node.op == Op::kInteger ? static_cast<double>(node.integer) : node.number;
  return llvm::ConstantFP::get(element, number);
}

Value* ValueEmitter::EmitIndex(const Expr& expr, const LaneSet& lanes) {
  const auto form = forms_.Form(expr);
  if (!form) {
    return PerLane(DType::kIndex, lanes, [&](const LaneSet& one, int) { return Emit(expr, one); });
  }
  Value* number = frame_->Number(WithoutLane(*form));
  const int64_t step = form->Coefficient(kLane);
  if (step == 0) return number;
  return builder().CreateAdd(Widen(builder(), number, lanes.width),
                             Ramp(builder().getInt64Ty(), lanes.width, step));
}

std::optional<Affine> ValueEmitter::ElementForm(int buffer, const std::vector<Expr>& indices) {
  const std::vector<int64_t>& strides = memory_.layout(buffer).strides;
  Affine sum;
  for (size_t d = 0; d < indices.size(); ++d) {
    const auto form = forms_.Form(indices[d]);
    if (!form) return std::nullopt;
    sum = sum.Plus(*form, strides[d]);
  }
  return sum;
}

Value* ValueEmitter::EmitRead(const Expr& expr, const LaneSet& lanes) {
  const auto form = ElementForm(expr->id, expr->args);
  if (form) return memory_.Load(expr->id, *form, lanes);
  return PerLane(expr->type, lanes, [&](const LaneSet& one, int) { return EmitRead(expr, one); });
}

Value* ValueEmitter::EmitBinary(const Expr& expr, const LaneSet& lanes) {
  const ExprNode& node = *expr;
  const bool is_logic = node.op == Op::kAnd || node.op == Op::kOr;
  if (is_logic && CountReads(node.args[1]) > 0) {
    const bool is_and = node.op == Op::kAnd;
    const Expr rest = is_and ? Select(node.args[0], node.args[1], BoolConstant(false))
                             : Select(node.args[0], BoolConstant(true), node.args[1]);
    return Emit(rest, lanes);
  }
  if (is_logic) {
    if (const auto truth = forms_.Truth(expr)) return builder().getInt1(*truth);
  }
  if (optimize_ && IsFloating(node.type)) {
    if (Value* fused = EmitMultiplyAdd(node, lanes)) return fused;
  }
  Value* left = Emit(node.args[0], lanes);
  Value* right = Emit(node.args[1], lanes);
  const bool shares_divisor = optimize_ && node.op == Op::kDivide && IsFloating(node.type) &&
                              left->getType()->isVectorTy() && !right->getType()->isVectorTy();
  if (shares_divisor) return arithmetic_.DivideByOne(builder(), left, right);
  if (left->getType()->isVectorTy() != right->getType()->isVectorTy()) {
    left = Widen(builder(), left, lanes.width);
    right = Widen(builder(), right, lanes.width);
  }
  return arithmetic_.Binary(builder(), node.op, node.type, left, right);
}

// a * b + c and c + a * b, a * b - c and c - a * b; null for anything else.
Value* ValueEmitter::EmitMultiplyAdd(const ExprNode& node, const LaneSet& lanes) {
  if (node.op != Op::kAdd && node.op != Op::kSubtract) return nullptr;
  const bool is_right = node.args[1]->op == Op::kMultiply;
  if (!is_right && node.args[0]->op != Op::kMultiply) return nullptr;
  const ExprNode& product = *node.args[is_right ? 1 : 0];
  Value* addend = Emit(node.args[is_right ? 0 : 1], lanes);
  Value* a = Emit(product.args[0], lanes);
  Value* b = product.args[0] == product.args[1] ? a : Emit(product.args[1], lanes);
  if (node.op == Op::kSubtract) {
    if (is_right) {
      a = builder().CreateFNeg(a);
    } else {
      addend = builder().CreateFNeg(addend);
    }
  }
  const bool is_vector =
      a->getType()->isVectorTy() || b->getType()->isVectorTy() || addend->getType()->isVectorTy();
  if (is_vector) {
    a = Widen(builder(), a, lanes.width);
    b = Widen(builder(), b, lanes.width);
    addend = Widen(builder(), addend, lanes.width);
  }
  return builder().CreateIntrinsic(llvm::Intrinsic::fmuladd, {a->getType()}, {a, b, addend});
}

Value* ValueEmitter::EmitComparison(const Expr& expr, const LaneSet& lanes) {
  const ExprNode& node = *expr;
  if (node.args[0]->type != DType::kIndex) {
    Value* left = Emit(node.args[0], lanes);
    Value* right = Emit(node.args[1], lanes);
    if (left->getType()->isVectorTy() || right->getType()->isVectorTy()) {
      left = Widen(builder(), left, lanes.width);
      right = Widen(builder(), right, lanes.width);
    }
    return arithmetic_.Binary(builder(), node.op, node.args[0]->type, left, right);
  }
  if (const auto truth = forms_.Truth(expr)) return builder().getInt1(*truth);
  const auto left = forms_.Form(node.args[0]);
  const auto right = left ? forms_.Form(node.args[1]) : std::nullopt;
  if (!right) {
    return PerLane(DType::kBool, lanes,
                   [&](const LaneSet& one, int) { return EmitComparison(expr, one); });
  }
  // lane * step `op` -rest
  const Affine difference = left->Plus(*right, -1);
  const Affine rest = WithoutLane(difference).Times(-1);
  const int64_t step = difference.Coefficient(kLane);
  if (step == 0) {
    return builder().CreateICmp(Predicate(node.op), builder().getInt64(0), frame_->Number(rest));
  }
  const Range ramp = Times(Range{0, lanes.width - 1}, step);
  const bool fits = Fits32(forms_.BoundsOf(rest)) && Fits32(ramp);
  llvm::Type* integer = fits ? builder().getInt32Ty() : builder().getInt64Ty();
  Value* bound = builder().CreateTrunc(frame_->Number(rest), integer);
  return builder().CreateICmp(Predicate(node.op), Ramp(integer, lanes.width, step),
                              Widen(builder(), bound, lanes.width));
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
    then_value = Widen(builder(), then_value, lanes.width);
    else_value = Widen(builder(), else_value, lanes.width);
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
    values[side] = Widen(builder(), Emit(node.args[side + 1], lanes), lanes.width);
    frame_->LeaveScope();
    ends[side] = builder().GetInsertBlock();
    builder().CreateBr(join);
  }
  builder().SetInsertPoint(join);
  llvm::PHINode* value = builder().CreatePHI(values[0]->getType(), 2);
  for (int side = 0; side < 2; ++side) value->addIncoming(values[side], ends[side]);
  return value;
}

int ValueEmitter::KeepOperation(const Frame::OperationKey& key, Range range,
                                const std::function<Value*()>& emit) {
  const int known = frame_->FindOperation(key);
  if (known >= 0) return known;
  const int depth = std::max(frame_->DepthOf(std::get<2>(key)), frame_->DepthOf(std::get<3>(key)));
  Value* value = frame_->At(depth, emit);
  const int symbol = forms_.AddSymbol(range);
  frame_->SetSymbol(symbol, value, depth);
  frame_->KeepOperation(key, symbol, depth);
  return symbol;
}

int ValueEmitter::Quotient(const Affine& left, int64_t divisor, Range range) {
  return KeepOperation({static_cast<int>(Op::kFloorDivide), divisor, left, {}}, range, [&] {
    Value* number = frame_->Number(left);
    Value* by = builder().getInt64(divisor);
    if (forms_.BoundsOf(left).low >= 0) return builder().CreateUDiv(number, by);
    if (std::has_single_bit(static_cast<uint64_t>(divisor))) {
      return builder().CreateAShr(number, std::countr_zero(static_cast<uint64_t>(divisor)));
    }
    return arithmetic_.Binary(builder(), Op::kFloorDivide, DType::kIndex, number, by);
  });
}

int ValueEmitter::Extreme(Op op, const Affine& left, const Affine& right, Range range) {
  return KeepOperation({static_cast<int>(op), 0, left, right}, range, [&] {
    Value* a = frame_->Number(left);
    return arithmetic_.Binary(builder(), op, DType::kIndex, a, frame_->Number(right));
  });
}

// Runs in the current scope, without lanes, guards or reads.
int ValueEmitter::Opaque(const Expr& index, Range range) {
  const ExprNode& node = *index;
  Value* value = nullptr;
  if (node.op == Op::kSelect) {
    Value* condition = Emit(node.args[0], {});
    Value* then_value = EmitIndex(node.args[1], {});
    value = builder().CreateSelect(condition, then_value, EmitIndex(node.args[2], {}));
  } else if (node.op == Op::kCast) {
    value = arithmetic_.Cast(builder(), node.args[0]->type, node.type, Emit(node.args[0], {}));
  } else if (node.args.size() == 2) {
    Value* left = EmitIndex(node.args[0], {});
    value = arithmetic_.Binary(builder(), node.op, node.type, left, EmitIndex(node.args[1], {}));
  } else {
    value = arithmetic_.Unary(builder(), node.op, node.type, EmitIndex(node.args[0], {}));
  }
  const int symbol = forms_.AddSymbol(range);
  frame_->SetSymbol(symbol, value, frame_->depth());
  return symbol;
}

}  // namespace schedulegym
