// f32 functions in line, for vectors of any width; f64 and unoptimized code call libm or libmvec.
// Origin, relative error of the approximation with coefficients in f32, and largest error found in
// ulp (normal results of every 37th float, fused multiply-adds; the tests' limit is 4 ulp):
//   exp     x = n ln 2 + r, reduced as in Cephes; minimax of degree 4 (Remez)        3.7e-9  1.0
//   log     x = m 2^e; Cephes' logf, degree 8                                        3.6e-9  0.9
//   tanh    Cephes' tanhf, degree 4 in x^2, below 0.625; else 1 - 2/(exp(2|x|) + 1)  8.6e-9  1.3
//   sigmoid 1 / (1 + t), or t / (1 + t) for x < 0, with t = exp(-|x|)                -       2.4
//   erf     N. Juffa: x + x p(x^2) up to 0.921875                                    3.3e-8  1.1
//           else 1 - exp(|x| q(|x|) - |x|)                                           2.1e-8
// Cephes is S. Moshier's library. Cost: exp and log take about 25 instructions a vector.
#include <string>

#include "backends/llvm/vector_math_internal.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

// 1.5 * 2^23: adding it rounds to the nearest integer, which is then in the low bits.
constexpr float kRounder = 12582912.0f;
constexpr int32_t kRounderBits = 0x4b400000;
constexpr double kLog2E = 1.44269504088896341;

Value* Number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }

llvm::Type* IntegersLike(Value* x) {
  llvm::Type* integer = llvm::Type::getInt32Ty(x->getContext());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  return vector == nullptr ? integer
                           : llvm::FixedVectorType::get(integer, vector->getNumElements());
}

Value* MultiplyAdd(Builder& builder, Value* a, Value* b, Value* c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {a->getType()}, {a, b, c});
}

// Horner's scheme, highest coefficient first.
Value* Polynomial(Builder& builder, Value* x, std::initializer_list<double> coefficients) {
  Value* sum = nullptr;
  for (const double coefficient : coefficients) {
    Value* number = Number(x, coefficient);
    sum = sum == nullptr ? number : MultiplyAdd(builder, sum, x, number);
  }
  return sum;
}

Value* Absolute(Builder& builder, Value* x) {
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

Value* WithSign(Builder& builder, Value* magnitude, Value* sign) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
}

// The name without a suffix, as libm calls it for f64.
const char* NameOf(Op op) {
  switch (op) {
    case Op::kExp: return "exp";
    case Op::kLog: return "log";
    case Op::kTanh: return "tanh";
    case Op::kErf: return "erf";
    default: break;
  }
  SG_CHECK(false, "no function of libm");
}

}  // namespace

Value* VectorMath::Unary(Builder& builder, Op op, Value* x) {
  const bool in_line = inline_polynomials_ && x->getType()->getScalarType()->isFloatTy();
  if (op == Op::kSigmoid) return Sigmoid(builder, x);
  if (in_line && op == Op::kExp) return Exp(builder, x);
  if (in_line && op == Op::kLog) return Log(builder, x);
  if (in_line && op == Op::kTanh) return Tanh(builder, x);
  if (in_line && op == Op::kErf) return Erf(builder, x);
  return Call(builder, NameOf(op), {x});
}

Value* VectorMath::Power(Builder& builder, Value* x, Value* y) {
  return Call(builder, "pow", {x, y});
}

Value* VectorMath::Call(Builder& builder, const char* name, llvm::ArrayRef<Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  if (type->isVectorTy()) return CallVector(builder, name, arguments);
  const std::string symbol = type->isFloatTy() ? std::string(name) + "f" : name;
  llvm::SmallVector<llvm::Type*, 2> types(arguments.size(), type);
  const llvm::FunctionCallee callee =
      module_.getOrInsertFunction(symbol, llvm::FunctionType::get(type, types, false));
  llvm::CallInst* call = builder.CreateCall(callee, arguments);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

// Names follow the vector function ABI: _ZGV, instruction set, N, lanes, a v for each argument.
Value* VectorMath::CallVector(Builder& builder, const char* name,
                              llvm::ArrayRef<Value*> arguments) {
  auto* type = llvm::cast<llvm::FixedVectorType>(arguments[0]->getType());
  const bool single = type->getElementType()->isFloatTy();
  const int lanes = static_cast<int>(type->getNumElements());
  const int bytes = lanes * (single ? 4 : 8);
  llvm::SmallVector<Value*, 2> operands(arguments.begin(), arguments.end());
  if (bytes < 16) {
    for (Value*& operand : operands) operand = builder.CreateShuffleVector(operand, {0, 1, 0, 1});
    return builder.CreateShuffleVector(CallVector(builder, name, operands), {0, 1});
  }
  const char set = bytes == 16 ? 'b' : bytes == 64 ? 'e' : cpu_.avx2 ? 'd' : 'c';
  const std::string symbol = std::string("_ZGV") + set + "N" + std::to_string(lanes) +
                             std::string(operands.size(), 'v') + "_" + name + (single ? "f" : "");
  llvm::SmallVector<llvm::Type*, 2> types(operands.size(), type);
  const llvm::FunctionCallee callee =
      module_.getOrInsertFunction(symbol, llvm::FunctionType::get(type, types, false));
  llvm::CallInst* call = builder.CreateCall(callee, operands);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

// x * 2^n, where n is in the low bits of `shifted`. Exact, but for one rounding of subnormal
// results.
Value* VectorMath::Scale(Builder& builder, Value* x, Value* shifted) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (cpu_.avx512f && vector != nullptr && vector->getNumElements() == 16) {
    Value* n = builder.CreateFSub(shifted, Number(x, kRounder));
    return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                   {x, n, x, builder.getInt16(0xffff), builder.getInt32(4)});
  }
  llvm::Type* integers = IntegersLike(x);
  const auto integer = [&](int32_t value) { return llvm::ConstantInt::get(integers, value, true); };
  const auto power = [&](Value* exponent) {
    Value* bits = builder.CreateShl(builder.CreateAdd(exponent, integer(127)), integer(23));
    return builder.CreateBitCast(bits, x->getType());
  };
  Value* n = builder.CreateSub(builder.CreateBitCast(shifted, integers), integer(kRounderBits));
  Value* half = builder.CreateAShr(n, integer(1));
  Value* first = builder.CreateFMul(x, power(half));
  return builder.CreateFMul(first, power(builder.CreateSub(n, half)));
}

// exp(x) = 2^n exp(r) with |r| <= ln(2) / 2, reduced by the two parts of ln(2) of Moshier's Cephes
// library. exp(r) = 1 + r + r^2 q(r), where q of degree 4 is minimax (Remez' algorithm; relative
// error of exp 3.1e-9 before they are rounded to f32).
Value* VectorMath::Exp(Builder& builder, Value* x) {
  // Beyond these the result is 0 or infinite; a NaN stays.
  x = builder.CreateSelect(builder.CreateFCmpOLT(Number(x, 89.0), x), Number(x, 89.0), x);
  x = builder.CreateSelect(builder.CreateFCmpOGT(Number(x, -104.0), x), Number(x, -104.0), x);
  Value* shifted = MultiplyAdd(builder, x, Number(x, kLog2E), Number(x, kRounder));
  Value* n = builder.CreateFSub(shifted, Number(x, kRounder));
  Value* r = MultiplyAdd(builder, n, Number(x, -0.693359375), x);
  r = MultiplyAdd(builder, n, Number(x, 2.12194440e-4), r);
  Value* tail = Polynomial(
      builder, r,
      {1.38145401768e-3, 8.36874510894e-3, 4.16683907835e-2, 1.6666520399e-1, 4.99999934321e-1});
  Value* square = builder.CreateFMul(r, r);
  Value* sum = MultiplyAdd(builder, tail, square, r);
  return Scale(builder, builder.CreateFAdd(sum, Number(x, 1.0)), shifted);
}

// x = m * 2^e with m from sqrt(1/2) to sqrt(2), and Cephes' polynomial of log(m), logf.
Value* VectorMath::Log(Builder& builder, Value* x) {
  llvm::Type* integers = IntegersLike(x);
  const auto integer = [&](int32_t value) { return llvm::ConstantInt::get(integers, value, true); };
  constexpr int32_t kSqrtHalfBits = 0x3f3504f3;
  constexpr float kLeastNormal = 0x1p-126f;
  Value* is_small = builder.CreateFCmpOLT(x, Number(x, kLeastNormal));
  Value* scaled = builder.CreateSelect(is_small, builder.CreateFMul(x, Number(x, 0x1p23)), x);
  Value* shifted =
      builder.CreateSub(builder.CreateBitCast(scaled, integers), integer(kSqrtHalfBits));
  Value* exponent = builder.CreateSub(builder.CreateAShr(shifted, integer(23)),
                                      builder.CreateSelect(is_small, integer(23), integer(0)));
  Value* fraction =
      builder.CreateAdd(builder.CreateAnd(shifted, integer(0x7fffff)), integer(kSqrtHalfBits));
  Value* e = builder.CreateSIToFP(exponent, x->getType());
  Value* m = builder.CreateFSub(builder.CreateBitCast(fraction, x->getType()), Number(x, 1.0));
  Value* square = builder.CreateFMul(m, m);
  Value* tail = Polynomial(
      builder, m,
      {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
       -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  tail = builder.CreateFMul(builder.CreateFMul(tail, m), square);
  tail = MultiplyAdd(builder, e, Number(x, -2.12194440e-4), tail);
  tail = MultiplyAdd(builder, square, Number(x, -0.5), tail);
  Value* result = MultiplyAdd(builder, e, Number(x, 0.693359375), builder.CreateFAdd(m, tail));
  // 0 gives minus infinity, negative numbers give NaN, infinity and NaN stay.
  Value* zero = Number(x, 0.0);
  Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
  Value* is_finite = builder.CreateFCmpOLT(x, infinity);
  result = builder.CreateSelect(is_finite, result, x);
  result =
      builder.CreateSelect(builder.CreateFCmpOEQ(x, zero), builder.CreateFNeg(infinity), result);
  return builder.CreateSelect(builder.CreateFCmpOLT(x, zero),
                              llvm::ConstantFP::getNaN(x->getType()), result);
}

// Cephes' tanhf: a polynomial below 0.625, 1 - 2 / (exp(2 |x|) + 1) above.
Value* VectorMath::Tanh(Builder& builder, Value* x) {
  Value* magnitude = Absolute(builder, x);
  Value* square = builder.CreateFMul(x, x);
  Value* tail = Polynomial(builder, square,
                           {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                            1.33314422036e-1, -3.33332819422e-1});
  Value* small = MultiplyAdd(builder, builder.CreateFMul(tail, square), x, x);
  Value* power = Exp(builder, builder.CreateFAdd(magnitude, magnitude));
  Value* fraction = builder.CreateFDiv(Number(x, 2.0), builder.CreateFAdd(power, Number(x, 1.0)));
  Value* large = WithSign(builder, builder.CreateFSub(Number(x, 1.0), fraction), x);
  Value* is_small = builder.CreateFCmpOLT(magnitude, Number(x, 0.625));
  return builder.CreateSelect(is_small, small, large);
}

// With t = exp(-|x|): 1 / (1 + t), or t / (1 + t) for negative x, so that small results keep their
// precision.
Value* VectorMath::Sigmoid(Builder& builder, Value* x) {
  Value* t = Unary(builder, Op::kExp, builder.CreateFNeg(Absolute(builder, x)));
  Value* negative = builder.CreateFCmpOLT(x, Number(x, 0.0));
  Value* top = builder.CreateSelect(negative, t, Number(x, 1.0));
  return builder.CreateFDiv(top, builder.CreateFAdd(t, Number(x, 1.0)));
}

// Minimax polynomials of erf(x) / x in x^2 below 0.92 and of -log(1 - erf(|x|)) above, after
// N. Juffa.
Value* VectorMath::Erf(Builder& builder, Value* x) {
  Value* t = Absolute(builder, x);
  Value* square = builder.CreateFMul(x, x);
  Value* large = Polynomial(builder, t,
                            {-1.72853470e-5, 3.83197126e-4, -3.88396438e-3, 2.42546219e-2,
                             -1.06777877e-1, -6.34846687e-1, -1.28717512e-1});
  large = MultiplyAdd(builder, large, t, builder.CreateFNeg(t));
  large = builder.CreateFSub(Number(x, 1.0), Exp(builder, large));
  Value* small = Polynomial(builder, square,
                            {-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                             -3.76125336e-1, 1.28379166e-1});
  small = MultiplyAdd(builder, small, x, x);
  Value* is_large = builder.CreateFCmpOGT(t, Number(x, 0.921875));
  return builder.CreateSelect(is_large, WithSign(builder, large, x), small);
}

}  // namespace schedulegym
