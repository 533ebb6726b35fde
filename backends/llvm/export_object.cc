// Compiles a program to an object with C functions: NAME runs it, or returns ENOTSUP where the
// processor lacks a feature (cpu_check.h); NAME_pack_W fills weight W's packed layout, of
// NAME_packed_W_bytes() bytes. Parallel loops use the team that is linked into the object, no
// OpenMP. A destructor frees kept workspaces when the object is unloaded. All but the kernels is
// compiled for any x86-64.
#include <cerrno>
#include <string>
#include <vector>

#include "backends/llvm/code_generator_internal.h"
#include "backends/llvm/cpu_check_internal.h"
#include "backends/llvm/kernel_emitter_internal.h"
#include "backends/llvm/llvm_backend.h"
#include "backends/llvm/program_facts.h"
#include "backends/llvm/team_code_internal.h"

namespace schedulegym {
namespace {

// A module that becomes one exported object.
class Exporter {
 public:
  Exporter(const Target& target, const std::string& name, llvm::Module& module)
      : target_(target), cpu_(target), name_(name), module_(module) {
    supported_ = EmitCpuCheck(target, name, module);
  }

  // Adds a C function `symbol` that runs the program, or returns ENOTSUP on a processor that
  // cannot.
  Result<void> AddKernel(const LoopProgram& program, const std::string& symbol) {
    if (auto checked = CheckSupported(program); !checked) return checked;
    KernelOptions options{target_.cores};
    options.runtime = ParallelRuntime::kTeam;
    const auto emitted = EmitKernel(program, cpu_, options, symbol + ".kernel", module_);
    if (!emitted) return emitted.error();
    has_spare_work_ |= emitted->has_spare_work;
    llvm::Function* kernel = emitted->function;
    Hide(kernel);
    if (emitted->release != nullptr) releases_.push_back(emitted->release);
    llvm::Function* function = NewFunction(kernel->getFunctionType(), symbol);
    auto* run = llvm::BasicBlock::Create(module_.getContext(), "run", function);
    auto* refuse = llvm::BasicBlock::Create(module_.getContext(), "refuse", function);
    llvm::IRBuilder<> builder(&function->getEntryBlock());
    builder.CreateCondBr(builder.CreateCall(supported_), run, refuse);
    builder.SetInsertPoint(refuse);
    builder.CreateRet(builder.getInt32(ENOTSUP));
    builder.SetInsertPoint(run);
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
    builder.CreateRet(builder.CreateCall(kernel, arguments));
    return {};
  }

  // `size_t symbol(void)`.
  void AddSize(int64_t bytes, const std::string& symbol) {
    llvm::IRBuilder<> builder(module_.getContext());
    llvm::Function* function =
        NewFunction(llvm::FunctionType::get(builder.getInt64Ty(), false), symbol);
    builder.SetInsertPoint(&function->getEntryBlock());
    builder.CreateRet(builder.getInt64(bytes));
  }

  // Adds a function that frees the kept workspaces when the object is unloaded.
  void AddDestructor() {
    llvm::IRBuilder<> builder(module_.getContext());
    auto* function =
        llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                               llvm::Function::InternalLinkage, name_ + ".unload", module_);
    CompileForAnyCpu(function);
    builder.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    for (llvm::Function* release : releases_) {
      Hide(release);
      CompileForAnyCpu(release);
      builder.CreateCall(release);
    }
    builder.CreateRetVoid();
    constexpr int kPriority = 65535;
    auto* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
    auto* entry = llvm::ConstantStruct::getAnon({builder.getInt32(kPriority), function, null});
    auto* list = llvm::ConstantArray::get(llvm::ArrayType::get(entry->getType(), 1), {entry});
    new llvm::GlobalVariable(module_, list->getType(), false, llvm::GlobalValue::AppendingLinkage,
                             list, "llvm.global_dtors");
  }

  bool has_spare_work() const { return has_spare_work_; }

 private:
  static void Hide(llvm::Function* function) {
    function->setLinkage(llvm::Function::InternalLinkage);
    function->setVisibility(llvm::Function::DefaultVisibility);
  }

  llvm::Function* NewFunction(llvm::FunctionType* type, const std::string& symbol) {
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    CompileForAnyCpu(function);
    llvm::BasicBlock::Create(module_.getContext(), "entry", function);
    return function;
  }

  const Target& target_;
  CpuFacts cpu_;
  std::string name_;
  llvm::Module& module_;
  llvm::Function* supported_;
  std::vector<llvm::Function*> releases_;
  bool has_spare_work_ = false;
};

}  // namespace

Result<std::string> CompileToObject(const LoopProgram& program, const Target& target,
                                    const std::string& name) {
  const CodeGenerator generator(target);
  llvm::LLVMContext context;
  llvm::Module module(name, context);
  generator.Prepare(module);
  Exporter exporter(target, name, module);
  if (auto added = exporter.AddKernel(program, name); !added) return added.error();
  for (const WeightPack& pack : program.packs) {
    const Parameter& weight = program.parameters[pack.parameter];
    auto added = exporter.AddKernel(*pack.program, name + "_pack_" + weight.name);
    if (!added) return added.error();
    exporter.AddSize(weight.bytes, name + "_packed_" + weight.name + "_bytes");
  }
  exporter.AddDestructor();
  AddTeamCode(module);
  return generator.Generate(module, CodeForm::kObject, /*optimize=*/true,
                            exporter.has_spare_work());
}

}  // namespace schedulegym
