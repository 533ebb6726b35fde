// Parallel loops: the body is a function (pointers, workspace, symbols, begin, end); a closure on
// the stack carries what it needs. Under OpenMP each thread of GOMP_parallel takes one contiguous
// share,
//   begin = t * (n / threads) + min(t, n % threads)
// under a team shares are handed out (backends/team). Each thread has its own part of the
// workspace, in whole pages. A parallel loop within another, of one iteration, or on one core is
// serial.
#include "backends/llvm/statement_emitter_internal.h"
#include "backends/llvm/team_code_internal.h"

namespace schedulegym {
namespace {

// From one thread's workspace to the next; whole pages, so that threads share none.
constexpr int64_t kPageBytes = 4096;

llvm::FunctionCallee Declare(llvm::Module& module, const char* name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Type*> types) {
  return module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
}

// Iterations that one thread runs.
struct Share {
  llvm::Value* thread = nullptr;
  llvm::Value* begin = nullptr;
  llvm::Value* end = nullptr;
};

// Of this thread of OpenMP: equal numbers, the first threads one more.
Share EmitOwnShare(llvm::IRBuilder<>& builder, llvm::Module& module, const For& loop) {
  const auto team_number = [&](const char* name) {
    llvm::Value* number = builder.CreateCall(Declare(module, name, builder.getInt32Ty(), {}));
    return builder.CreateZExt(number, builder.getInt64Ty());
  };
  Share share;
  share.thread = team_number("omp_get_thread_num");
  llvm::Value* threads = team_number("omp_get_num_threads");
  llvm::Value* extent = builder.getInt64(loop.extent);
  llvm::Value* each = builder.CreateUDiv(extent, threads);
  llvm::Value* rest = builder.CreateURem(extent, threads);
  llvm::Value* earlier = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, share.thread, rest);
  llvm::Value* first = builder.CreateAdd(builder.CreateMul(share.thread, each), earlier);
  share.begin = builder.CreateAdd(first, builder.getInt64(loop.begin));
  llvm::Value* has_rest =
      builder.CreateZExt(builder.CreateICmpULT(share.thread, rest), builder.getInt64Ty());
  share.end = builder.CreateAdd(builder.CreateAdd(share.begin, each), has_rest);
  return share;
}

// A share of a team: void task(closure, begin, end, worker).
Share EmitGivenShare(llvm::IRBuilder<>& builder, llvm::Function* task, const For& loop) {
  llvm::Value* first = builder.getInt64(loop.begin);
  return {task->getArg(3), builder.CreateAdd(task->getArg(1), first),
          builder.CreateAdd(task->getArg(2), first)};
}

}  // namespace

// The body of the loop is a function of its own. Each thread of a parallel runtime runs a task that
// calls it on contiguous shares of the iterations: GOMP_parallel gives one share to each, a team
// one after the other. A closure on the stack has the values that the body needs.
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
  EmitParallelCall(task, closure, loop.extent, threads);
}

void StatementEmitter::EmitParallelCall(llvm::Function* task, llvm::Value* closure, int64_t extent,
                                        int64_t threads) {
  if (runtime_ == ParallelRuntime::kTeam) {
    builder().CreateCall(EmitTeamRun(builder(), module_),
                         {task, closure, builder().getInt64(extent), builder().getInt64(threads)});
    return;
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
  Writing writing{FunctionFrame(function)};
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

// void task(closure): this thread's share, if there is one; of a team with the arguments of
// LoopShare.
llvm::Function* StatementEmitter::EmitTask(llvm::Function* body, const For& loop, int pointers,
                                           int numbers, int64_t workspace) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::IRBuilder<> task(context);
  const bool is_given = runtime_ == ParallelRuntime::kTeam;
  llvm::SmallVector<llvm::Type*, 4> types{task.getPtrTy()};
  if (is_given) types.append(3, task.getInt64Ty());
  auto* type = llvm::FunctionType::get(task.getVoidTy(), types, false);
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                          body->getName() + ".task", module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  task.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  const Share share =
      is_given ? EmitGivenShare(task, function, loop) : EmitOwnShare(task, module_, loop);
  llvm::BasicBlock* work = llvm::BasicBlock::Create(context, "work", function);
  llvm::BasicBlock* exit = llvm::BasicBlock::Create(context, "exit", function);
  task.CreateCondBr(task.CreateICmpSLT(share.begin, share.end), work, exit);
  task.SetInsertPoint(work);
  llvm::SmallVector<llvm::Value*, 16> arguments;
  for (int i = 0; i < pointers + 1 + numbers; ++i) {
    llvm::Type* slot =
        i <= pointers ? static_cast<llvm::Type*>(task.getPtrTy()) : task.getInt64Ty();
    llvm::Value* place = task.CreateConstGEP1_64(task.getInt64Ty(), function->getArg(0), i);
    arguments.push_back(task.CreateLoad(slot, place));
  }
  arguments[pointers] = task.CreateGEP(task.getInt8Ty(), arguments[pointers],
                                       task.CreateMul(share.thread, task.getInt64(workspace)));
  arguments.append({share.begin, share.end});
  task.CreateCall(body, arguments);
  task.CreateBr(exit);
  task.SetInsertPoint(exit);
  task.CreateRetVoid();
  return function;
}

}  // namespace schedulegym
