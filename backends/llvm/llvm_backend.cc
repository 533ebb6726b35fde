// The target `llvm`: lowers LLVM modules to objects, loads them and runs their kernels. A target's
// features must all be offered by this machine, else MachineError; loops of GPUs are kUnsupported.
// LLVM's target machine serves one thread at a time, so code generation holds a
// mutex; emission does not. kGeneratorVersion is a part of records: raise it when lowering, code
// generation or reference schedules change what is measured.
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
#include "env/program/targets/host.h"

namespace schedulegym {
namespace {

constexpr const char* kKernelName = "kernel";

// Raise it whenever lowering, code generation or the reference schedules change measured speeds:
// records with another number are not compared. Tests keep the reference schedules under this
// number (tests/spaces/golden/references.txt).
constexpr int kGeneratorVersion = 5;

std::string PackName(const std::string& name, size_t pack) {
  return name + ".pack." + std::to_string(pack);
}

// Emits the kernel and the functions of its packs, under the names that LlvmKernel looks up.
// Returns whether LLVM's optimizations could help.
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

// LLVM's target machine serves one thread at a time.
struct Compiler {
  explicit Compiler(const Target& target) : cores(target.cores), cpu(target), generator(target) {}

  Result<std::string> Compile(const LoopProgram& program, CodeForm form, bool optimize) {
    if (auto checked = CheckAll(program); !checked) return checked.error();
    llvm::LLVMContext context;
    llvm::Module module(kKernelName, context);
    generator.Prepare(module);
    const KernelOptions options{cores, optimize};
    const auto has_spare_work = EmitAll(program, cpu, options, module);
    if (!has_spare_work) return has_spare_work.error();
    const std::lock_guard<std::mutex> lock(mutex);
    return generator.Generate(module, form, optimize, *has_spare_work);
  }

  int cores;
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
  // kCompile when the object lacks a function of a kernel with `packs` packs.
  static Result<std::unique_ptr<Kernel>> Make(std::unique_ptr<LoadedObject> object, int packs) {
    // Finds all functions first: the destructor of a kernel runs code of its object.
    std::vector<void*> functions;
    for (size_t i = 0; i <= static_cast<size_t>(packs); ++i) {
      const std::string name = i == 0 ? kKernelName : PackName(kKernelName, i - 1);
      functions.push_back(object->Find(name));
      if (functions.back() == nullptr) {
        return Error{ErrorKind::kCompile, "the object has no " + name};
      }
    }
    return std::unique_ptr<Kernel>(new LlvmKernel(std::move(object), functions));
  }

  ~LlvmKernel() override {
    Free(kKernelName);
    for (size_t i = 0; i < packs_.size(); ++i) Free(PackName(kKernelName, i));
  }

  Result<void> Run(std::span<void* const> arguments) const override {
    return StatusOf(call_(arguments.data()));
  }

  Result<void> Pack(int pack, const void* plain, void* packed) const override {
    return StatusOf(packs_.at(pack)(plain, packed));
  }

 private:
  using Call = int(void* const*);
  using PackCall = int(const void*, void*);
  using Release = void();

  LlvmKernel(std::unique_ptr<LoadedObject> object, const std::vector<void*>& functions)
      : object_(std::move(object)), call_(reinterpret_cast<Call*>(functions[0])) {
    for (size_t i = 1; i < functions.size(); ++i) {
      packs_.push_back(reinterpret_cast<PackCall*>(functions[i]));
    }
  }

  // The workspace that a function keeps for its next call, if it needs one.
  void Free(const std::string& name) const {
    void* release = object_->Find(name + ".release");
    if (release != nullptr) reinterpret_cast<Release*>(release)();
  }

  std::unique_ptr<LoadedObject> object_;
  Call* call_;
  std::vector<PackCall*> packs_;
};

class LlvmBackend final : public Backend {
 public:
  explicit LlvmBackend(const Target& target) : target_(target), compiler_(target) {}

  const Target& target() const override { return target_; }

  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    const auto object = Translate(program, CodeForm::kObject, options);
    if (!object) return object.error();
    return Load(*object, static_cast<int>(program.packs.size()));
  }

  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions& options) const override {
    return compiler_.Compile(program, form, options.optimize);
  }

  Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const override {
    auto loaded = LoadedObject::Load(object);
    if (!loaded) return loaded.error();
    return LlvmKernel::Make(std::move(*loaded), packs);
  }

 private:
  Target target_;
  mutable Compiler compiler_;  // guards itself
};

}  // namespace

std::string LlvmToolchainName() {
  return "llvm " LLVM_VERSION_STRING ", generator " + std::to_string(kGeneratorVersion);
}

std::unique_ptr<Backend> MakeLlvmBackend(const Target& target) {
  CheckTargetNames(target);
  const std::vector<std::string> offered = HostFeatures();
  for (const std::string& feature : target.features) {
    if (std::binary_search(offered.begin(), offered.end(), feature)) continue;
    throw MachineError("this machine lacks '" + feature + "' of target " + target.ToText() +
                       ": expected some of " + Join(offered, ","));
  }
  return std::make_unique<LlvmBackend>(target);
}

}  // namespace schedulegym
