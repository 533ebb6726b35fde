// Emits loops, branches, lets, allocations and stores of a program as LLVM code. Loops are tested
// at their end and marked so that LLVM neither unrolls nor vectorizes them again: the schedule has
// decided. Unrolled loops become copies; more than 100000 translated expressions are an error of
// kind kCompile. Temporaries live on the stack up to 64 KiB a function, then in the workspace, each
// at one place. Pointers do not alias. Cost: linear in the unrolled program.
#include "backends/llvm/statement_emitter_internal.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Translated expressions; beyond this compiling takes seconds and the code fits no cache.
constexpr int64_t kMostOperations = 100000;
constexpr int64_t kMostStackBytes = 64 << 10;
constexpr int64_t kLineBytes = 64;
constexpr int kLeastStackBytes = 16;  // of the calling convention

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Keeps LLVM from unrolling or vectorizing loops again, as the schedule has decided.
llvm::MDNode* AsScheduled(llvm::LLVMContext& context) {
  const auto option = [&](const char* name, std::optional<bool> value) {
    llvm::SmallVector<llvm::Metadata*, 2> parts{llvm::MDString::get(context, name)};
    if (value) {
      parts.push_back(llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt1Ty(context), *value)));
    }
    return llvm::MDNode::get(context, parts);
  };
  llvm::MDNode* node =
      llvm::MDNode::getDistinct(context, {nullptr, option("llvm.loop.unroll.disable", std::nullopt),
                                          option("llvm.loop.vectorize.enable", false)});
  node->replaceOperandWith(0, node);
  return node;
}

}  // namespace

StatementEmitter::StatementEmitter(const LoopProgram& program, const CpuFacts& cpu, int cores,
                                   ParallelRuntime runtime, llvm::Module& module, std::string name,
                                   bool optimize)
    : program_(program),
      cores_(optimize ? cores : 1),
      runtime_(runtime),
      module_(module),
      name_(std::move(name)),
      optimize_(optimize),
      cpu_(cpu),
      values_(program, cpu_, module, optimize),
      facts_(program) {}

// Pointers are buffers that do not overlap; the last one is the workspace.
llvm::Function* StatementEmitter::NewFunction(const std::string& suffix, int pointers,
                                              int numbers) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::SmallVector<llvm::Type*, 16> types(pointers + 1, llvm::PointerType::getUnqual(context));
  types.append(numbers, llvm::Type::getInt64Ty(context));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, name_ + suffix, module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::NoInline);
  for (int i = 0; i <= pointers; ++i) function->addParamAttr(i, llvm::Attribute::NoAlias);
  // Vectors that are spilled are then within cache lines.
  llvm::AttrBuilder attributes(context);
  attributes.addStackAlignmentAttr(std::max(cpu_.vector_bytes, kLeastStackBytes));
  function->addFnAttrs(attributes);
  return function;
}

void StatementEmitter::Start(Writing* writing) {
  writing_ = writing;
  values_.SetFrame(writing == nullptr ? nullptr : &writing->frame);
}

Result<int64_t> StatementEmitter::EmitBody() {
  const int parameters = static_cast<int>(program_.parameters.size());
  body_ = NewFunction(".body", parameters, 0);
  Writing writing{FunctionFrame(body_)};
  Start(&writing);
  writing.workspace.base = body_->getArg(parameters);
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const Buffer& buffer = program_.buffers[i];
    if (buffer.parameter < 0) continue;
    llvm::IRBuilder<>::InsertPointGuard guard(builder());
    builder().SetInsertPoint(frame().entry_end());
    llvm::Value* base = body_->getArg(buffer.parameter);
    if (buffer.byte_offset != 0) {
      base = builder().CreateConstInBoundsGEP1_64(builder().getInt8Ty(), base, buffer.byte_offset);
    }
    frame().SetBase(static_cast<int>(i), base);
  }
  Emit(*program_.body);
  builder().CreateRetVoid();
  Start(nullptr);
  if (values_.emitted() > kMostOperations) {
    return Error{ErrorKind::kCompile, "the unrolled program has more than " +
                                          std::to_string(kMostOperations) + " operations"};
  }
  return writing.workspace.bytes;
}

void StatementEmitter::Emit(const Statement& statement) {
  if (values_.emitted() > kMostOperations) return;
  if (const auto* loop = std::get_if<For>(&statement.node)) EmitFor(statement, *loop);
  if (const auto* let = std::get_if<Let>(&statement.node)) EmitLet(*let);
  if (const auto* branch = std::get_if<If>(&statement.node)) EmitIf(*branch);
  if (const auto* allocate = std::get_if<Allocate>(&statement.node)) EmitAllocate(*allocate);
  if (const auto* store = std::get_if<Store>(&statement.node)) EmitStore(*store);
  if (const auto* block = std::get_if<Block>(&statement.node)) {
    for (const StatementPtr& part : block->statements) Emit(*part);
  }
}

void StatementEmitter::EmitFor(const Statement& statement, const For& loop) {
  if (loop.kind == LoopKind::kVector) {
    EmitVectorLoop(statement, loop);
    return forms().Unbind(loop.variable);
  }
  const bool spreads = loop.kind == LoopKind::kParallel && cores_ > 1 && loop.extent > 1;
  if (spreads && !writing_->in_parallel) return EmitParallel(statement, loop);
  if (optimize_ && (EmitHorizontal(loop) || EmitTransposed(loop))) {
    return forms().Unbind(loop.variable);
  }
  if (loop.extent == 1 || (optimize_ && loop.kind == LoopKind::kUnrolled)) {
    for (int64_t i = 0; i < loop.extent; ++i) {
      forms().Bind(loop.variable, Affine{{}, loop.begin + i});
      Emit(*loop.body);
    }
  } else {
    const Range range{loop.begin, loop.begin + loop.extent - 1};
    EmitLoop(builder().getInt64(loop.begin), builder().getInt64(range.high + 1), range, *loop.body,
             [&](int symbol) {
               forms().Bind(loop.variable, Affine{{{symbol, 1}}, 0});
               Emit(*loop.body);
             });
  }
  forms().Unbind(loop.variable);
}

void StatementEmitter::EmitLoop(llvm::Value* begin, llvm::Value* end, Range range,
                                const Statement& body, const std::function<void(int)>& emit) {
  const std::vector<bool>& stored = facts_.TouchedBy(body).stored;
  for (size_t buffer = 0; buffer < stored.size(); ++buffer) {
    if (stored[buffer]) frame().ForgetLoads(static_cast<int>(buffer));
  }
  llvm::BasicBlock* head = frame().NewBlock("loop");
  llvm::BasicBlock* before = builder().GetInsertBlock();
  llvm::Instruction* entry = builder().CreateBr(head);
  builder().SetInsertPoint(head);
  llvm::PHINode* variable = builder().CreatePHI(builder().getInt64Ty(), 2);
  variable->addIncoming(begin, before);
  frame().EnterScope(entry, &stored);
  const int symbol = forms().AddSymbol(range);
  frame().SetSymbol(symbol, variable, frame().depth());
  emit(symbol);
  frame().LeaveScope();
  llvm::Value* next = builder().CreateNSWAdd(variable, builder().getInt64(1));
  variable->addIncoming(next, builder().GetInsertBlock());
  llvm::BasicBlock* exit = frame().NewBlock("exit");
  llvm::Instruction* latch = builder().CreateCondBr(builder().CreateICmpSLT(next, end), head, exit);
  latch->setMetadata(llvm::LLVMContext::MD_loop, AsScheduled(module_.getContext()));
  builder().SetInsertPoint(exit);
}

void StatementEmitter::EmitLet(const Let& let) {
  const auto form = forms().Form(let.value);
  SG_CHECK(form.has_value(), "a let outside of vector loops has no lanes");
  forms().Bind(let.variable, *form);
  Emit(*let.body);
  forms().Unbind(let.variable);
}

void StatementEmitter::EmitIf(const If& branch) {
  const auto emit_then = [&] { Emit(*branch.then_body); };
  const auto emit_else = [&] {
    if (branch.else_body) Emit(*branch.else_body);
  };
  if (const auto truth = forms().Truth(branch.condition)) {
    return *truth ? emit_then() : emit_else();
  }
  EmitBranch(values_.Emit(branch.condition, {}), emit_then, emit_else);
}

void StatementEmitter::EmitBranch(llvm::Value* condition, const std::function<void()>& then_emit,
                                  const std::function<void()>& else_emit) {
  llvm::BasicBlock* sides[2] = {frame().NewBlock("then"), frame().NewBlock("else")};
  llvm::BasicBlock* join = frame().NewBlock("join");
  llvm::Instruction* entry = builder().CreateCondBr(condition, sides[0], sides[1]);
  for (int side = 0; side < 2; ++side) {
    builder().SetInsertPoint(sides[side]);
    frame().EnterScope(entry, nullptr);
    side == 0 ? then_emit() : else_emit();
    frame().LeaveScope();
    builder().CreateBr(join);
  }
  builder().SetInsertPoint(join);
}

void StatementEmitter::EmitAllocate(const Allocate& allocate) {
  frame().ForgetLoads(allocate.buffer);
  frame().SetBase(allocate.buffer, PlaceTemporary(allocate.buffer));
  Emit(*allocate.body);
  frame().SetBase(allocate.buffer, nullptr);
}

// Each buffer has one place in each function; copies of its allocation share the place.
llvm::Value* StatementEmitter::PlaceTemporary(int buffer) {
  llvm::Value*& place = writing_->temporaries[buffer];
  if (place != nullptr) return place;
  const BufferLayout& layout = values_.memory().layout(buffer);
  const DType type = program_.buffers[buffer].type;
  const int64_t bytes = layout.elements * SizeInBytes(type);
  llvm::IRBuilder<>::InsertPointGuard guard(builder());
  builder().SetInsertPoint(frame().entry_end());
  if (layout.is_local && writing_->stack_bytes + bytes <= kMostStackBytes) {
    writing_->stack_bytes += bytes;
    auto* element = MemoryType(module_.getContext(), type);
    auto* slot = builder().CreateAlloca(llvm::ArrayType::get(element, layout.elements));
    slot->setAlignment(llvm::Align(std::min(kLineBytes, std::max<int64_t>(16, bytes & -bytes))));
    return place = slot;
  }
  Workspace& workspace = writing_->workspace;
  place =
      builder().CreateConstInBoundsGEP1_64(builder().getInt8Ty(), workspace.base, workspace.bytes);
  workspace.bytes += RoundUp(bytes, kLineBytes) + kLineBytes;
  return place;
}

void StatementEmitter::EmitStore(const Store& store) {
  const auto form = values_.ElementForm(store.buffer, store.indices);
  SG_CHECK(form.has_value(), "a store outside of vector loops has no lanes");
  NoteStore(store, *form);
  values_.memory().Store(store.buffer, *form, values_.EmitStored(store, {}), {});
}

// A loop that stores to the same cells in each iteration; local buffers become registers anyway.
void StatementEmitter::NoteStore(const Store& store, const Affine& form) {
  const bool is_local = values_.memory().layout(store.buffer).is_local;
  has_spare_work_ |= !is_local && frame().DepthOf(form) < frame().depth();
  has_spare_work_ |= HasFunctions(store.value);
}

}  // namespace schedulegym
