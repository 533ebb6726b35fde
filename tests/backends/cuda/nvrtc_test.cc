// Compiles kernels on machines with NVRTC; checks the error messages on machines without it.
#include "backends/cuda/nvrtc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/disassembler.h"
#include "backends/cuda/toolkit_files.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string OpeningError(const std::vector<std::string>& places) {
  try {
    const Nvrtc nvrtc(places);
  } catch (const MachineError& error) {
    return error.what();
  }
  return "";
}

bool HasNvrtc() { return OpeningError(NvrtcPlaces()).empty(); }

#define SKIP_WITHOUT_NVRTC() \
  if (!HasNvrtc()) GTEST_SKIP() << "no NVRTC: ./sg setup cuda"

LoopProgram Matmul() {
  return Lower(StateAfter(TaskOf(kMatmul128, BackendKind::kCuda), kMatmul128Steps)).value();
}

// NVRTC 12 beside NVRTC 13 is for older drivers. It is taken only if SCHEDULEGYM_NVRTC names it.
TEST(ToolkitFiles, TheLaterReleaseComesFirst) {
  namespace fs = std::filesystem;
  const fs::path top = fs::path(::testing::TempDir()) / "nvrtc_files";
  const fs::path older = top / "cuda_nvrtc";
  const fs::path newer = top / "cu13";
  fs::create_directories(older / "lib");
  fs::create_directories(newer / "lib64");
  std::ofstream(older / "lib/libnvrtc.so.12") << "";
  std::ofstream(newer / "lib64/libnvrtc.so.13") << "";
  std::ofstream(newer / "lib64/libnvrtc.so.11") << "";
  const std::vector<fs::path> roots = {older, top / "none", newer};
  EXPECT_THAT(NvrtcFilesIn(roots), ElementsAre((newer / "lib64/libnvrtc.so.13").string(),
                                               (older / "lib/libnvrtc.so.12").string()));
  fs::remove_all(top);
}

TEST(NvrtcTest, NamesWhereItLooked) {
  EXPECT_THAT(OpeningError({"/nowhere/libnvrtc.so.13", "libnvrtc.so.none"}),
              AllOf(HasSubstr("no NVRTC: looked for /nowhere/libnvrtc.so.13, libnvrtc.so.none;"),
                    HasSubstr("./sg setup cuda")));
}

TEST(NvrtcTest, RefusesAnotherLibrary) {
  EXPECT_THAT(OpeningError({"libc.so.6"}), HasSubstr("libc.so.6 has no function nvrtcVersion"));
}

TEST(NvrtcTest, RefusesAnOlderRelease) {
  const std::string folder = testing::TempDir();
  const std::string source = folder + "/nvrtc11.c", library = folder + "/libnvrtc11.so";
  std::ofstream(source) << "int nvrtcVersion(int* a, int* b) { *a = 11; *b = 8; return 0; }\n";
  ASSERT_EQ(std::system(("gcc -shared -fPIC -o " + library + " " + source).c_str()), 0);
  EXPECT_THAT(OpeningError({library}), HasSubstr("is NVRTC 11.8, expected 12 or 13"));
}

TEST(NvrtcTest, CompilesTextWithItsResources) {
  SKIP_WITHOUT_NVRTC();
  const Nvrtc nvrtc(NvrtcPlaces());
  const Result<CudaCode> code = nvrtc.Compile(
      "extern \"C\" __global__ void __launch_bounds__(32) twice(float* A) {\n"
      "  __shared__ float B[64];\n  B[threadIdx.x] = A[threadIdx.x];\n  __syncthreads();\n"
      "  A[threadIdx.x] = B[31 - threadIdx.x];\n}\n",
      "sm_80");
  ASSERT_TRUE(code.ok()) << code.error().message;
  EXPECT_THAT(code->ptx, HasSubstr(".target sm_80"));
  EXPECT_EQ(code->cubin.substr(0, 4),
            "\x7f"
            "ELF");
  ASSERT_EQ(code->resources.size(), 1u);
  EXPECT_EQ(code->resources[0].kernel, "twice");
  EXPECT_EQ(code->resources[0].shared_bytes, 256);
  EXPECT_EQ(code->resources[0].barriers, 1);
  EXPECT_EQ(code->resources[0].spill_store_bytes, 0);
}

TEST(NvrtcTest, NamesArchitecturesAndErrors) {
  SKIP_WITHOUT_NVRTC();
  const Nvrtc nvrtc(NvrtcPlaces());
  const Result<CudaCode> old = nvrtc.Compile("", "sm_35");
  EXPECT_EQ(old.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(old.error().message,
              AllOf(HasSubstr("has no architecture 'sm_35', expected one of"), HasSubstr("sm_90")));
  const Result<CudaCode> wrong = nvrtc.Compile("__global__ void f() { g(); }\n", "sm_80");
  EXPECT_EQ(wrong.error().kind, ErrorKind::kCompile);
  EXPECT_THAT(wrong.error().message, HasSubstr("identifier \"g\" is undefined"));
}

TEST(CudaBackendTest, TranslatesAMatmul) {
  SKIP_WITHOUT_NVRTC();
  const auto backend = MakeCudaBackend(TargetOf("cuda(card=h100)"));
  const LoopProgram program = Matmul();
  EXPECT_THAT(backend->Translate(program, CodeForm::kSource, {}).value(),
              HasSubstr("__syncthreads();"));
  EXPECT_THAT(backend->Translate(program, CodeForm::kIr, {}).value(),
              AllOf(testing::StartsWith("// kernel_0: "), HasSubstr(" registers, "),
                    HasSubstr("4096 bytes of shared"), HasSubstr(".target sm_90a")));
  const CudaObject object =
      Decode<CudaObject>(backend->Translate(program, CodeForm::kObject, {}).value()).value();
  ASSERT_EQ(object.resources.size(), 1u);
  EXPECT_EQ(object.resources[0].shared_bytes, 4096);
  EXPECT_EQ(object.program.kernels[0].threads[0], 256);
  EXPECT_GT(object.cubin.size(), 1000u);
}

TEST(CudaBackendTest, DisassemblesBelowResources) {
  SKIP_WITHOUT_NVRTC();
  if (!FindNvdisasm()) GTEST_SKIP() << "no nvdisasm: ./sg setup cuda";
  const auto backend = MakeCudaBackend(TargetOf("cuda(card=a100)"));
  const std::string text = backend->Translate(Matmul(), CodeForm::kAssembly, {}).value();
  EXPECT_THAT(text, testing::StartsWith("// kernel_0: "));
  EXPECT_EQ(CountOf("BAR.SYNC", text), 2);
  EXPECT_EQ(CountOf("STL", text), 0);
}

// The first program is no disassembler; the second does not exist.
TEST(DisassemblerTest, NamesTheVariableAndThePackage) {
  for (const char* wrong : {"/bin/true", "/nowhere/nvdisasm"}) {
    setenv("SCHEDULEGYM_NVDISASM", wrong, 1);
    try {
      Disassemble("no machine code");
      ADD_FAILURE() << wrong;
    } catch (const MachineError& fault) {
      EXPECT_THAT(fault.what(), AllOf(HasSubstr("SCHEDULEGYM_NVDISASM"), HasSubstr(wrong),
                                      HasSubstr("Python package nvidia-cuda-nvdisasm")));
    }
    unsetenv("SCHEDULEGYM_NVDISASM");
  }
}

// Five exchanges for 32 lanes: one for each bit of a lane's number.
TEST(CudaBackendTest, LanesOfAWarpShuffleSums) {
  SKIP_WITHOUT_NVRTC();
  const LoopProgram program =
      Lower(
          StateAfter(TaskOf("input A[64, 128]\nC[i:64] = sum(k:128) A[i, k]\n", BackendKind::kCuda),
                     "split(stage=C, loop=1, lengths=[32])\n"
                     "bind(stage=C, loop=0, thread=blockIdx.x)\n"
                     "bind(stage=C, loop=2, thread=threadIdx.x)"))
          .value();
  for (const char* card : {"a100", "rtx3090", "rtx4090", "h100"}) {
    const auto backend = MakeCudaBackend(TargetOf("cuda(card=" + std::string(card) + ")"));
    const Result<std::string> ptx = backend->Translate(program, CodeForm::kIr, {});
    ASSERT_TRUE(ptx.ok()) << ptx.error().message;
    EXPECT_EQ(CountOf("shfl.sync.bfly.b32", *ptx), 5) << card;
    EXPECT_TRUE(backend->Translate(program, CodeForm::kObject, {}).ok());
  }
}

TEST(CudaBackendTest, CopiesAsynchronously) {
  SKIP_WITHOUT_NVRTC();
  for (const char* card : {"a100", "rtx3090", "rtx4090", "h100"}) {
    const std::string target = "cuda(card=" + std::string(card) + ",features=async_copy)";
    const auto backend = MakeCudaBackend(TargetOf(target));
    const Result<std::string> ptx = backend->Translate(Matmul(), CodeForm::kIr, {});
    ASSERT_TRUE(ptx.ok()) << ptx.error().message;
    EXPECT_THAT(*ptx,
                AllOf(HasSubstr("cp.async.ca.shared.global"), HasSubstr("cp.async.wait_all")));
    if (!FindNvdisasm()) continue;
    EXPECT_THAT(backend->Translate(Matmul(), CodeForm::kAssembly, {}).value(), HasSubstr("LDGSTS"));
  }
}

TEST(CudaBackendTest, RefusesWhatACardCannotLaunch) {
  const auto backend = MakeCudaBackend(TargetOf("cuda(card=a100,shared=1024)"));
  EXPECT_THAT(backend->Translate(Matmul(), CodeForm::kSource, {}).error().message,
              HasSubstr("kernel_0 has 4096 shared bytes a block, expected at most 1024"));
}

}  // namespace
}  // namespace schedulegym
