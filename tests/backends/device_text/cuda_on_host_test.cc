// Runs CUDA text on this machine's processor, against the interpreter, and finds planted faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <utility>

#include "backends/device_text/device_text.h"
#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/sequential_form.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/cuda_host_backend.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

LoopProgram Lowered(const std::string& dag, const std::string& steps) {
  return Lower(StateAfter(TaskOf(dag, BackendKind::kCuda), steps)).value();
}

// Arguments aligned to 64 bytes, like device memory.
std::vector<GuardedMemory> Arguments(const LoopProgram& program) {
  std::vector<GuardedMemory> arguments;
  for (const Parameter& parameter : program.parameters) {
    arguments.emplace_back(parameter.bytes, 0);
    FillSmall(arguments.back(), parameter.type, arguments.size());
  }
  return arguments;
}

// "" if the text computes the same as the sequential form in the interpreter.
std::string FaultIn(const LoopProgram& program, const DeviceProgram& device) {
  std::vector<GuardedMemory> want = Arguments(program), got = Arguments(program);
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  EXPECT_TRUE(RunKernel(**interpreter->Compile(SequentialForm(program), {}), want).ok());
  const auto kernel = CompileOnHost(program, device);
  if (!kernel) return kernel.error().message;
  if (const auto run = RunKernel(**kernel, got); !run) return run.error().message;
  for (size_t i = 0; i < got.size(); ++i) {
    if (!got[i].Intact()) return "a store past the end";
    if (!std::equal(got[i].data(), got[i].data() + got[i].bytes(), want[i].data())) {
      return "other results";
    }
  }
  return "";
}

std::string FaultIn(const LoopProgram& program) {
  return FaultIn(program, DeviceText(program, CudaDialect()).value());
}

// FaultIn after the number-th `part` of the text is replaced by `change`.
std::string FaultWith(const LoopProgram& program, const std::string& part, int number,
                      const std::string& change, const DeviceDialect& dialect = CudaDialect()) {
  DeviceProgram device = DeviceText(program, dialect).value();
  size_t at = device.source.find(part);
  for (int i = 0; i < number; ++i) at = device.source.find(part, at + 1);
  EXPECT_NE(at, std::string::npos) << part << " in\n" << device.source;
  device.source.replace(at, part.size(), change);
  return FaultIn(program, device);
}

// 61 elements in four blocks of 16 threads.
LoopProgram Guarded() {
  return Lowered("input A[61] : i32\nC[i:61] = A[i] * 3\n",
                 "split(stage=C, loop=0, lengths=[16])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
                 "bind(stage=C, loop=1, thread=threadIdx.x)");
}

// Two rows a block, with eight lanes each; the last block has one row.
LoopProgram RowsOfEight() {
  return Lowered("input A[5, 24] : i32\nC[i:5] = sum(k:24) A[i, k]\n",
                 "split(stage=C, loop=1, lengths=[8])\nsplit(stage=C, loop=0, lengths=[2])\n"
                 "bind(stage=C, loop=0, thread=blockIdx.x)\n"
                 "bind(stage=C, loop=1, thread=threadIdx.y)\n"
                 "bind(stage=C, loop=3, thread=threadIdx.x)");
}

TEST(CudaOnHostTest, MatmulOfSharedTiles) {
  EXPECT_EQ(FaultIn(Lowered(kMatmul128, kMatmul128Steps)), "");
}

// Divides by -7 to 7 (0 and -1 included) and by constants; also divides the least number of a type.
TEST(CudaOnHostTest, QuotientsOfIntegers) {
  for (const bool is_byte : {false, true}) {
    const char* type = is_byte ? "i8" : "i32";
    const char* least = is_byte ? "-127 - 1" : "-2147483647 - 1";
    std::ostringstream dag;
    dag << "input A[15] : " << type << "\ninput B[15] : " << type << "\nN[i:15] = " << type
        << "(i - 7)\n";
    int number = 0;
    for (const char* op : {" / ", " // ", " % "}) {
      for (const char* by : {"N[i]", "B[i]", "-1", "3", "-3"}) {
        ++number;
        dag << "C" << number << "[i:15] = A[i]" << op << by << "\nD" << number
            << "[i:15] = (A[i] - A[i] " << least << ")" << op << by << "\n";
      }
    }
    EXPECT_EQ(FaultIn(Lowered(dag.str(), "")), "") << dag.str();
  }
}

// Eight threads share each sum, in two rows of threads.
TEST(CudaOnHostTest, ReductionsSharedByThreads) {
  EXPECT_EQ(FaultIn(Lowered("input A[6, 24]\nC[i:6] = sum(k:24) A[i, k]\n",
                            "split(stage=C, loop=1, lengths=[8])\n"
                            "split(stage=C, loop=0, lengths=[2])\n"
                            "bind(stage=C, loop=0, thread=blockIdx.x)\n"
                            "bind(stage=C, loop=1, thread=threadIdx.y)\n"
                            "bind(stage=C, loop=3, thread=threadIdx.x)")),
            "");
}

// Threads of a row of 32; of whole warps and a rest; or of rows of 8, the last of which has a
// guard.
TEST(CudaOnHostTest, ReductionsSharedByLanes) {
  const auto rows = [](const std::string& combiner, const std::string& type, int threads) {
    return Lowered("input A[6, 192] : " + type + "\nC[i:6] = " + combiner + "(k:192) A[i, k]\n",
                   "split(stage=C, loop=1, lengths=[" + std::to_string(threads) +
                       "])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
                       "bind(stage=C, loop=2, thread=threadIdx.x)");
  };
  EXPECT_EQ(FaultIn(rows("sum", "f32", 32)), "");
  EXPECT_EQ(FaultIn(rows("min", "f64", 96)), "");
  EXPECT_EQ(FaultIn(rows("max", "i32", 24)), "");
  EXPECT_EQ(FaultIn(rows("prod", "i32", 48)), "");
  EXPECT_EQ(FaultIn(RowsOfEight()), "");
}

// Lane 7 is in no mask; the second row's lanes are in the first row's mask; the shuffle waits for
// absent lanes; one step is missing.
TEST(CudaOnHostTest, FindsWrongMasksOfShuffles) {
  const LoopProgram program = RowsOfEight();
  EXPECT_EQ(FaultWith(program, "0xffffffffu", 0, "0x7fffffffu"), "a lane is not in its own mask");
  EXPECT_EQ(FaultWith(program, " << (thread % 32 / lanes * lanes)", 0, ""),
            "a lane is not in its own mask");
  EXPECT_EQ(FaultWith(program, "0xffffffffu >> (32 - lanes)", 0, "0xffffffffu"),
            "not all lanes of a mask shuffle");
  EXPECT_EQ(FaultWith(program, "step = lanes / 2", 0, "step = lanes / 4"), "other results");
}

// By XOR with 5, within groups of 8: lane 1 gets the value of lane 4, lane 10 that of lane 15.
TEST(CudaOnHostTest, ShufflesTakeTheLanesThatCudaNames) {
  const LoopProgram program = Lowered("input A[64] : i32\nC[i:64] = A[i]\n", "");
  DeviceProgram device;
  device.source =
      "extern \"C\" void kernel_0(const int* A, int* C) {\n"
      "  const int i = threadIdx.x;\n"
      "  const int from = i / 8 * 8 + (i % 8 ^ 5);\n"
      "  C[i] = __shfl_xor_sync(0xffffffffu, from == i ? 0 : A[i], 5, 8) == A[from] ? A[i] : 77;\n"
      "}\n";
  device.kernels = {{"kernel_0", {1, 1, 1}, {64, 1, 1}, {0, 1}, 0}};
  EXPECT_EQ(FaultIn(program, device), "");
}

TEST(CudaOnHostTest, AsynchronousCopies) {
  const LoopProgram program = Lowered(kMatmul128, kMatmul128Steps);
  EXPECT_EQ(FaultIn(program, DeviceText(program, AsyncCudaDialect()).value()), "");
}

// A read before the copy arrives returns the tile's previous contents.
TEST(CudaOnHostTest, FindsStaleAsynchronousCopies) {
  const LoopProgram program = Lowered(kMatmul128, kMatmul128Steps);
  const auto fault = [&](const std::string& part, const std::string& change) {
    return FaultWith(program, part, 0, change, AsyncCudaDialect());
  };
  EXPECT_NE(fault("    copy_wait();\n", ""), "");
  EXPECT_NE(
      fault("    copy_wait();\n    __syncthreads();\n", "    __syncthreads();\n    copy_wait();\n"),
      "");
  EXPECT_THAT(fault("copy_async<4>(&", "copy_async<16>(&"), HasSubstr("is not aligned"));
}

TEST(CudaOnHostTest, SeveralKernelsAndFunctions) {
  EXPECT_EQ(FaultIn(Lowered("input A[8, 32]\nM[i:8] = max(r:32) A[i, r]\n"
                            "C[i:8, j:32] = sqrt(abs(A[i, j] - M[i])) + floor(A[i, j] / 3)\n",
                            "")),
            "");
  EXPECT_EQ(FaultIn(Lowered("input A[40] : i32\ninput B[40] : i8\ninput D[40]\n"
                            "C[i:40] = min(A[i] * 1000003, 7)\nE[i:40] = B[i] * B[i]\n"
                            "F[i:40] = i32(D[i] * 1e9)\nG[i:40] = i8(D[i] * 40)\n"
                            "H[i:40] = A[(i * 7 + 3) % 40 // 2]\n",
                            "")),
            "");
}

TEST(CudaOnHostTest, FindsDroppedBarriers) {
  const LoopProgram program = Lowered(kMatmul128, kMatmul128Steps);
  for (int i = 0; i < 2; ++i) EXPECT_NE(FaultWith(program, "__syncthreads();", i, ""), "") << i;
}

TEST(CudaOnHostTest, FindsABarrierThatNotAllReach) {
  const LoopProgram program = Lowered(kMatmul128, kMatmul128Steps);
  EXPECT_THAT(FaultWith(program, "__syncthreads();", 0, "if (threadIdx.x < 8) __syncthreads();"),
              HasSubstr("end where others wait"));
}

TEST(CudaOnHostTest, FindsWrongMasks) {
  EXPECT_EQ(FaultIn(Guarded()), "");
  EXPECT_EQ(FaultWith(Guarded(), "< 61", 0, "< 60"), "other results");
  EXPECT_EQ(FaultWith(Guarded(), "< 61", 0, "< 62"), "a store past the end");
}

TEST(CudaOnHostTest, FindsWhatThreadsShareUnasked) {
  EXPECT_EQ(FaultWith(Guarded(), "C[i_0 * 16 + i_1] =", 0, "C[i_0 * 16] ="),
            "another order of threads gives other outputs");
}

TEST(CudaOnHostTest, FindsMisalignedLanes) {
  const LoopProgram program =
      Lowered("input A[4, 16]\nC[i:4, j:16] = A[i, j]\n",
              "split(stage=C, loop=1, lengths=[4])\nvectorize(stage=C, loop=2)");
  EXPECT_EQ(FaultIn(program), "");
  EXPECT_EQ(FaultWith(program, "(A + ", 0, "(A + 1 + "), "a wide access is not aligned");
}

// Dialects in which a place, a barrier or a conversion has another meaning than in the others.
TEST(CudaOnHostTest, FindsDialectsThatDiffer) {
  const auto fault = [](const LoopProgram& program,
                        const std::function<void(DeviceDialect&)>& change) {
    DeviceDialect dialect = CudaDialect();
    change(dialect);
    return FaultIn(program, DeviceText(program, dialect).value());
  };
  const LoopProgram matmul = Lowered(kMatmul128, kMatmul128Steps);
  EXPECT_EQ(fault(matmul, [](DeviceDialect&) {}), "");
  EXPECT_NE(fault(matmul, [](DeviceDialect& one) { one.barrier = ";"; }), "");
  EXPECT_NE(
      fault(RowsOfEight(), [](DeviceDialect& one) { std::swap(one.places[3], one.places[4]); }),
      "");
  EXPECT_NE(fault(Guarded(), [](DeviceDialect& one) { std::swap(one.places[0], one.places[1]); }),
            "");
  EXPECT_THAT(fault(Guarded(), [](DeviceDialect& one) { one.places[0] = "get_group_id(0)"; }),
              HasSubstr("g++ refuses the text"));
  const LoopProgram conversions = Lowered("input D[40]\nF[i:40] = i32((D[i] + 9) * 1e9)\n", "");
  EXPECT_EQ(fault(conversions, [](DeviceDialect&) {}), "");
  EXPECT_EQ(fault(conversions, [](DeviceDialect& one) { one.to_integer[0] = "(int)"; }),
            "other results");
}

TEST(CudaOnHostTest, FindsNarrowProducts) {
  const LoopProgram program = Lowered("input A[40] : i32\nC[i:40] = A[i] * 100000\n", "");
  EXPECT_EQ(FaultWith(program, "(unsigned)A[i]", 0, "(unsigned)(short)(A[i] * 30000)"),
            "other results");
}

}  // namespace
}  // namespace schedulegym
