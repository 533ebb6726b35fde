// Emits a function that returns whether the running processor has the target's features: for each
// CPUID leaf, that it exists and its bits are set, then that, by XCR0, the system saves the
// registers they use (Intel's manual, volume 2, CPUID and XGETBV). The answer is kept in a byte,
// read and written atomically, so only the first calls run CPUID, which traps in virtual machines.
// The function itself is compiled for plain x86-64.
#include <array>
#include <map>
#include <string>
#include <utility>

#include "backends/llvm/cpu_check_internal.h"
#include "env/program/targets/host.h"

namespace schedulegym {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

// The result that is kept between calls.
constexpr uint8_t kUnknown = 0, kLacking = 1, kOffered = 2;
constexpr uint32_t kOsXsave = 1u << 27;

struct Leaf {
  uint32_t leaf = 0, subleaf = 0;
  bool operator<(const Leaf& other) const {
    return std::pair(leaf, subleaf) < std::pair(other.leaf, other.subleaf);
  }
};

// Bits that must be set after cpuid, by register, and in XCR0.
struct Needs {
  std::map<Leaf, std::array<uint32_t, 4>> bits;
  uint64_t state = 0;
};

Needs NeedsOf(const Target& target) {
  Needs needs;
  for (const CpuFeatureBit& feature : CpuFeatureBits()) {
    if (!target.HasFeature(feature.name)) continue;
    needs.bits[{feature.leaf, feature.subleaf}][feature.where] |= 1u << feature.bit;
    needs.state |= feature.state;
  }
  if (needs.state != 0) needs.bits[{1, 0}][2] |= kOsXsave;
  return needs;
}

Value* EmitCpuid(Builder& builder, uint32_t leaf, Value* subleaf) {
  llvm::Type* word = builder.getInt32Ty();
  auto* result = llvm::StructType::get(word, word, word, word);
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(result, {word, word}, false), "cpuid",
                                    "={ax},={bx},={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}",
                                    /*hasSideEffects=*/true);
  return builder.CreateCall(code, {builder.getInt32(leaf), subleaf});
}

Value* HasBits(Builder& builder, Value* value, uint64_t bits) {
  Value* mask = llvm::ConstantInt::get(value->getType(), bits);
  return builder.CreateICmpEQ(builder.CreateAnd(value, mask), mask);
}

Value* EmitState(Builder& builder) {
  llvm::Type* word = builder.getInt32Ty();
  auto* code = llvm::InlineAsm::get(
      llvm::FunctionType::get(llvm::StructType::get(word, word), {word}, false), "xgetbv",
      "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}", /*hasSideEffects=*/true);
  Value* halves = builder.CreateCall(code, {builder.getInt32(0)});
  Value* low = builder.CreateZExt(builder.CreateExtractValue(halves, 0), builder.getInt64Ty());
  Value* high = builder.CreateZExt(builder.CreateExtractValue(halves, 1), builder.getInt64Ty());
  return builder.CreateOr(low, builder.CreateShl(high, 32));
}

// Emits the checks in order; each failure branches to `lacking`.
void EmitQuestions(Builder& builder, const Needs& needs, llvm::BasicBlock* lacking) {
  llvm::Function* function = lacking->getParent();
  const auto require = [&](Value* holds) {
    auto* next = llvm::BasicBlock::Create(function->getContext(), "next", function);
    builder.CreateCondBr(holds, next, lacking);
    builder.SetInsertPoint(next);
  };
  for (const auto& [leaf, registers] : needs.bits) {
    // eax of the range's first leaf has its highest leaf.
    Value* highest = builder.CreateExtractValue(
        EmitCpuid(builder, leaf.leaf & 0x80000000u, builder.getInt32(0)), 0);
    require(builder.CreateICmpUGE(highest, builder.getInt32(leaf.leaf)));
    Value* answer = EmitCpuid(builder, leaf.leaf, builder.getInt32(leaf.subleaf));
    for (unsigned i = 0; i < registers.size(); ++i) {
      if (registers[i] == 0) continue;
      require(HasBits(builder, builder.CreateExtractValue(answer, i), registers[i]));
    }
  }
  if (needs.state != 0) require(HasBits(builder, EmitState(builder), needs.state));
}

}  // namespace

void CompileForAnyCpu(llvm::Function* function) {
  function->addFnAttr("target-cpu", "x86-64");
  function->addFnAttr("target-features", "");
}

llvm::Function* EmitCpuCheck(const Target& target, const std::string& name, llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* byte = llvm::Type::getInt8Ty(context);
  auto* known = new llvm::GlobalVariable(module, byte, false, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantInt::get(byte, kUnknown), name + ".cpu");
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt1Ty(context), false),
                             llvm::Function::InternalLinkage, name + ".supported", module);
  CompileForAnyCpu(function);
  const auto block = [&](const char* label) {
    return llvm::BasicBlock::Create(context, label, function);
  };
  llvm::BasicBlock* entry = block("entry");
  llvm::BasicBlock* ask = block("ask");
  llvm::BasicBlock* lacking = block("lacking");
  llvm::BasicBlock* remember = block("remember");
  llvm::BasicBlock* done = block("done");
  Builder builder(entry);
  llvm::LoadInst* before = builder.CreateAlignedLoad(byte, known, llvm::Align(1));
  before->setAtomic(llvm::AtomicOrdering::Monotonic);
  builder.CreateCondBr(builder.CreateICmpEQ(before, builder.getInt8(kUnknown)), ask, done);

  builder.SetInsertPoint(ask);
  EmitQuestions(builder, NeedsOf(target), lacking);
  llvm::BasicBlock* offered = builder.GetInsertBlock();
  builder.CreateBr(remember);
  builder.SetInsertPoint(lacking);
  builder.CreateBr(remember);
  builder.SetInsertPoint(remember);
  llvm::PHINode* found = builder.CreatePHI(byte, 2);
  found->addIncoming(builder.getInt8(kOffered), offered);
  found->addIncoming(builder.getInt8(kLacking), lacking);
  llvm::StoreInst* store = builder.CreateAlignedStore(found, known, llvm::Align(1));
  store->setAtomic(llvm::AtomicOrdering::Monotonic);
  builder.CreateBr(done);

  builder.SetInsertPoint(done);
  llvm::PHINode* state = builder.CreatePHI(byte, 2);
  state->addIncoming(before, entry);
  state->addIncoming(found, remember);
  builder.CreateRet(builder.CreateICmpEQ(state, builder.getInt8(kOffered)));
  return function;
}

}  // namespace schedulegym
