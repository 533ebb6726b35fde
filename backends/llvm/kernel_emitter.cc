// Wraps a program's body in a C function of pointers, or of an array of them, that returns 0 or
// ENOMEM. Temporaries live in one workspace, aligned to 64 bytes, or to 2 MiB pages with
// MADV_HUGEPAGE from that size on. It is kept for the next call in a global pointer that is taken
// and put back by atomic exchange, so concurrent calls never share one: the second allocates its
// own, and what is displaced is freed.
// Cost: two atomic exchanges a call.
#include "backends/llvm/kernel_emitter_internal.h"

#include <cerrno>

#include "backends/llvm/statement_emitter_internal.h"

namespace schedulegym {
namespace {

constexpr int64_t kLineBytes = 64;
// Workspaces of at least this size use huge pages.
constexpr int64_t kHugePageBytes = 2 << 20;
constexpr int kAdviseHugePages = 14;  // MADV_HUGEPAGE

llvm::FunctionType* Signature(llvm::Module& module, size_t pointers) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 8> types(pointers, llvm::PointerType::getUnqual(context));
  return llvm::FunctionType::get(llvm::Type::getInt32Ty(context), types, false);
}

llvm::Function* NewFunction(llvm::FunctionType* type, const std::string& name,
                            llvm::Module& module) {
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

// Takes the block that is kept for the next call, so that no two calls share it.
llvm::Value* Exchange(llvm::IRBuilder<>& builder, llvm::GlobalVariable* cache, llvm::Value* block) {
  return builder.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, cache, block, llvm::Align(8),
                                 llvm::AtomicOrdering::AcquireRelease);
}

void EmitFree(llvm::IRBuilder<>& builder, llvm::Module& module, llvm::Value* block) {
  builder.CreateCall(module.getOrInsertFunction("free", builder.getVoidTy(), builder.getPtrTy()),
                     {block});
}

llvm::Value* EmitAllocate(llvm::IRBuilder<>& builder, llvm::Module& module, int64_t bytes) {
  const int64_t unit = bytes >= kHugePageBytes ? kHugePageBytes : kLineBytes;
  const int64_t rounded = (bytes + unit - 1) / unit * unit;
  llvm::Type* word = builder.getInt64Ty();
  llvm::Value* block = builder.CreateCall(
      module.getOrInsertFunction("aligned_alloc", builder.getPtrTy(), word, word),
      {builder.getInt64(unit), builder.getInt64(rounded)});
  if (unit == kHugePageBytes) {
    builder.CreateCall(module.getOrInsertFunction("madvise", builder.getInt32Ty(),
                                                  builder.getPtrTy(), word, builder.getInt32Ty()),
                       {block, builder.getInt64(rounded), builder.getInt32(kAdviseHugePages)});
  }
  return block;
}

// Takes the kept block or allocates one; the function returns ENOMEM where that fails.
llvm::Value* EmitAcquire(llvm::IRBuilder<>& builder, llvm::Module& module,
                         llvm::GlobalVariable* cache, int64_t bytes) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* allocate = llvm::BasicBlock::Create(context, "allocate", function);
  auto* fail = llvm::BasicBlock::Create(context, "fail", function);
  auto* run = llvm::BasicBlock::Create(context, "run", function);
  llvm::BasicBlock* entry = builder.GetInsertBlock();
  auto* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* kept = Exchange(builder, cache, null);
  builder.CreateCondBr(builder.CreateIsNull(kept), allocate, run);
  builder.SetInsertPoint(allocate);
  llvm::Value* fresh = EmitAllocate(builder, module, bytes);
  builder.CreateCondBr(builder.CreateIsNull(fresh), fail, run);
  builder.SetInsertPoint(fail);
  builder.CreateRet(builder.getInt32(ENOMEM));
  builder.SetInsertPoint(run);
  llvm::PHINode* block = builder.CreatePHI(builder.getPtrTy(), 2);
  block->addIncoming(kept, entry);
  block->addIncoming(fresh, allocate);
  return block;
}

// The body's arguments out of the kernel's own.
llvm::SmallVector<llvm::Value*, 8> Unfold(llvm::IRBuilder<>& builder, llvm::Function* kernel,
                                          size_t parameters, CallForm form) {
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (size_t i = 0; i < parameters; ++i) {
    if (form == CallForm::kPointers) {
      arguments.push_back(kernel->getArg(i));
      continue;
    }
    llvm::Value* place =
        builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), kernel->getArg(0), i);
    arguments.push_back(builder.CreateLoad(builder.getPtrTy(), place));
  }
  return arguments;
}

llvm::Function* EmitRelease(const std::string& name, llvm::GlobalVariable* cache,
                            llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* release =
      NewFunction(llvm::FunctionType::get(builder.getVoidTy(), false), name + ".release", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", release));
  auto* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  EmitFree(builder, module, Exchange(builder, cache, null));
  builder.CreateRetVoid();
  return release;
}

}  // namespace

Result<EmittedKernel> EmitKernel(const LoopProgram& program, const CpuFacts& cpu,
                                 const KernelOptions& options, const std::string& name,
                                 llvm::Module& module) {
  StatementEmitter statements(program, cpu, options.cores, options.runtime, module, name,
                              options.optimize);
  const auto workspace = statements.EmitBody();
  if (!workspace) return workspace.error();
  const size_t parameters = program.parameters.size();
  const size_t pointers = options.form == CallForm::kPointers ? parameters : 1;
  llvm::Function* kernel = NewFunction(Signature(module, pointers), name, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", kernel));
  llvm::Value* block = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::GlobalVariable* cache = nullptr;
  if (*workspace > 0) {
    cache = new llvm::GlobalVariable(module, builder.getPtrTy(), false,
                                     llvm::GlobalValue::InternalLinkage,
                                     llvm::cast<llvm::Constant>(block), name + ".kept");
    block = EmitAcquire(builder, module, cache, *workspace);
  }
  auto arguments = Unfold(builder, kernel, parameters, options.form);
  arguments.push_back(block);
  builder.CreateCall(statements.body(), arguments);
  if (cache != nullptr) EmitFree(builder, module, Exchange(builder, cache, block));
  builder.CreateRet(builder.getInt32(0));
  llvm::Function* release = cache == nullptr ? nullptr : EmitRelease(name, cache, module);
  return EmittedKernel{kernel, release, statements.has_spare_work()};
}

}  // namespace schedulegym
