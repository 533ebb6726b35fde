// f16 and bf16 in both languages: texts by their lines; CUDA's conversions and operators on this
// machine's processor, for each bit pattern.
#include "backends/device_text/half_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "backends/device_text/device_header.h"
#include "backends/device_text/device_text.h"
#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/program/expressions/half.h"
#include "env/program/expressions/operators.h"
#include "tests/support/count_of.h"
#include "tests/support/cuda_host_backend.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr DType kHalves[] = {DType::kF16, DType::kBF16};
constexpr char kProduct[] = "input A[8] : f16\nC[i:8] = A[i] * A[i] + 0.1\n";

LoopProgram Lowered(const std::string& dag, const std::string& steps = "") {
  return Lower(StateAfter(TaskOf(dag, BackendKind::kCuda), steps)).value();
}

std::string TextOf(const std::string& dag, const std::string& steps = "",
                   const DeviceDialect& dialect = CudaDialect()) {
  return DeviceText(Lowered(dag, steps), dialect).value().source;
}

// 0.1 is 0x1.998p-4 in f16. Stores round once.
TEST(HalfTextTest, RoundsEachOperation) {
  EXPECT_EQ(TextOf(kProduct), R"(
#ifndef CUDA_ON_HOST
static __device__ __forceinline__ float f16_to_float(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
#endif

#ifndef CUDA_ON_HOST
static __device__ __forceinline__ unsigned short float_to_f16(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#endif

static __device__ __forceinline__ float round_f16(float x) {
  return f16_to_float(float_to_f16(x));
}

extern "C" __global__ void __launch_bounds__(1, 1)
kernel_0(const unsigned short* __restrict__ A, unsigned short* __restrict__ C) {
  for (int i = 0; i < 8; ++i) {
    C[i] = float_to_f16(round_f16(f16_to_float(A[i]) * f16_to_float(A[i])) + 0.0999755859f);
  }
}
)");
}

TEST(HalfTextTest, OpenClNeedsNoExtension) {
  const std::string text = TextOf(kProduct, "", OpenClDialect());
  EXPECT_THAT(text, HasSubstr("float f16_to_float(ushort bits) {\n#ifdef cl_khr_fp16\n"
                              "  return vload_half(0, (const half*)&bits);\n#else\n"));
  EXPECT_THAT(text, HasSubstr("  ushort bits;\n  vstore_half_rte(x, 0, (half*)&bits);\n"));
  EXPECT_THAT(text, HasSubstr("void kernel_0(__global const ushort* restrict A, "
                              "__global ushort* restrict C) {"));
  EXPECT_THAT(text, HasSubstr("C[i] = float_to_f16(round_f16(f16_to_float(A[i]) * "
                              "f16_to_float(A[i])) + 0.0999755859f);"));
  EXPECT_THAT(text, Not(HasSubstr("#pragma OPENCL")));
  const std::string brain =
      TextOf("input A[8] : bf16\nC[i:8] = A[i] * A[i]\n", "", OpenClDialect());
  EXPECT_THAT(brain, HasSubstr("  return as_float((uint)bits << 16);\n"));
  EXPECT_THAT(brain, HasSubstr("C[i] = float_to_bf16("));
  EXPECT_THAT(brain, Not(HasSubstr("round_bf16")));
}

TEST(HalfTextTest, CopiesAndConstantsKeepTheirBits) {
  const std::string text = TextOf(
      "input A[8] : f16\nC[i:8] = A[i]\nD[i:8] = select(i < 4, A[i], -A[i])\n"
      "E[i:8] = f16(1.5)\n");
  EXPECT_THAT(text, HasSubstr("C[i] = A[i];"));
  EXPECT_THAT(text, HasSubstr("E[i] = 0x3e00;"));
  EXPECT_THAT(text, Not(HasSubstr("round_f16")));
}

TEST(HalfTextTest, ConversionsRoundOnce) {
  const std::string text = TextOf(
      "input A[8] : f64\ninput B[8] : i32\ninput D[8] : i8\nC[i:8] = f16(A[i])\n"
      "E[i:8] = bf16(B[i])\nF[i:8] = f16(B[i])\nG[i:8] = bf16(D[i])\n");
  EXPECT_THAT(text, HasSubstr("C[i] = float_to_f16(double_to_odd(A[i]));"));
  EXPECT_THAT(text, HasSubstr("E[i] = float_to_bf16(int_to_odd(B[i]));"));
  EXPECT_THAT(text, HasSubstr("F[i] = float_to_f16((float)B[i]);"));
  EXPECT_THAT(text, HasSubstr("G[i] = float_to_bf16((float)D[i]);"));
}

// A thread's own cells are floats that are already rounded.
TEST(HalfTextTest, LocalMemoryHoldsFloats) {
  const std::string text = TextOf("input A[64] : f16\nC[i:64] = A[i] * 3\n",
                                  "cache_write(stage=C, scope=local)\n"
                                  "compute_at(stage=C.local, target=C, loop=0)\n");
  EXPECT_THAT(text, HasSubstr("float C_local[1];"));
  EXPECT_THAT(text, HasSubstr("C_local[0] = round_f16(f16_to_float(A[i]) * 3.0f);"));
  EXPECT_THAT(text, HasSubstr("C[i] = float_to_f16(C_local[0]);"));
}

TEST(HalfTextTest, SumsAreFloats) {
  const std::string text =
      TextOf("input A[8, 4] : f16\ninput B[8, 4] : f16\nC[i:8] = sum(k:4) A[i, k] * B[i, k]\n");
  EXPECT_THAT(text, HasSubstr("+ f16_to_float(A[i * 4 + k]) * f16_to_float(B[i * 4 + k]);"));
  EXPECT_THAT(text, HasSubstr("C[i] = float_to_f16(C_f32[i]);"));
}

TEST(HalfTextTest, RenamesWhatTheTextDefines) {
  EXPECT_THAT(TextOf("input round_f16[8] : f16\nC[i:8] = round_f16[i] * 2\n"),
              HasSubstr("f16_to_float(round_f16_[i]) * 2.0f"));
}

TEST(HalfTextTest, HeadersHaveTheBits) {
  const LoopProgram program = Lowered(kProduct);
  const DeviceProgram device = DeviceText(program, CudaDialect()).value();
  EXPECT_THAT(DeviceHeader(program, device, CudaDialect(), "twice"),
              HasSubstr("int twice_launch(const unsigned short* argument_0, "
                        "unsigned short* argument_1, "));
}

TEST(HalfTextTest, ABlockSharesTwoBytesAnElement) {
  const LoopProgram program = Lowered("input A[4, 16] : bf16\nC[i:4, j:16] = A[i, 15 - j]\n",
                                      "bind(stage=C, loop=0, thread=blockIdx.x)\n"
                                      "bind(stage=C, loop=1, thread=threadIdx.x)\n"
                                      "cache_read(stage=A, scope=shared, readers=[C])\n"
                                      "compute_at(stage=A.shared, target=C, loop=0)\n"
                                      "bind(stage=A.shared, loop=1, thread=threadIdx.x)\n");
  const DeviceProgram device = DeviceText(program, CudaDialect()).value();
  EXPECT_EQ(device.kernels.at(0).shared_bytes, 32);
  EXPECT_THAT(device.source,
              HasSubstr("unsigned short* const A_shared = (unsigned short*)(shared_memory + 0);"));
}

// ---- On the processor.

// "" if the text leaves the same memory as the interpreter; all NaNs are equal.
std::string FaultIn(const LoopProgram& program, const DeviceProgram& device,
                    std::vector<GuardedMemory> arguments) {
  std::vector<GuardedMemory> want = arguments;
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  EXPECT_TRUE(RunKernel(**interpreter->Compile(program, {}), want).ok());
  const auto kernel = CompileOnHost(program, device);
  if (!kernel) return kernel.error().message;
  if (const auto run = RunKernel(**kernel, arguments); !run) return run.error().message;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DType type = program.parameters[i].type;
    const int64_t cells = arguments[i].bytes() / SizeInBytes(type);
    for (int64_t cell = 0; cell < cells; ++cell) {
      const auto at = static_cast<size_t>(cell * SizeInBytes(type));
      const unsigned char *found = arguments[i].data() + at, *wanted = want[i].data() + at;
      if (std::memcmp(found, wanted, static_cast<size_t>(SizeInBytes(type))) == 0) continue;
      const auto number = [type](const unsigned char* bytes) {
        if (type == DType::kF32) return *reinterpret_cast<const float*>(bytes);
        return HalfToFloat(type, *reinterpret_cast<const uint16_t*>(bytes));
      };
      const bool are_none = std::isnan(number(found)) && std::isnan(number(wanted));
      if (!are_none) return program.parameters[i].name + " at " + std::to_string(cell);
    }
  }
  return "";
}

template <typename T>
std::string FaultOf(const std::string& dag, const std::vector<T>& values) {
  const LoopProgram program = Lowered(dag);
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  EXPECT_EQ(arguments[0].bytes(), static_cast<int64_t>(values.size() * sizeof(T)));
  std::memcpy(arguments[0].data(), values.data(), values.size() * sizeof(T));
  return FaultIn(program, DeviceText(program, CudaDialect()).value(), std::move(arguments));
}

// Definitions C0, C1, ... over the input's axis.
std::string DefinitionsText(size_t count, std::initializer_list<std::string> bodies) {
  std::string text;
  int number = 0;
  for (const std::string& body : bodies) {
    text.append("C").append(std::to_string(number++)).append("[i:");
    text.append(std::to_string(count)).append("] = ").append(body).append("\n");
  }
  return text;
}

// Converts values in CUDA text on the processor, and in the interpreter.
template <typename T>
std::string FaultOf(const char* type, const std::vector<T>& values,
                    std::initializer_list<std::string> bodies) {
  const size_t count = values.size();
  return FaultOf(
      "input A[" + std::to_string(count) + "] : " + type + "\n" + DefinitionsText(count, bodies),
      values);
}

TEST(HalfOnHostTest, EveryPatternBecomesAFloatAndComesBack) {
  std::vector<uint16_t> patterns(65536);
  for (size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<uint16_t>(i);
  EXPECT_EQ(FaultOf("f16", patterns, {"f32(A[i])", "f16(f32(A[i]))"}), "");
  EXPECT_EQ(FaultOf("bf16", patterns, {"f32(A[i])", "bf16(f32(A[i]))"}), "");
}

// All exponents; for each, the middle between two halves and its neighbours.
TEST(HalfOnHostTest, FloatsBecomeHalves) {
  std::vector<float> floats;
  Rng rng(3);
  for (uint32_t upper = 0; upper < 0x200; ++upper) {
    for (int i = 0; i < 60; ++i) {
      const uint32_t tie = i % 2 == 0 ? 1u << 12 : 1u << 15;
      const auto kept = static_cast<uint32_t>(rng.Next()) & 0x7fffffu & ~(tie * 2 - 1);
      const uint32_t bits = (upper << 23 | kept | tie) + static_cast<uint32_t>(i / 2 % 3) - 1;
      floats.push_back(std::bit_cast<float>(bits));
      floats.push_back(std::bit_cast<float>(upper << 23 | static_cast<uint32_t>(rng.Next() >> 41)));
    }
  }
  EXPECT_EQ(FaultOf("f32", floats, {"f16(A[i])", "bf16(A[i])"}), "");
}

// Values closer to a middle than a float can show: rounding twice would return the even one.
TEST(HalfOnHostTest, DoublesAndIntegersAreRoundedOnce) {
  std::vector<double> doubles;
  for (const DType type : kHalves) {
    for (uint32_t bits = 0; bits < 0x7c00; bits += 7) {
      const double low = HalfToFloat(type, static_cast<uint16_t>(bits));
      const double middle = (low + HalfToFloat(type, static_cast<uint16_t>(bits + 1))) / 2;
      for (const double to : {0.0, HUGE_VAL}) doubles.push_back(std::nextafter(middle, to));
      doubles.push_back(-middle);
    }
  }
  for (const double special : {1e300, -1e300, 1e-320, HUGE_VAL, std::nan("")}) {
    doubles.push_back(special);
  }
  EXPECT_EQ(FaultOf("f64", doubles, {"f16(A[i])", "bf16(A[i])"}), "");
  std::vector<int32_t> integers = {INT32_MIN, INT32_MAX, 65519, 65520, -65504};
  for (int place = 9; place < 31; ++place) {
    const int32_t middle = (1 << place) + (1 << (place - 8));
    for (const int32_t off : {-1, 0, 1})
      integers.insert(integers.end(), {middle + off, -middle + off});
  }
  EXPECT_EQ(FaultOf("i32", integers, {"f16(A[i])", "bf16(A[i])"}), "");
}

// Operators on any two f16 halves; on bf16 such that no result lies below 2^-126.
std::string OperatorsText(DType type) {
  const std::string input = std::string("[4096] : ") + DTypeName(type) + "\n";
  return "input A" + input + "input B" + input +
         DefinitionsText(
             4096, {"A[i] + B[i]", "A[i] - B[i]", "A[i] * B[i]", "A[i] / B[i]", "sqrt(abs(A[i]))",
                    "max(A[i], B[i])", "floor(A[i])", "A[i] * B[i] + A[i]",
                    "select(A[i] < B[i], -A[i], B[i])", "A[i] * 0.1 - B[i] / 3"});
}

std::vector<GuardedMemory> OperatorArguments(const LoopProgram& program, DType type) {
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  Rng rng(7);
  for (int input = 0; input < 2; ++input) {
    for (int i = 0; i < 4096; ++i) {
      auto bits = static_cast<uint16_t>(rng.Next());
      if (type == DType::kBF16) {
        const auto exponent = static_cast<uint16_t>(97 + rng.Below(60));
        bits = static_cast<uint16_t>((bits & 0x807f) | exponent << 7);
      }
      arguments[static_cast<size_t>(input)].as<uint16_t>()[i] = bits;
    }
  }
  return arguments;
}

TEST(HalfOnHostTest, OperatorsRoundAsTheInterpreterDoes) {
  for (const DType type : kHalves) {
    const LoopProgram program = Lowered(OperatorsText(type));
    EXPECT_EQ(FaultIn(program, DeviceText(program, CudaDialect()).value(),
                      OperatorArguments(program, type)),
              "");
  }
}

TEST(HalfOnHostTest, FindsARoundingThatIsLeftOut) {
  for (const DType type : kHalves) {
    const LoopProgram program = Lowered(OperatorsText(type));
    DeviceProgram device = DeviceText(program, CudaDialect()).value();
    const std::string rounding = std::string("round_") + DTypeName(type);
    const size_t at = device.source.find(rounding + "(", device.source.find("C7[i] = "));
    ASSERT_NE(at, std::string::npos) << device.source;
    device.source.replace(at, rounding.size(), "");
    EXPECT_THAT(FaultIn(program, device, OperatorArguments(program, type)), HasSubstr("C7 at "));
  }
}

}  // namespace
}  // namespace schedulegym
