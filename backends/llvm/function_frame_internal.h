// FunctionFrame: one LLVM function while it is written; places each address and each load as far
// out of the loops as its operands allow, and keeps both for reuse.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "backends/llvm/index_forms.h"
#include "backends/llvm/llvm_internal.h"

namespace schedulegym {

// The first `active` of `width` elements of a buffer at a linear form of elements.
struct AccessKey {
  int buffer = 0;
  int width = 1;
  int active = 1;
  Affine form;

  // Elements from the first touched to the last.
  int64_t Span() const { return std::abs(form.Coefficient(kLane)) * (width - 1) + 1; }
  bool operator<(const AccessKey& other) const {
    return std::tie(buffer, form.terms, form.constant, width, active) <
           std::tie(other.buffer, other.form.terms, other.form.constant, other.width, other.active);
  }
};

class FunctionFrame {
 public:
  // Starts at the end of a new entry block, which ends up branching to the body.
  explicit FunctionFrame(llvm::Function* function);

  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Function* function() { return function_; }
  llvm::BasicBlock* NewBlock(const char* name);
  // Allocas go here; executed once.
  llvm::Instruction* entry_end() { return entry_end_; }

  // A scope is a loop's body or a branch; `entry` is the instruction outside that jumps in.
  // `stored` (of loops; null for branches) tells for each buffer whether the body stores it.
  void EnterScope(llvm::Instruction* entry, const std::vector<bool>* stored);
  void LeaveScope();
  int depth() const { return static_cast<int>(scopes_.size()) - 1; }

  void SetSymbol(int symbol, llvm::Value* value, int depth);
  llvm::Value* symbol(int symbol) const { return symbols_[symbol].value; }
  void SetBase(int buffer, llvm::Value* base);
  // Null while the buffer does not exist.
  llvm::Value* base(int buffer) const {
    return buffer < static_cast<int>(bases_.size()) ? bases_[buffer] : nullptr;
  }

  // The scope in which every symbol of the form is known. Lanes do not count.
  int DepthOf(const Affine& form) const;
  // Runs `emit` where the instructions it adds belong to the scope at `depth`.
  template <typename Emit>
  auto At(int depth, const Emit& emit);

  // The number a form without lanes stands for.
  llvm::Value* Number(const Affine& form);
  // Where the buffer's element at the form lies; the lane's term is ignored.
  llvm::Value* Address(int buffer, int64_t element_bytes, const Affine& form);

  // A scalar repeated in every lane, once in each block; vectors stay. One for all products of a
  // register tile that share it: half of what would be written otherwise.
  llvm::Value* Splat(llvm::Value* value, int width);

  // The scope to which a load that must happen may be hoisted. No scope takes in more than
  // `most_hoisted`: what does not fit in registers would be loaded again anyway.
  int LoadDepth(int buffer, const Affine& form, int most_hoisted) const;
  llvm::Value* FindLoad(const AccessKey& key) const;
  void KeepLoad(const AccessKey& key, llvm::Value* value, int depth);
  // Of the whole buffer, or of what may overlap a store.
  void ForgetLoads(int buffer);
  void ForgetOverlapping(const AccessKey& store);

  // Symbols of operations that are not linear, by a key of the caller's.
  using OperationKey = std::tuple<int, int64_t, Affine, Affine>;
  struct KeyLess {
    bool operator()(const OperationKey& a, const OperationKey& b) const;
  };
  int FindOperation(const OperationKey& key) const;  // -1 if absent
  void KeepOperation(const OperationKey& key, int symbol, int depth);

 private:
  struct Symbol {
    llvm::Value* value = nullptr;
    int depth = 0;
  };
  struct Scope {
    llvm::Instruction* entry = nullptr;
    const std::vector<bool>* stored = nullptr;
    std::map<AccessKey, llvm::Value*> sums;  // partial addresses; constant 0, width 0
    std::map<std::pair<int, int64_t>, llvm::Value*> products;  // symbols times constants
    std::map<AccessKey, llvm::Value*> loads;
    int hoisted = 0;  // loads from scopes within
    std::map<OperationKey, int, KeyLess> operations;
  };
  using Term = std::pair<int, int64_t>;

  llvm::Value* Product(int symbol, int64_t factor);
  llvm::Value* Sum(int buffer, int64_t scale, std::vector<Term> terms);

  llvm::Function* function_;
  llvm::IRBuilder<> builder_;
  llvm::Instruction* entry_end_;
  std::vector<Scope> scopes_;
  std::vector<Symbol> symbols_;
  std::vector<llvm::Value*> bases_;
  std::map<std::tuple<llvm::BasicBlock*, llvm::Value*, int>, llvm::Value*> splats_;
  int64_t widest_load_ = 1;  // in elements, of all kept
};

template <typename Emit>
auto FunctionFrame::At(int depth, const Emit& emit) {
  if (depth >= this->depth()) return emit();
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(scopes_[depth + 1].entry);
  return emit();
}

}  // namespace schedulegym
