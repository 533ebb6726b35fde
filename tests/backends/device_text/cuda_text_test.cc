// CUDA C++ of small programs: whole texts, or the lines that matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_header.h"
#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LoopProgram Lowered(const std::string& dag, const std::string& trace) {
  return Lower(StateAfter(TaskOf(dag, BackendKind::kCuda), trace)).value();
}

DeviceProgram TextOf(const std::string& dag, const std::string& trace) {
  return DeviceText(Lowered(dag, trace), CudaDialect()).value();
}

constexpr char kScaled[] = "input A[64]\nC[i:64] = A[i] * 2\n";
constexpr char kBound[] =
    "split(stage=C, loop=0, lengths=[16])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
    "bind(stage=C, loop=1, thread=threadIdx.x)";

TEST(CudaTextTest, BindsLoopsToTheGrid) {
  EXPECT_EQ(TextOf(kScaled, kBound).source,
            "\nextern \"C\" __global__ void __launch_bounds__(16, 1)\n"
            "kernel_0(const float* __restrict__ A, float* __restrict__ C) {\n"
            "  const int i_0 = (int)blockIdx.x;\n"
            "  const int i_1 = (int)threadIdx.x;\n"
            "  C[i_0 * 16 + i_1] = A[i_0 * 16 + i_1] * 2.0f;\n"
            "}\n");
}

TEST(CudaTextTest, SharesMemoryBetweenBarriers) {
  const DeviceProgram program = TextOf(kMatmul128, kMatmul128Steps);
  EXPECT_THAT(program.source,
              HasSubstr("__shared__ __align__(16) unsigned char shared_memory[4096];"));
  EXPECT_THAT(program.source, HasSubstr("float* const B_shared = (float*)(shared_memory + 2048);"));
  EXPECT_EQ(CountOf("__syncthreads();", program.source), 2);
  EXPECT_EQ(DynamicSharedBytes(program.kernels.at(0)), 0);
}

// 128 x 128 floats: 64 KiB are more than a text may declare.
TEST(CudaTextTest, AsksTheLaunchForMoreThan48KiB) {
  const std::string dag = "input A[128, 128]\nC[i:128, j:128] = A[j, i]\n";
  const LoopProgram lowered = Lowered(dag,
                                      "bind(stage=C, loop=1, thread=threadIdx.x)\n"
                                      "cache_read(stage=A, scope=shared, readers=[C])\n"
                                      "compute_at(stage=A.shared, target=C, loop=0)\n");
  DeviceProgram program = DeviceText(lowered, CudaDialect(), "copy_kernel").value();
  if (program.kernels.at(0).shared_bytes < 65536) program.kernels[0].shared_bytes = 65536;
  EXPECT_EQ(DynamicSharedBytes(program.kernels[0]), program.kernels[0].shared_bytes);
  EXPECT_THAT(CudaDialect().shared_array("shared_memory", 65536),
              HasSubstr("extern __shared__ __align__(16) unsigned char shared_memory[];"));
  EXPECT_THAT(CudaSource(lowered, program, "copy"),
              HasSubstr("cudaFuncSetAttribute(copy_kernel_0, "
                        "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536)"));
  EXPECT_THAT(DeviceHeader(lowered, program, CudaDialect(), "copy"),
              HasSubstr("{\"copy_kernel_0\", {1, 1, 1}, {128, 1, 1}, 65536, 2, {0, 1}}"));
}

TEST(CudaTextTest, HasFunctionsOfItsOwn) {
  const std::string source =
      TextOf(
          "input A[4]\ninput B[4] : f64\ninput D[4] : i32\nC[i:4] = exp(max(A[i], 0))\n"
          "E[i:4] = exp(B[i])\nF[i:4] = D[i] + D[i]\n",
          "")
          .source;
  EXPECT_THAT(source, HasSubstr("expf(fmaxf(A[i], 0.0f))"));
  EXPECT_THAT(source, HasSubstr("= exp(B[i]);"));
  EXPECT_THAT(source, HasSubstr("(int)((unsigned)D[i] + (unsigned)D[i])"));
}

TEST(CudaTextTest, DefinesConversionsThatItUses) {
  const std::string source = TextOf("input A[4]\nC[i:4] = i32(A[i])\n", "").source;
  EXPECT_THAT(source, HasSubstr("__forceinline__ int to_int(float x)"));
  EXPECT_THAT(source, HasSubstr("C[i] = to_int(A[i]);"));
  EXPECT_THAT(source, Not(HasSubstr("to_char")));
}

TEST(CudaTextTest, RenamesWhatTheLanguageKnows) {
  const std::string source =
      TextOf("input threadIdx[4]\nto_int[i:4] = threadIdx[i] + 1\n", "").source;
  EXPECT_THAT(source, HasSubstr("to_int_[i] = threadIdx_[i] + 1.0f;"));
}

TEST(CudaTextTest, TakesLongIndicesWhereTheyMayBeNeeded) {
  const std::string source =
      TextOf("input A[65536, 65536] : i8\nC[i:65536] = A[i, i]\n", "").source;
  EXPECT_THAT(source, HasSubstr("for (long long i = 0; i < 65536; ++i) {"));
  EXPECT_THAT(source, HasSubstr("A[i * 65537LL]"));
}

TEST(CudaTextTest, LaunchesKernelsInTurn) {
  const LoopProgram lowered =
      Lowered("input A[8, 32]\nM[i:8] = max(r:32) A[i, r]\nC[i:8, j:32] = A[i, j] - M[i]\n", "");
  const DeviceProgram program = DeviceText(lowered, CudaDialect(), "soft_kernel").value();
  const std::string source = CudaSource(lowered, program, "soft");
  EXPECT_THAT(source, HasSubstr("soft_kernel_0<<<dim3(1, 1, 1), dim3(1, 1, 1), 0, "
                                "static_cast<cudaStream_t>(stream)>>>"
                                "(argument_0, Pointer{temporaries[0]});"));
  EXPECT_THAT(source, HasSubstr("(argument_0, argument_1, Pointer{temporaries[0]});"));
  EXPECT_THAT(DeviceHeader(lowered, program, CudaDialect(), "soft"),
              HasSubstr("int soft_launch(const float* argument_0, float* argument_1, "
                        "void* const* temporaries, void* stream);"));
}

}  // namespace
}  // namespace schedulegym
