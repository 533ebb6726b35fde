#include "backends/export_kernel.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "backends/llvm/llvm_backend.h"
#include "tests/support/input_fault.h"
#include "tests/support/loop_builder.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kRows = 6, kColumns = 8, kDepth = 5;

// Exports like the command, with the compiler in another process.
Result<ExportedFiles> ExportKernel(const LoopProgram& program, const Target& target,
                                   const std::string& prefix) {
  const std::string name = ExportName(prefix);
  const Result<std::string> object = ExportObject(program, target, name);
  if (!object) return object.error();
  return WriteExport(*object, HeaderText(program, name), prefix);
}

Expr Index(int64_t value) { return IndexConstant(value); }

// out = x * w on two threads, with w rewritten to [column / 4][depth][column % 4] in its own call,
// and a copy of x in memory that each call needs.
LoopProgram PackedProduct() {
  LoopBuilder pack;
  const int plain = pack.Input("W", DType::kF32, {kDepth, kColumns});
  const int packed = pack.Output("packed", DType::kF32, {kColumns / 4, kDepth, 4});
  auto packing = std::make_shared<LoopProgram>(pack.Finish(pack.Serial(kColumns / 4, [&](Expr o) {
    return pack.Serial(kDepth, [&](Expr k) {
      return pack.Vector(4, [&](Expr i) {
        return pack.Write(packed, {o, k, i}, pack.At(plain, {k, o * Index(4) + i}));
      });
    });
  })));
  packing->parameters[1].is_packed = true;

  LoopBuilder b;
  const int x = b.Input("X", DType::kF32, {kRows, kDepth});
  const int w = b.Input("W", DType::kF32, {kColumns / 4, kDepth, 4});
  const int out = b.Output("out", DType::kF32, {kRows, kColumns});
  const int copy = b.Temporary("copy", DType::kF32, {kRows, kDepth}, MemoryScope::kGlobal);
  b.program().parameters[1].is_packed = true;
  b.program().packs.push_back({1, packing});
  return b.Finish(b.Alloc(
      copy,
      Sequence({b.Serial(kRows,
                         [&](Expr r) {
                           return b.Serial(kDepth, [&](Expr k) {
                             return b.Write(copy, {r, k}, b.At(x, {r, k}));
                           });
                         }),
                b.Parallel(kRows, [&](Expr r) {
                  return b.Serial(kColumns / 4, [&](Expr o) {
                    const auto cell = [&](Expr i) { return o * Index(4) + i; };
                    return Sequence(
                        {b.Vector(4,
                                  [&](Expr i) {
                                    return b.Write(out, {r, cell(i)}, Constant(DType::kF32, 0));
                                  }),
                         b.Serial(kDepth, [&](Expr k) {
                           return b.Vector(4, [&](Expr i) {
                             return b.Write(out, {r, cell(i)},
                                            Binary(Op::kAdd, b.At(out, {r, cell(i)}),
                                                   Binary(Op::kMultiply, b.At(copy, {r, k}),
                                                          b.At(w, {o, k, i}))));
                           });
                         })});
                  });
                })})));
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class ExportKernelTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/sg-export-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

class LoadedKernel {
 public:
  using Kernel = int(const float*, const void*, float*);
  using Pack = int(const float*, void*);
  using Size = size_t();

  explicit LoadedKernel(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW)) {}
  ~LoadedKernel() {
    if (loaded()) dlclose(library_);
  }
  template <typename Function>
  Function* Find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  bool loaded() const { return library_ != nullptr; }

 private:
  void* library_;
};

// Packs, calls, and compares with sums by hand; X and out are only aligned to a float.
bool ComputesProduct(const LoadedKernel& library, int seed) {
  auto* kernel = library.Find<LoadedKernel::Kernel>("product");
  auto* pack = library.Find<LoadedKernel::Pack>("product_pack_W");
  GuardedMemory x(kRows * kDepth * 4, 4), w(kDepth * kColumns * 4, 4),
      out(kRows * kColumns * 4, 12);
  GuardedMemory packed(kDepth * kColumns * 4, 0);
  FillSmall(x, DType::kF32, seed);
  FillSmall(w, DType::kF32, seed + 1);
  bool right = pack(w.as<float>(), packed.data()) == 0;
  right &= kernel(x.as<float>(), packed.data(), out.as<float>()) == 0;
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t c = 0; c < kColumns; ++c) {
      float sum = 0;
      for (int64_t k = 0; k < kDepth; ++k) {
        sum += x.as<float>()[r * kDepth + k] * w.as<float>()[k * kColumns + c];
      }
      right &= out.as<float>()[r * kColumns + c] == sum;
    }
  }
  return right && out.Intact() && packed.Intact();
}

TEST_F(ExportKernelTest, SharedObjectComputes) {
  const auto files =
      ExportKernel(PackedProduct(), TargetOf("llvm(cores=2)"), folder_ / "product").value();
  EXPECT_EQ(files.shared_object, (folder_ / "product.so").string());
  const LoadedKernel library(files.shared_object);
  ASSERT_TRUE(library.loaded()) << dlerror();
  EXPECT_EQ(library.Find<LoadedKernel::Size>("product_packed_W_bytes")(),
            static_cast<size_t>(kDepth * kColumns * 4));
  for (int call = 0; call < 3; ++call) EXPECT_TRUE(ComputesProduct(library, call));
}

// Forks before and after its first call, in its own process. 0 if all calls are right.
int CallInForks(const std::string& path) {
  const LoadedKernel library(path);
  for (int call = 7; call < 10; ++call) {
    const pid_t child = fork();
    if (child == 0) _exit(ComputesProduct(library, call) ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) return status;
    if (!ComputesProduct(library, call)) return 2;
  }
  return 0;
}

int64_t ThreadsOfProcess() {
  const fs::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

TEST_F(ExportKernelTest, RunsInAForkedProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto files =
      ExportKernel(PackedProduct(), TargetOf("llvm(cores=2)"), folder_ / "product").value();
  EXPECT_EXIT(_exit(CallInForks(files.shared_object)), testing::ExitedWithCode(0), "");
}

// Runs in its own process. Returns whether two kernels compute on `threads` threads together.
bool ShareThreads(const std::string& path, const std::string& other_path, int64_t threads) {
  const LoadedKernel library(path);
  const LoadedKernel other(other_path);
  return ComputesProduct(library, 1) && ComputesProduct(other, 2) && ComputesProduct(library, 3) &&
         ThreadsOfProcess() == threads;
}

// Also over `exit`, while helpers wait.
TEST_F(ExportKernelTest, KernelsOfOneProcessShareTheirThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto files =
      ExportKernel(PackedProduct(), TargetOf("llvm(cores=3)"), folder_ / "product").value();
  const std::string copy = folder_ / "copy.so";
  fs::copy(files.shared_object, copy);
  EXPECT_EXIT(std::exit(ShareThreads(files.shared_object, copy, 3) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

// Runs in its own process: loads and unloads a kernel repeatedly. Returns whether it computes each
// time and leaves nothing behind.
bool LeavesNothing(const std::string& path) {
  for (int time = 0; time < 20; ++time) {
    const LoadedKernel library(path);
    if (!library.loaded() || !ComputesProduct(library, time)) return false;
    if (ThreadsOfProcess() != 2) return false;
  }
  std::ifstream maps("/proc/self/maps");
  int code = 0;
  for (std::string line; std::getline(maps, line);) {
    code += line.find("product.so") != std::string::npos && line.find("r-xp") != std::string::npos;
  }
  return code <= 1;
}

TEST_F(ExportKernelTest, MayBeUnloadedAndLoadedAgain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto files =
      ExportKernel(PackedProduct(), TargetOf("llvm(cores=2)"), folder_ / "product").value();
  EXPECT_EXIT(std::exit(LeavesNothing(files.shared_object) ? 0 : 1), testing::ExitedWithCode(0),
              "");
}

TEST_F(ExportKernelTest, CallsFromSeveralThreadsKeepApart) {
  const auto files =
      ExportKernel(PackedProduct(), TargetOf("llvm(cores=2)"), folder_ / "product").value();
  const LoadedKernel library(files.shared_object);
  ASSERT_TRUE(library.loaded()) << dlerror();
  bool right[2] = {true, true};
  const auto work = [&](int seed, bool* all_right) {
    for (int call = 0; call < 100; ++call) *all_right &= ComputesProduct(library, seed + call);
  };
  std::thread other(work, 1000, &right[0]);
  work(2000, &right[1]);
  other.join();
  EXPECT_TRUE(right[0]);
  EXPECT_TRUE(right[1]);
}

// The shared object exports only the promised functions, and the team that the kernels of a process
// share.
TEST_F(ExportKernelTest, NothingElseIsVisible) {
  ASSERT_TRUE(ExportKernel(PackedProduct(), TargetOf("llvm(cores=2)"), folder_ / "product"));
  const std::string list = folder_ / "symbols";
  const std::string command = "nm -D --defined-only --format=just-symbols " +
                              (folder_ / "product.so").string() + " > " + list;
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(ReadFile(list),
            "product\nproduct_pack_W\nproduct_packed_W_bytes\nschedulegym_team_1\n");
  ASSERT_TRUE(ExportKernel(PackedProduct(), TargetOf("llvm(cores=1)"), folder_ / "product"));
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(ReadFile(list), "product\nproduct_pack_W\nproduct_packed_W_bytes\n");
}

TEST_F(ExportKernelTest, HeaderDeclaresWhatIsThere) {
  ASSERT_TRUE(ExportKernel(PackedProduct(), TargetOf("llvm"), folder_ / "product"));
  const std::string header = ReadFile(folder_ / "product.h");
  for (const char* line :
       {"int product(const float* X, const void* W, float* out);\n",
        "size_t product_packed_W_bytes(void);\n",
        "int product_pack_W(const float* plain, void* packed);\n", "X: f32[6, 5]\n",
        "W: 160 bytes at a multiple of 64, from product_pack_W\n", "out: f32[6, 8], written\n"}) {
    EXPECT_NE(header.find(line), std::string::npos) << line;
  }
  std::ofstream(folder_ / "use.c") << "#include \"product.h\"\nint (*call)(const float*, "
                                      "const void*, float*) = product;\n";
  const std::string command =
      "cc -Wall -Werror -std=c99 -c -o /dev/null " + (folder_ / "use.c").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

// No processor has all features that LLVM lists.
TEST_F(ExportKernelTest, RefusesProcessorsThatLackFeatures) {
  Target target = TargetOf("llvm(cpu=x86-64,cores=1)");
  for (const char* feature : {"xop", "avx512vpopcntdq", "avxvnniint16"}) {
    target.features.push_back(feature);
  }
  std::sort(target.features.begin(), target.features.end());
  ASSERT_TRUE(ExportKernel(PackedProduct(), target, folder_ / "product"));
  const LoadedKernel library(folder_ / "product.so");
  ASSERT_TRUE(library.loaded()) << dlerror();
  float values[64] = {};
  EXPECT_EQ(library.Find<LoadedKernel::Kernel>("product")(values, values, values), ENOTSUP);
  EXPECT_EQ(library.Find<LoadedKernel::Pack>("product_pack_W")(values, values), ENOTSUP);
}

TEST_F(ExportKernelTest, BadPlacesLeaveNothing) {
  const auto message = [&](const fs::path& prefix) -> std::string {
    return InputFaultOf([&] { (void)ExportKernel(PackedProduct(), TargetOf("llvm"), prefix); });
  };
  const std::string missing = folder_ / "no" / "product";
  EXPECT_EQ(message(missing), "cannot write '" + missing + ".o': No such file or directory");
  const std::string digit = folder_ / "1st";
  EXPECT_EQ(message(digit), "export prefix '" + digit + "' ends in '1st', expected a C identifier");
  EXPECT_EQ(message(folder_ / "while"), "export prefix '" + (folder_ / "while").string() +
                                            "' ends in 'while', expected a C identifier");
  fs::create_directories(folder_ / "product.so" / "full");
  EXPECT_NE(message(folder_ / "product"), "");
  EXPECT_TRUE(fs::is_directory(folder_ / "product.so"));
  EXPECT_FALSE(fs::exists(folder_ / "product.o"));
  EXPECT_FALSE(fs::exists(folder_ / "product.h"));
}

}  // namespace
}  // namespace schedulegym
