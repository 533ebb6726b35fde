// Of f16, CUDA C++ has no conversion without a header: it is one instruction of PTX (PTX ISA 9.0,
// cvt), which the header that runs a text on a processor has a twin of. OpenCL C 1.2 has it without
// an extension, through a pointer (section 6.12.7). Where a device has no halves of its own this is
// code of many branches (PoCL 3.1 compiled a matmul for 28 s), so there it is done on the bits of
// all numbers alike: the bits of a half, 13 places higher, are those of a float 2^112 times
// smaller (a device that takes subnormal floats for 0 takes those of f16 for 0, too); for the way
// back see env/program/expressions/half.cc. bf16 is the upper half of a float;
// what lies below is rounded by adding, where no instruction does it. Doubles and long integers
// become floats by rounding to odd: rounding these again gives what rounding once does (Boldo and
// Melquiond, Emulation of FMA and Correctly Rounded Sums, IEEE Transactions on Computers 57(4),
// 2008).
#include "backends/device_text/half_text.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr const char* kCudaF16ToFloat = R"(#ifndef CUDA_ON_HOST
static __device__ __forceinline__ float f16_to_float(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
#endif
)";

constexpr const char* kCudaFloatToF16 = R"(#ifndef CUDA_ON_HOST
static __device__ __forceinline__ unsigned short float_to_f16(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#endif
)";

constexpr const char* kCudaBf16ToFloat =
    R"(static __device__ __forceinline__ float bf16_to_float(unsigned short bits) {
  return __uint_as_float((unsigned)bits << 16);
}
)";

constexpr const char* kCudaFloatToBf16 =
    R"(static __device__ __forceinline__ unsigned short float_to_bf16(float x) {
#if __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  const unsigned bits = __float_as_uint(x);
  return x != x ? 0x7fff : (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
}
)";

constexpr const char* kOpenClF16ToFloat = R"(float f16_to_float(ushort bits) {
#ifdef cl_khr_fp16
  return vload_half(0, (const half*)&bits);
#else
  const uint sign = (uint)(bits & 0x8000) << 16, magnitude = (uint)(bits & 0x7fff) << 13;
  const uint finite = as_uint(as_float(magnitude) * 0x1p112f);
  return as_float(sign | finite | (magnitude < 0x0f800000u ? 0 : 0x7f800000u));
#endif
}
)";

constexpr const char* kOpenClFloatToF16 = R"(ushort float_to_f16(float x) {
#ifdef cl_khr_fp16
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return bits;
#else
  const uint sign = as_uint(x) >> 16 & 0x8000u, magnitude = as_uint(x) & 0x7fffffffu;
  const uint normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  const uint subnormal = as_uint(as_float(magnitude) + 0.5f) - (126u << 23);
  const uint special = magnitude > 0x7f800000u ? 0x7e00 : 0x7c00;
  return (ushort)(sign | (magnitude < 113u << 23   ? subnormal
                          : magnitude < 143u << 23 ? normal
                                                   : special));
#endif
}
)";

constexpr const char* kOpenClBf16ToFloat = R"(float bf16_to_float(ushort bits) {
  return as_float((uint)bits << 16);
}
)";

constexpr const char* kOpenClFloatToBf16 = R"(ushort float_to_bf16(float x) {
  const uint bits = as_uint(x);
  return x != x ? 0x7fff : (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
)";

std::string RoundText(const DeviceDialect& dialect, const std::string& half) {
  return dialect.helper_begin + ("float round_" + half) + "(float x) {\n  return " + half +
         "_to_float(float_to_" + half + "(x));\n}\n";
}

// Of a type that may have more bits than a float: towards zero, and the last bit set where that
// leaves something out.
std::string OddText(const DeviceDialect& dialect, const std::string& type, const char* name,
                    const char* cuda_function) {
  const bool is_cuda = IsCuda(dialect);
  const std::string narrow = is_cuda ? cuda_function : "convert_float_rtz";
  const std::string odd =
      is_cuda ? "__uint_as_float(__float_as_uint(narrow) | 1u)" : "as_float(as_uint(narrow) | 1u)";
  return dialect.helper_begin + ("float " + std::string(name)) + "(" + type + " x) {\n" +
         "  const float narrow = " + narrow + "(x);\n  return x != x || (" + type +
         ")narrow == x ? narrow : " + odd + ";\n}\n";
}

}  // namespace

std::string HalfText(const DeviceDialect& dialect, HelperFunction helper) {
  const bool is_cuda = IsCuda(dialect);
  switch (helper) {
    case HelperFunction::kF16ToFloat: return is_cuda ? kCudaF16ToFloat : kOpenClF16ToFloat;
    case HelperFunction::kFloatToF16: return is_cuda ? kCudaFloatToF16 : kOpenClFloatToF16;
    case HelperFunction::kRoundF16: return RoundText(dialect, "f16");
    case HelperFunction::kBf16ToFloat: return is_cuda ? kCudaBf16ToFloat : kOpenClBf16ToFloat;
    case HelperFunction::kFloatToBf16: return is_cuda ? kCudaFloatToBf16 : kOpenClFloatToBf16;
    case HelperFunction::kRoundBf16: return RoundText(dialect, "bf16");
    case HelperFunction::kDoubleToOdd:
      return OddText(dialect, "double", "double_to_odd", "__double2float_rz");
    case HelperFunction::kIntToOdd: return OddText(dialect, "int", "int_to_odd", "__int2float_rz");
    case HelperFunction::kLongToOdd:
      return OddText(dialect, dialect.long_type, "long_to_odd", "__ll2float_rz");
    default: break;
  }
  SG_CHECK(false, "no conversion of halves");
}

}  // namespace schedulegym
