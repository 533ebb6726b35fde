// The arithmetic of env/program/expressions/half.cc, on all lanes at once: both ways are computed
// and one is selected. No instruction beyond the first of x86-64 is needed.
// Cost: 6 to 15 instructions a conversion.
#include "backends/llvm/half_values_internal.h"

namespace schedulegym {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

// The same number of lanes, of another element.
llvm::Type* TypeLike(Value* value, llvm::Type* element) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector == nullptr ? element
                           : llvm::FixedVectorType::get(element, vector->getNumElements());
}

Value* Integer(Value* like, uint32_t value) {
  return llvm::ConstantInt::get(like->getType(), value);
}

Value* Bits(Builder& builder, Value* value) {
  return builder.CreateBitCast(value, TypeLike(value, builder.getInt32Ty()));
}

Value* Float(Builder& builder, Value* bits) {
  return builder.CreateBitCast(bits, TypeLike(bits, builder.getFloatTy()));
}

// Rounds to the upper bits, ties to even.
Value* RoundUpper(Builder& builder, Value* bits, uint32_t places) {
  Value* last =
      builder.CreateAnd(builder.CreateLShr(bits, Integer(bits, places)), Integer(bits, 1));
  Value* half = builder.CreateAdd(bits, Integer(bits, (1u << (places - 1)) - 1));
  return builder.CreateLShr(builder.CreateAdd(half, last), Integer(bits, places));
}

// Of f16, without a sign.
Value* MagnitudeOfF16(Builder& builder, Value* magnitude) {
  constexpr uint32_t kLeastNormal = 113u << 23, kHalf = 126u << 23;
  constexpr uint32_t kBias = 112u << 23, kInfinite = 143u << 23;
  Value* shifted =
      builder.CreateFAdd(Float(builder, magnitude),
                         llvm::ConstantFP::get(TypeLike(magnitude, builder.getFloatTy()), 0.5));
  Value* subnormal = builder.CreateSub(Bits(builder, shifted), Integer(magnitude, kHalf));
  Value* normal = RoundUpper(builder, builder.CreateSub(magnitude, Integer(magnitude, kBias)), 13);
  Value* finite = builder.CreateSelect(
      builder.CreateICmpULT(magnitude, Integer(magnitude, kLeastNormal)), subnormal, normal);
  return builder.CreateSelect(builder.CreateICmpULT(magnitude, Integer(magnitude, kInfinite)),
                              finite, Integer(magnitude, 0x7c00));
}

}  // namespace

Value* FloatFromBits(Builder& builder, DType type, Value* bits) {
  Value* wide = builder.CreateZExt(bits, TypeLike(bits, builder.getInt32Ty()));
  const auto integer = [&](uint32_t value) { return Integer(wide, value); };
  if (type == DType::kBF16) return Float(builder, builder.CreateShl(wide, integer(16)));
  Value* sign = builder.CreateShl(builder.CreateAnd(wide, integer(0x8000)), integer(16));
  Value* magnitude = builder.CreateAnd(wide, integer(0x7fff));
  Value* normal = builder.CreateAdd(builder.CreateShl(magnitude, integer(13)), integer(112u << 23));
  Value* number = builder.CreateUIToFP(magnitude, TypeLike(wide, builder.getFloatTy()));
  Value* unit = llvm::ConstantFP::get(number->getType(), 0x1p-24);
  Value* subnormal = Bits(builder, builder.CreateFMul(number, unit));
  Value* finite =
      builder.CreateSelect(builder.CreateICmpULT(magnitude, integer(1024)), subnormal, normal);
  Value* special = builder.CreateAdd(normal, integer(112u << 23));
  Value* chosen =
      builder.CreateSelect(builder.CreateICmpULT(magnitude, integer(0x7c00)), finite, special);
  return Float(builder, builder.CreateOr(sign, chosen));
}

Value* BitsFromFloat(Builder& builder, DType type, Value* value) {
  Value* bits = Bits(builder, value);
  const auto integer = [&](uint32_t number) { return Integer(bits, number); };
  Value* magnitude = builder.CreateAnd(bits, integer(0x7fffffff));
  Value* sign = builder.CreateLShr(builder.CreateXor(bits, magnitude), integer(16));
  const bool is_brain = type == DType::kBF16;
  Value* number =
      is_brain ? RoundUpper(builder, magnitude, 16) : MagnitudeOfF16(builder, magnitude);
  Value* none = integer(is_brain ? 0x7fc0 : 0x7e00);
  Value* chosen =
      builder.CreateSelect(builder.CreateICmpUGT(magnitude, integer(0x7f800000)), none, number);
  return builder.CreateTrunc(builder.CreateOr(sign, chosen), TypeLike(value, builder.getInt16Ty()));
}

Value* RoundToHalf(Builder& builder, DType type, Value* value) {
  return FloatFromBits(builder, type, BitsFromFloat(builder, type, value));
}

Value* RoundToOdd(Builder& builder, Value* value) {
  Value* narrow = builder.CreateFPTrunc(value, TypeLike(value, builder.getFloatTy()));
  Value* back = builder.CreateFPExt(narrow, value->getType());
  const auto magnitude = [&](Value* of) {
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, of);
  };
  Value* bits = Bits(builder, narrow);
  Value* away = builder.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value* towards = builder.CreateSelect(away, builder.CreateSub(bits, Integer(bits, 1)), bits);
  Value* odd = builder.CreateOr(towards, Integer(bits, 1));
  // Not for NaN, which differs from itself.
  Value* is_inexact = builder.CreateFCmpONE(back, value);
  return Float(builder, builder.CreateSelect(is_inexact, odd, bits));
}

}  // namespace schedulegym
