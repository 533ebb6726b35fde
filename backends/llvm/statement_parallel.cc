#include "backends/llvm/statement_emitter_internal.h"

namespace schedulegym {
namespace {

// From one thread's workspace to the next; whole pages, so that threads share none.
constexpr int64_t kPageBytes = 4096;

llvm::FunctionCallee Declare(llvm::Module& module, const char* name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Type*> types) {
  return module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
}

}  // namespace

// Each thread of GOMP_parallel runs a task that calls the loop's body, a function of its own, on
// one contiguous share of the iterations. What the body needs travels in a closure on the stack.
void StatementEmitter::EmitParallel(const Statement& statement, const For& loop) {
  const ProgramFacts::Touched& touched = facts_.TouchedBy(statement);
  std::vector<int> buffers;
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const int buffer = static_cast<int>(i);
    if (!touched.stored[i] && !touched.read[i]) continue;
    if (frame().base(buffer) != nullptr) buffers.push_back(buffer);
    if (touched.stored[i]) frame().ForgetLoads(buffer);
  }
  const std::vector<int> symbols = forms().LiveSymbols();
  Writing* outer = writing_;
  int64_t bytes = 0;
  llvm::Function* body = EmitParallelBody(statement, loop, buffers, symbols, &bytes);
  Start(outer);
  const int64_t thread_bytes = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  const int64_t threads = std::min<int64_t>(cores_, loop.extent);
  llvm::Value* space = builder().CreateConstInBoundsGEP1_64(
      builder().getInt8Ty(), writing_->workspace.base, writing_->workspace.bytes);
  writing_->workspace.bytes += thread_bytes * threads;

  const int pointers = static_cast<int>(buffers.size());
  const int numbers = static_cast<int>(symbols.size());
  llvm::Function* task = EmitTask(body, loop, pointers, numbers, thread_bytes);
  llvm::SmallVector<llvm::Value*, 16> captured;
  for (const int buffer : buffers) captured.push_back(frame().base(buffer));
  captured.push_back(space);
  for (const int symbol : symbols) captured.push_back(frame().symbol(symbol));
  llvm::Value* closure = nullptr;
  {
    llvm::IRBuilder<>::InsertPointGuard guard(builder());
    builder().SetInsertPoint(frame().entry_end());
    closure = builder().CreateAlloca(builder().getInt64Ty(), builder().getInt64(captured.size()),
                                     "closure");
  }
  for (size_t i = 0; i < captured.size(); ++i) {
    builder().CreateStore(captured[i],
                          builder().CreateConstGEP1_64(builder().getInt64Ty(), closure, i));
  }
  llvm::Type* pointer = builder().getPtrTy();
  llvm::Type* word = builder().getInt32Ty();
  builder().CreateCall(
      Declare(module_, "GOMP_parallel", builder().getVoidTy(), {pointer, pointer, word, word}),
      {task, closure, builder().getInt32(static_cast<uint32_t>(threads)), builder().getInt32(0)});
}

llvm::Function* StatementEmitter::EmitParallelBody(const Statement& statement, const For& loop,
                                                   const std::vector<int>& buffers,
                                                   const std::vector<int>& symbols,
                                                   int64_t* workspace) {
  const int pointers = static_cast<int>(buffers.size());
  const int numbers = static_cast<int>(symbols.size());
  llvm::Function* function =
      NewFunction(".parallel." + std::to_string(parallel_loops_++), pointers, numbers + 2);
  Writing writing{Frame(function)};
  writing.in_parallel = true;
  writing.workspace.base = function->getArg(pointers);
  for (int i = 0; i < pointers; ++i) writing.frame.SetBase(buffers[i], function->getArg(i));
  for (int i = 0; i < numbers; ++i) {
    writing.frame.SetSymbol(symbols[i], function->getArg(pointers + 1 + i), 0);
  }
  Start(&writing);
  const Range range{loop.begin, loop.begin + loop.extent - 1};
  EmitLoop(function->getArg(pointers + 1 + numbers), function->getArg(pointers + 2 + numbers),
           range, statement, [&](int symbol) {
             forms().Bind(loop.variable, Affine{{{symbol, 1}}, 0});
             Emit(*loop.body);
           });
  forms().Unbind(loop.variable);
  builder().CreateRetVoid();
  *workspace = writing.workspace.bytes;
  return function;
}

// void task(closure): the share of this thread of the team, if there is any.
llvm::Function* StatementEmitter::EmitTask(llvm::Function* body, const For& loop, int pointers,
                                           int numbers, int64_t workspace) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::IRBuilder<> task_builder(context);
  auto* type = llvm::FunctionType::get(task_builder.getVoidTy(), {task_builder.getPtrTy()}, false);
  auto* task = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                      body->getName() + ".task", module_);
  task->addFnAttr(llvm::Attribute::NoUnwind);
  task_builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", task));
  const auto team_number = [&](const char* name) {
    llvm::Value* number =
        task_builder.CreateCall(Declare(module_, name, task_builder.getInt32Ty(), {}));
    return task_builder.CreateZExt(number, task_builder.getInt64Ty());
  };
  llvm::Value* thread = team_number("omp_get_thread_num");
  llvm::Value* threads = team_number("omp_get_num_threads");
  llvm::Value* extent = task_builder.getInt64(loop.extent);
  llvm::Value* share = task_builder.CreateUDiv(extent, threads);
  llvm::Value* rest = task_builder.CreateURem(extent, threads);
  llvm::Value* earlier = task_builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, thread, rest);
  llvm::Value* first = task_builder.CreateAdd(task_builder.CreateMul(thread, share), earlier);
  llvm::Value* begin = task_builder.CreateAdd(first, task_builder.getInt64(loop.begin));
  llvm::Value* has_rest =
      task_builder.CreateZExt(task_builder.CreateICmpULT(thread, rest), task_builder.getInt64Ty());
  llvm::Value* end = task_builder.CreateAdd(task_builder.CreateAdd(begin, share), has_rest);
  llvm::BasicBlock* work = llvm::BasicBlock::Create(context, "work", task);
  llvm::BasicBlock* exit = llvm::BasicBlock::Create(context, "exit", task);
  task_builder.CreateCondBr(task_builder.CreateICmpSLT(begin, end), work, exit);
  task_builder.SetInsertPoint(work);
  llvm::SmallVector<llvm::Value*, 16> arguments;
  for (int i = 0; i < pointers + 1 + numbers; ++i) {
    llvm::Type* slot = i <= pointers ? static_cast<llvm::Type*>(task_builder.getPtrTy())
                                     : task_builder.getInt64Ty();
    llvm::Value* place =
        task_builder.CreateConstGEP1_64(task_builder.getInt64Ty(), task->getArg(0), i);
    arguments.push_back(task_builder.CreateLoad(slot, place));
  }
  arguments[pointers] =
      task_builder.CreateGEP(task_builder.getInt8Ty(), arguments[pointers],
                             task_builder.CreateMul(thread, task_builder.getInt64(workspace)));
  arguments.append({begin, end});
  task_builder.CreateCall(body, arguments);
  task_builder.CreateBr(exit);
  task_builder.SetInsertPoint(exit);
  task_builder.CreateRetVoid();
  return task;
}

}  // namespace schedulegym
