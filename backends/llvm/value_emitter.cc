// Emits expressions as LLVM values for some lanes. Index arithmetic goes through affine forms
// (index_forms.h), its quotients and extremes once for each form; what has no form is computed lane
// by lane. a * b + c and its variants become fmuladd in optimized code, so the product is not
// rounded. && and || whose right side reads memory are selects, so that it is read only where the
// left side lets it. Unsigned division where values are not negative, shifts for powers of two.
#include <algorithm>
#include <bit>

#include "backends/llvm/half_values_internal.h"
#include "backends/llvm/program_facts.h"
#include "backends/llvm/value_emitter_internal.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {

using llvm::Value;

ValueEmitter::ValueEmitter(const LoopProgram& program, const CpuFacts& cpu, llvm::Module& module,
                           bool optimize)
    : program_(program),
      optimize_(optimize),
      memory_(program, cpu, module),
      arithmetic_(cpu, module, optimize),
      forms_(*this, static_cast<int>(program.variables.size())) {}

void ValueEmitter::SetFrame(FunctionFrame* frame) {
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

Value* ValueEmitter::EmitStored(const Store& store, const LaneSet& lanes) {
  const ExprNode& node = *store.value;
  if (IsHalf(node.type)) {
    ++emitted_;
    if (node.op == Op::kRead) return EmitElement(store.value, lanes);
    return BitsFromFloat(builder(), node.type, Emit(store.value, lanes));
  }
  const bool combines = (node.op == Op::kMin || node.op == Op::kMax) && IsFloating(node.type) &&
                        node.args[0]->op == Op::kRead && node.args[0]->id == store.buffer;
  if (!combines) return Emit(store.value, lanes);
  ++emitted_;
  const auto [cell, value] = EmitAlike(node, lanes);
  return arithmetic_.CombineInto(builder(), node.op, node.type, cell, value);
}

Value* ValueEmitter::ConstantOf(DType type, const ExprNode& node) {
  llvm::Type* element = ElementType(builder().getContext(), type);
  if (!IsFloating(type)) return llvm::ConstantInt::get(element, node.integer, true);
  const double number = node.op == Op::kInteger ? static_cast<double>(node.integer) : node.number;
  return llvm::ConstantFP::get(element, IsHalf(type) ? RoundToType(type, number) : number);
}

Value* ValueEmitter::EmitIndex(const Expr& expr, const LaneSet& lanes) {
  const auto form = forms_.Form(expr);
  if (!form) {
    return PerLane(builder().getInt64Ty(), lanes,
                   [&](const LaneSet& one, int) { return Emit(expr, one); });
  }
  Value* number = frame_->Number(WithoutLane(*form));
  const int64_t step = form->Coefficient(kLane);
  if (step == 0) return number;
  return builder().CreateAdd(frame_->Splat(number, lanes.width),
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
  Value* element = EmitElement(expr, lanes);
  return IsHalf(expr->type) ? FloatFromBits(builder(), expr->type, element) : element;
}

Value* ValueEmitter::EmitElement(const Expr& expr, const LaneSet& lanes) {
  const auto form = ElementForm(expr->id, expr->args);
  if (form) return memory_.Load(expr->id, *form, lanes);
  return PerLane(MemoryType(builder().getContext(), expr->type), lanes,
                 [&](const LaneSet& one, int) { return EmitElement(expr, one); });
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
  if (optimize_ && IsFloating(node.type) && !IsHalf(node.type)) {
    if (Value* fused = EmitMultiplyAdd(node, lanes)) return fused;
  }
  const auto [left, right] = EmitAlike(node, lanes);
  return arithmetic_.Binary(builder(), node.op, node.type, left, right);
}

std::pair<Value*, Value*> ValueEmitter::EmitAlike(const ExprNode& node, const LaneSet& lanes) {
  Value* left = Emit(node.args[0], lanes);
  Value* right = Emit(node.args[1], lanes);
  if (left->getType()->isVectorTy() != right->getType()->isVectorTy()) {
    left = frame_->Splat(left, lanes.width);
    right = frame_->Splat(right, lanes.width);
  }
  return {left, right};
}

// a * b + c, c + a * b, a * b - c and c - a * b; null for other expressions.
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
    a = frame_->Splat(a, lanes.width);
    b = frame_->Splat(b, lanes.width);
    addend = frame_->Splat(addend, lanes.width);
  }
  return builder().CreateIntrinsic(llvm::Intrinsic::fmuladd, {a->getType()}, {a, b, addend});
}

int ValueEmitter::KeepOperation(const FunctionFrame::OperationKey& key, Range range,
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
