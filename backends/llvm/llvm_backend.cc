#include "backends/llvm/llvm_backend.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "backends/llvm/code_generator_internal.h"
#include "backends/llvm/kernel_emitter_internal.h"
#include "backends/llvm/object_linker_internal.h"
#include "backends/llvm/program_facts.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/cpu_features.h"

namespace schedulegym {
namespace {

constexpr const char* kKernelName = "kernel";

std::string PackName(const std::string& name, size_t pack) {
  return name + ".pack." + std::to_string(pack);
}

// The program's kernel and those of its packs, under names that LlvmKernel looks up.
// Answers whether LLVM could save work in them.
Result<bool> EmitAll(const LoopProgram& program, const CpuFacts& cpu, KernelOptions options,
                     llvm::Module& module) {
  options.form = CallForm::kArray;
  auto kernel = EmitKernel(program, cpu, options, kKernelName, module);
  bool has_spare_work = kernel && kernel->has_spare_work;
  options.form = CallForm::kPointers;
  for (size_t i = 0; kernel && i < program.packs.size(); ++i) {
    const LoopProgram& pack = *program.packs[i].program;
    kernel = EmitKernel(pack, cpu, options, PackName(kKernelName, i), module);
    has_spare_work |= kernel && kernel->has_spare_work;
  }
  if (!kernel) return kernel.error();
  return has_spare_work;
}

Result<void> CheckAll(const LoopProgram& program) {
  if (auto checked = CheckSupported(program); !checked) return checked;
  for (const WeightPack& pack : program.packs) {
    if (auto checked = CheckSupported(*pack.program); !checked) return checked;
  }
  return {};
}

// What backend and kernels share; LLVM's target machine serves one thread at a time.
struct Compiler {
  explicit Compiler(const Target& target) : target(target), cpu(target), generator(target) {}

  Result<std::string> Compile(const LoopProgram& program, CodeForm form, bool optimize) {
    if (auto checked = CheckAll(program); !checked) return checked.error();
    llvm::LLVMContext context;
    llvm::Module module(kKernelName, context);
    generator.Prepare(module);
    const KernelOptions options{target.cores, optimize};
    const auto has_spare_work = EmitAll(program, cpu, options, module);
    if (!has_spare_work) return has_spare_work.error();
    const std::lock_guard<std::mutex> lock(mutex);
    return generator.Generate(module, form, optimize, *has_spare_work);
  }

  Target target;
  CpuFacts cpu;
  CodeGenerator generator;
  std::mutex mutex;
};

Result<void> StatusOf(int status) {
  if (status == 0) return {};
  return Error{ErrorKind::kRun, std::string("the kernel failed: ") + std::strerror(status)};
}

class LlvmKernel final : public Kernel {
 public:
  LlvmKernel(std::shared_ptr<Compiler> compiler, LoopProgram program, CompileOptions options,
             std::unique_ptr<LoadedObject> object)
      : compiler_(std::move(compiler)),
        program_(std::move(program)),
        options_(options),
        object_(std::move(object)),
        call_(Function<Call>(kKernelName)) {
    for (size_t i = 0; i < program_.packs.size(); ++i) {
      packs_.push_back(Function<PackCall>(PackName(kKernelName, i)));
    }
  }

  ~LlvmKernel() override {
    Free(kKernelName);
    for (size_t i = 0; i < packs_.size(); ++i) Free(PackName(kKernelName, i));
  }

  Result<void> Run(std::span<void* const> arguments) const override {
    SG_CHECK(arguments.size() == program_.parameters.size(), "one pointer for each parameter");
    return StatusOf(call_(arguments.data()));
  }

  Result<void> Pack(int pack, const void* plain, void* packed) const override {
    return StatusOf(packs_.at(pack)(plain, packed));
  }

  std::string Source(const std::string& form) const override {
    if (form != "ir" && form != "asm") return "";
    const auto source = compiler_->Compile(
        program_, form == "ir" ? CodeForm::kIr : CodeForm::kAssembly, options_.optimize);
    return source ? *source : "";
  }

 private:
  using Call = int(void* const*);
  using PackCall = int(const void*, void*);
  using Release = void();

  template <typename Signature>
  Signature* Function(const std::string& name) const {
    void* address = object_->Find(name);
    SG_CHECK(address != nullptr, "no function " + name);
    return reinterpret_cast<Signature*>(address);
  }

  // The workspace that a function keeps for its next call, if it needs one.
  void Free(const std::string& name) const {
    void* release = object_->Find(name + ".release");
    if (release != nullptr) reinterpret_cast<Release*>(release)();
  }

  std::shared_ptr<Compiler> compiler_;
  LoopProgram program_;
  CompileOptions options_;
  std::unique_ptr<LoadedObject> object_;
  Call* call_;
  std::vector<PackCall*> packs_;
};

class LlvmBackend final : public Backend {
 public:
  explicit LlvmBackend(const Target& target) : compiler_(std::make_shared<Compiler>(target)) {}

  const Target& target() const override { return compiler_->target; }

  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    const auto object = compiler_->Compile(program, CodeForm::kObject, options.optimize);
    if (!object) return object.error();
    auto loaded = LoadedObject::Load(*object);
    if (!loaded) return loaded.error();
    return std::unique_ptr<Kernel>(
        std::make_unique<LlvmKernel>(compiler_, program, options, std::move(*loaded)));
  }

 private:
  std::shared_ptr<Compiler> compiler_;
};

}  // namespace

std::unique_ptr<Backend> MakeLlvmBackend(const Target& target) {
  const std::vector<std::string> offered = HostFeatures();
  for (const std::string& feature : target.features) {
    if (std::binary_search(offered.begin(), offered.end(), feature)) continue;
    throw MachineError("this machine lacks '" + feature + "' of target " + target.ToText() +
                       ": expected some of " + Join(offered, ","));
  }
  return std::make_unique<LlvmBackend>(target);
}

}  // namespace schedulegym
