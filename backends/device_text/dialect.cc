// The dialects, and the text that depends on their parts only. Both languages are C in their
// expressions and loops. They differ in types and names of functions, in how a kernel and its
// memory are declared, and in what the language has built in: OpenCL C converts reals with
// saturation, CUDA C++ needs a function for it.
#include "backends/device_text/dialect.h"

#include "backends/device_text/half_text.h"
#include "env/base/check.h"
#include "env/base/text.h"
#include "env/program/targets/gpu_features.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostStaticShared = 48 << 10;

std::string OpenClSignature(const DeviceKernel& kernel, const std::string& parameters) {
  return "__kernel __attribute__((reqd_work_group_size(" + Join(kernel.threads, ", ") +
         ")))\nvoid " + kernel.name + "(" + parameters + ") {";
}

std::string OpenClSharedArray(const std::string& name, int64_t bytes) {
  return "__local uchar " + name + "[" + std::to_string(bytes) + "] __attribute__((aligned(16)));";
}

std::string CudaSignature(const DeviceKernel& kernel, const std::string& parameters) {
  int64_t threads = 1;
  for (const int64_t extent : kernel.threads) threads *= extent;
  // Without the least of blocks ptxas keeps fewer registers, for more blocks at a time, and rather
  // leaves a few bytes of a tile in memory.
  return "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads) + ", 1)\n" +
         kernel.name + "(" + parameters + ") {";
}

std::string CudaSharedArray(const std::string& name, int64_t bytes) {
  const bool is_static = bytes <= kMostStaticShared;
  return std::string(is_static ? "" : "extern ") + "__shared__ __align__(16) unsigned char " +
         name + "[" + (is_static ? std::to_string(bytes) : "") + "];";
}

constexpr DeviceDialect kOpenCl = {
    .name = "opencl",
    .extension = ".cl",
    .char_type = "char",
    .long_type = "long",
    .long_suffix = "L",
    .unsigned_type = "uint",
    .bits_type = "ushort",
    .real_suffix = "",
    .nan = {"NAN", "(double)NAN"},
    .infinity = {"INFINITY", "(double)INFINITY"},
    .to_integer = {"convert_int_sat", "convert_char_sat", "convert_long_sat"},
    .places = {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)", "get_local_id(0)",
               "get_local_id(1)", "get_local_id(2)"},
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE);",
    .memory = "__global ",
    .restricted = "restrict",
    .shared_memory = "__local ",
    .helper_begin = "",
    .to_integer_text = {"", "", ""},
    .double_begin = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    .half_pair = "short2",
    .plans_unrolling = false,
    .has_shuffles = false,
    .copies_asynchronously = false,
    .closes_loops = true,
    .reserved = {},
    .signature = OpenClSignature,
    .shared_array = OpenClSharedArray,
};

// Words with other characters than small letters and digits: of C++, and of CUDA's and C's headers.
constexpr std::string_view kCudaReserved[] = {
    "and_eq",   "char16_t",     "char32_t",         "const_cast",  "dynamic_cast",
    "not_eq",   "or_eq",        "static_assert",    "static_cast", "thread_local",
    "wchar_t",  "xor_eq",       "reinterpret_cast", "threadIdx",   "blockIdx",
    "blockDim", "gridDim",      "warpSize",         "copy_async",  "copy_wait",
    "warp_sum", "warp_product", "warp_min",         "warp_max",    "NULL",
    "NAN",      "INFINITY",     "HUGE_VAL",         "EOF",         "BUFSIZ",
    "size_t"};

// Conversions of a double that is no number give the least integer (PTX ISA 9.0, cvt).
constexpr DeviceDialect kCuda = {
    .name = "cuda",
    .extension = ".cu",
    .char_type = "signed char",
    .long_type = "long long",
    .long_suffix = "LL",
    .unsigned_type = "unsigned",
    .bits_type = "unsigned short",
    .real_suffix = "f",
    .nan = {"__int_as_float(0x7fffffff)", "__longlong_as_double(0x7fffffffffffffffLL)"},
    .infinity = {"__int_as_float(0x7f800000)", "__longlong_as_double(0x7ff0000000000000LL)"},
    .to_integer = {"to_int", "to_char", "to_long"},
    .places = {"blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
               "threadIdx.z"},
    .barrier = "__syncthreads();",
    .memory = "",
    .restricted = "__restrict__",
    .shared_memory = "",
    .helper_begin = "static __device__ __forceinline__ ",
    .to_integer_text =
        {"static __device__ __forceinline__ int to_int(double x) {\n"
         "  return x != x ? 0 : __double2int_rz(x);\n}\n"
         "static __device__ __forceinline__ int to_int(float x) {\n"
         "  return x != x ? 0 : __float2int_rz(x);\n}\n",
         "template <typename Real>\n"
         "static __device__ __forceinline__ signed char to_char(Real x) {\n"
         "  return x != x ? 0 : x > 127 ? 127 : x < -128 ? -128 : (signed char)(int)x;\n}\n",
         "static __device__ __forceinline__ long long to_long(double x) {\n"
         "  return x != x ? 0 : __double2ll_rz(x);\n}\n"},
    .double_begin = "",
    .half_pair = "int1",
    .plans_unrolling = true,
    .has_shuffles = true,
    .copies_asynchronously = false,
    .closes_loops = false,
    .reserved = kCudaReserved,
    .signature = CudaSignature,
    .shared_array = CudaSharedArray,
};

constexpr DeviceDialect WithAsyncCopies(DeviceDialect dialect) {
  dialect.copies_asynchronously = true;
  return dialect;
}

constexpr DeviceDialect kAsyncCuda = WithAsyncCopies(kCuda);

// "static int NAME(int a, int b) {".
std::string HelperHead(const DeviceDialect& dialect, const std::string& type,
                       const std::string& name) {
  return dialect.helper_begin + type + " " + name + "(" + type + " a, " + type + " b) {\n";
}

// C leaves x / 0 open, and the least integer / -1. A quotient by 0 is 0 here, one by -1 wraps
// around.
std::string QuotientBySpecial(const DeviceDialect& dialect) {
  return std::string("  if (b == 0) return 0;\n  if (b == -1) return (int)(0u - (") +
         dialect.unsigned_type + ")a);\n";
}

std::string TruncatedText(const DeviceDialect& dialect) {
  return HelperHead(dialect, "int", "truncated_divide") + QuotientBySpecial(dialect) +
         "  return a / b;\n}\n";
}

// Of longs there are only indices, which are divided by constants.
std::string FlooredText(const DeviceDialect& dialect, const std::string& type,
                        const std::string& name, bool is_divide) {
  const bool is_data = type == "int";
  std::string text = HelperHead(dialect, type, name);
  if (is_divide) {
    if (is_data) text += QuotientBySpecial(dialect);
    return text + "  return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n";
  }
  if (is_data) text += "  if (b == 0 || b == -1) return 0;\n";
  return text + "  const " + type + " rest = a % b;\n" +
         "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n}\n";
}

}  // namespace

const DeviceDialect& OpenClDialect() { return kOpenCl; }

const DeviceDialect& CudaDialect() { return kCuda; }

const DeviceDialect& AsyncCudaDialect() { return kAsyncCuda; }

bool IsCuda(const DeviceDialect& dialect) { return &dialect == &kCuda || &dialect == &kAsyncCuda; }

const DeviceDialect& DialectOf(const Target& target) {
  SG_CHECK(target.IsGpu(), "only GPUs have texts");
  if (target.backend == BackendKind::kOpenCl) return kOpenCl;
  return target.HasFeature(kAsyncCopyFeature) ? kAsyncCuda : kCuda;
}

int64_t DynamicSharedBytes(const DeviceKernel& kernel) {
  return kernel.shared_bytes > kMostStaticShared ? kernel.shared_bytes : 0;
}

std::string DeviceTypeName(const DeviceDialect& dialect, DType type, bool wide_indices) {
  switch (type) {
    case DType::kF32: return "float";
    case DType::kF64: return "double";
    case DType::kI32: return "int";
    case DType::kI8: return dialect.char_type;
    case DType::kIndex: return wide_indices ? dialect.long_type : "int";
    case DType::kBool: return "bool";
    case DType::kF16:
    case DType::kBF16: return dialect.bits_type;
  }
  SG_CHECK(false, "no device has this type");
}

std::string HelperText(const DeviceDialect& dialect, HelperFunction helper) {
  switch (helper) {
    case HelperFunction::kTruncatedDivide: return TruncatedText(dialect);
    case HelperFunction::kFloorDivide: return FlooredText(dialect, "int", "floor_divide", true);
    case HelperFunction::kFloorModulo: return FlooredText(dialect, "int", "floor_modulo", false);
    case HelperFunction::kFloorDivideLong:
      return FlooredText(dialect, dialect.long_type, "floor_divide_long", true);
    case HelperFunction::kFloorModuloLong:
      return FlooredText(dialect, dialect.long_type, "floor_modulo_long", false);
    case HelperFunction::kToInt: return dialect.to_integer_text[0];
    case HelperFunction::kToChar: return dialect.to_integer_text[1];
    case HelperFunction::kToLong: return dialect.to_integer_text[2];
    default: return HalfText(dialect, helper);
  }
}

}  // namespace schedulegym
