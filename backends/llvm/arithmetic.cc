// Emits operators as LLVM instructions, on scalars and vectors. Division truncates in hardware and
// is corrected: quotients round down, remainders take the divisor's sign. No divisor traps: x // 0
// and x % 0 are 0 and x // -1 is -x; vectors are frozen before, as idle lanes may hold poison. min
// and max of floats select by < and >, so a NaN in the first operand gives the second. Casts of
// floats to integers saturate. Halves are floats that are rounded after each operation: for + - * /
// and sqrt as if at once, as 24 >= 2 * 11 + 2 (Figueroa, see operators.cc).
// Cost: a constant number of instructions an operator.
#include "backends/llvm/arithmetic_internal.h"

#include "backends/llvm/half_values_internal.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

Value* ZeroOf(Value* x) { return llvm::Constant::getNullValue(x->getType()); }

Value* FloatUnary(Builder& builder, Op op, Value* x) {
  Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  switch (op) {
    case Op::kNegate: return builder.CreateFNeg(x);
    case Op::kAbs: return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    case Op::kFloor: return builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
    case Op::kSqrt: return builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    case Op::kRsqrt:
      return builder.CreateFDiv(one, builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
    default: return nullptr;
  }
}

Value* IntegerUnary(Builder& builder, Op op, Value* x) {
  switch (op) {
    case Op::kNegate: return builder.CreateNeg(x);
    case Op::kNot: return builder.CreateNot(x);
    case Op::kFloor: return x;
    case Op::kAbs:
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, builder.getFalse());
    default: break;
  }
  SG_CHECK(false, "an operator of floating types on integers");
}

llvm::CmpInst::Predicate FloatPredicate(Op op) {
  switch (op) {
    case Op::kLess: return llvm::CmpInst::FCMP_OLT;
    case Op::kLessEqual: return llvm::CmpInst::FCMP_OLE;
    case Op::kGreater: return llvm::CmpInst::FCMP_OGT;
    case Op::kGreaterEqual: return llvm::CmpInst::FCMP_OGE;
    case Op::kEqual: return llvm::CmpInst::FCMP_OEQ;
    default: return llvm::CmpInst::FCMP_UNE;
  }
}

llvm::CmpInst::Predicate IntegerPredicate(Op op) {
  switch (op) {
    case Op::kLess: return llvm::CmpInst::ICMP_SLT;
    case Op::kLessEqual: return llvm::CmpInst::ICMP_SLE;
    case Op::kGreater: return llvm::CmpInst::ICMP_SGT;
    case Op::kGreaterEqual: return llvm::CmpInst::ICMP_SGE;
    case Op::kEqual: return llvm::CmpInst::ICMP_EQ;
    default: return llvm::CmpInst::ICMP_NE;
  }
}

// The value where the comparison holds, else the number: comparisons with NaN are false.
Value* ExtremeOfNumber(Builder& builder, Op op, Value* value, Value* number) {
  Value* chosen =
      op == Op::kMin ? builder.CreateFCmpOLT(value, number) : builder.CreateFCmpOGT(value, number);
  return builder.CreateSelect(chosen, value, number);
}

bool IsNumber(Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant != nullptr && constant->getType()->isVectorTy()) {
    constant = constant->getSplatValue();
  }
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number != nullptr && !number->isNaN();
}

Value* FloatExtreme(Builder& builder, Op op, Value* a, Value* b) {
  if (IsNumber(b)) return ExtremeOfNumber(builder, op, a, b);
  if (IsNumber(a)) return ExtremeOfNumber(builder, op, b, a);
  return builder.CreateSelect(builder.CreateFCmpUNO(b, b), a, ExtremeOfNumber(builder, op, a, b));
}

Value* FloatBinary(Builder& builder, Op op, Value* a, Value* b) {
  const auto floored = [&] {
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, builder.CreateFDiv(a, b));
  };
  switch (op) {
    case Op::kAdd: return builder.CreateFAdd(a, b);
    case Op::kSubtract: return builder.CreateFSub(a, b);
    case Op::kMultiply: return builder.CreateFMul(a, b);
    case Op::kDivide: return builder.CreateFDiv(a, b);
    case Op::kFloorDivide: return floored();
    case Op::kModulo: return builder.CreateFSub(a, builder.CreateFMul(b, floored()));
    case Op::kMin:
    case Op::kMax: return FloatExtreme(builder, op, a, b);
    default: break;
  }
  SG_CHECK(false, "an operator without meaning for floating types");
}

// q = a / b truncated and r the rest; no divisor traps.
struct Quotient {
  Value* quotient;
  Value* remainder;
};

Quotient DivideTruncating(Builder& builder, Value* a, Value* b) {
  // Lanes beyond a loop's end may hold poison, by which a division is undefined in all lanes.
  if (b->getType()->isVectorTy()) b = builder.CreateFreeze(b);
  Value* one = llvm::ConstantInt::get(b->getType(), 1);
  Value* is_zero = builder.CreateICmpEQ(b, ZeroOf(b));
  Value* is_minus = builder.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(b->getType()));
  Value* safe = builder.CreateSelect(builder.CreateOr(is_zero, is_minus), one, b);
  Value* quotient = builder.CreateSDiv(a, safe);
  quotient = builder.CreateSelect(is_minus, builder.CreateNeg(a), quotient);
  quotient = builder.CreateSelect(is_zero, ZeroOf(a), quotient);
  Value* remainder = builder.CreateSub(a, builder.CreateMul(quotient, b));
  return {quotient, builder.CreateSelect(is_zero, ZeroOf(a), remainder)};
}

Value* Divide(Builder& builder, Op op, Value* a, Value* b) {
  const auto [quotient, remainder] = DivideTruncating(builder, a, b);
  if (op == Op::kDivide) return quotient;
  // Floored: one less, and the rest moved by the divisor, where the rest has the other sign.
  Value* differs = builder.CreateICmpSLT(builder.CreateXor(remainder, b), ZeroOf(a));
  Value* moves = builder.CreateAnd(builder.CreateICmpNE(remainder, ZeroOf(a)), differs);
  if (op == Op::kModulo) {
    return builder.CreateSelect(moves, builder.CreateAdd(remainder, b), remainder);
  }
  Value* one = llvm::ConstantInt::get(a->getType(), 1);
  return builder.CreateSelect(moves, builder.CreateSub(quotient, one), quotient);
}

Value* IntegerBinary(Builder& builder, Op op, Value* a, Value* b) {
  switch (op) {
    case Op::kAdd: return builder.CreateAdd(a, b);
    case Op::kSubtract: return builder.CreateSub(a, b);
    case Op::kMultiply: return builder.CreateMul(a, b);
    case Op::kMin: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
    case Op::kMax: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
    case Op::kAnd: return builder.CreateAnd(a, b);
    case Op::kOr: return builder.CreateOr(a, b);
    default: return Divide(builder, op, a, b);
  }
}

// Halves are closed under these.
bool KeepsHalves(Op op) {
  return op == Op::kNegate || op == Op::kAbs || op == Op::kFloor || op == Op::kMin ||
         op == Op::kMax;
}

Value* Rounded(Builder& builder, Op op, DType type, Value* value) {
  return IsHalf(type) && !KeepsHalves(op) ? RoundToHalf(builder, type, value) : value;
}

Value* ToHalf(Builder& builder, DType from, DType to, Value* x, llvm::Type* doubles) {
  if (from == DType::kF64) return RoundToHalf(builder, to, RoundToOdd(builder, x));
  if (IsFloating(from)) return RoundToHalf(builder, to, x);
  Value* number =
      from == DType::kBool ? builder.CreateUIToFP(x, doubles) : builder.CreateSIToFP(x, doubles);
  return RoundToHalf(builder, to, RoundToOdd(builder, number));
}

}  // namespace

Value* Arithmetic::Unary(Builder& builder, Op op, DType type, Value* x) {
  if (!IsFloating(type)) return IntegerUnary(builder, op, x);
  Value* simple = FloatUnary(builder, op, x);
  return Rounded(builder, op, type, simple != nullptr ? simple : math_.Unary(builder, op, x));
}

Value* Arithmetic::Binary(Builder& builder, Op op, DType type, Value* a, Value* b) {
  if (IsComparison(op)) {
    return IsFloating(type) ? builder.CreateFCmp(FloatPredicate(op), a, b)
                            : builder.CreateICmp(IntegerPredicate(op), a, b);
  }
  if (op == Op::kPow) return Rounded(builder, op, type, math_.Power(builder, a, b));
  if (!IsFloating(type)) return IntegerBinary(builder, op, a, b);
  return Rounded(builder, op, type, FloatBinary(builder, op, a, b));
}

Value* Arithmetic::CombineInto(Builder& builder, Op op, DType type, Value* cell, Value* value) {
  const bool is_extreme = IsFloating(type) && (op == Op::kMin || op == Op::kMax);
  return is_extreme ? ExtremeOfNumber(builder, op, value, cell)
                    : Binary(builder, op, type, cell, value);
}

Value* Arithmetic::Cast(Builder& builder, DType from, DType to, Value* x) {
  if (from == to) return x;
  const auto like = [x](llvm::Type* element) -> llvm::Type* {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    return vector == nullptr ? element
                             : llvm::FixedVectorType::get(element, vector->getNumElements());
  };
  if (IsHalf(to)) return ToHalf(builder, from, to, x, like(builder.getDoubleTy()));
  llvm::Type* type = like(ElementType(builder.getContext(), to));
  if (to == DType::kBool) {
    return IsFloating(from) ? builder.CreateFCmpUNE(x, ZeroOf(x))
                            : builder.CreateICmpNE(x, ZeroOf(x));
  }
  if (IsFloating(from)) {
    if (IsFloating(to)) return builder.CreateFPCast(x, type);
    return builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {type, x->getType()}, {x});
  }
  if (from == DType::kBool) {
    return IsFloating(to) ? builder.CreateUIToFP(x, type) : builder.CreateZExt(x, type);
  }
  return IsFloating(to) ? builder.CreateSIToFP(x, type)
                        : builder.CreateIntCast(x, type, /*isSigned=*/true);
}

llvm::Type* ElementType(llvm::LLVMContext& context, DType type) {
  switch (type) {
    case DType::kF16:
    case DType::kBF16:
    case DType::kF32: return llvm::Type::getFloatTy(context);
    case DType::kF64: return llvm::Type::getDoubleTy(context);
    case DType::kI32: return llvm::Type::getInt32Ty(context);
    case DType::kI8: return llvm::Type::getInt8Ty(context);
    case DType::kIndex: return llvm::Type::getInt64Ty(context);
    case DType::kBool: return llvm::Type::getInt1Ty(context);
  }
  SG_CHECK(false, "no such type");
}

llvm::Type* MemoryType(llvm::LLVMContext& context, DType type) {
  return IsHalf(type) ? llvm::Type::getInt16Ty(context) : ElementType(context, type);
}

llvm::Constant* Ramp(llvm::Type* integer, int width, int64_t step) {
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (int lane = 0; lane < width; ++lane) {
    numbers.push_back(llvm::ConstantInt::get(integer, lane * step, true));
  }
  return llvm::ConstantVector::get(numbers);
}

}  // namespace schedulegym
