// ValueEmitter: expressions of a loop program as SSA values.
#pragma once

#include "backends/llvm/arithmetic_internal.h"
#include "backends/llvm/index_forms.h"
#include "backends/llvm/memory_emitter_internal.h"

namespace schedulegym {

class ValueEmitter final : public IndexForms::Source {
 public:
  ValueEmitter(const LoopProgram& program, const CpuFacts& cpu, llvm::Module& module,
               bool optimize);

  void SetFrame(FunctionFrame* frame);
  IndexForms& forms() { return forms_; }
  MemoryEmitter& memory() { return memory_; }
  Arithmetic& arithmetic() { return arithmetic_; }

  // A scalar where all lanes agree and that is known, else a vector of lanes.width. What
  // lanes.mask and lanes.guard leave out is read nowhere.
  llvm::Value* Emit(const Expr& expr, const LaneSet& lanes);
  // What a store leaves in memory. Alone in it, a read of the stored buffer is the cell of a
  // reduction.
  llvm::Value* EmitStored(const Store& store, const LaneSet& lanes);
  // Elements from the buffer's first; none when that is not linear in the lane.
  std::optional<Affine> ElementForm(int buffer, const std::vector<Expr>& indices);

  // The lanes of `lanes` for which the condition has the truth value `holds`.
  LaneSet Narrow(llvm::Value* condition, bool holds, LaneSet lanes);

  // Expressions translated so far.
  int64_t emitted() const { return emitted_; }

  // Calls `emit` with each active lane fixed and gathers what it answers into a vector.
  template <typename EmitLane>
  llvm::Value* PerLane(llvm::Type* element, const LaneSet& lanes, EmitLane emit);

  int Quotient(const Affine& left, int64_t divisor, Range range) override;
  int Extreme(Op op, const Affine& left, const Affine& right, Range range) override;
  int Opaque(const Expr& index, Range range) override;

 private:
  llvm::IRBuilder<>& builder() { return frame_->builder(); }
  llvm::Value* ConstantOf(DType type, const ExprNode& node);
  llvm::Value* EmitIndex(const Expr& expr, const LaneSet& lanes);
  llvm::Value* EmitRead(const Expr& expr, const LaneSet& lanes);
  // What memory holds.
  llvm::Value* EmitElement(const Expr& expr, const LaneSet& lanes);
  llvm::Value* EmitBinary(const Expr& expr, const LaneSet& lanes);
  // Both arguments, two scalars or two vectors.
  std::pair<llvm::Value*, llvm::Value*> EmitAlike(const ExprNode& node, const LaneSet& lanes);
  llvm::Value* EmitMultiplyAdd(const ExprNode& node, const LaneSet& lanes);
  llvm::Value* EmitComparison(const Expr& expr, const LaneSet& lanes);
  llvm::Value* EmitSelect(const Expr& expr, const LaneSet& lanes);
  llvm::Value* EmitBranches(const ExprNode& node, llvm::Value* condition, const LaneSet& lanes);
  llvm::Value* EmitSide(const Expr& side, llvm::Value* condition, bool holds, LaneSet lanes);
  int KeepOperation(const FunctionFrame::OperationKey& key, Range range,
                    const std::function<llvm::Value*()>& emit);

  const LoopProgram& program_;
  bool optimize_;
  MemoryEmitter memory_;
  Arithmetic arithmetic_;
  IndexForms forms_;
  FunctionFrame* frame_ = nullptr;
  int64_t emitted_ = 0;
};

template <typename EmitLane>
llvm::Value* ValueEmitter::PerLane(llvm::Type* element, const LaneSet& lanes, EmitLane emit) {
  llvm::Value* result = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, lanes.width));
  for (int lane = 0; lane < lanes.active; ++lane) {
    LaneSet one;
    one.guard = lanes.guard;
    if (lanes.mask != nullptr) {
      llvm::Value* bit = builder().CreateExtractElement(lanes.mask, lane);
      one.guard = one.guard == nullptr ? bit : builder().CreateAnd(one.guard, bit);
    }
    forms_.FixLane(lane);
    llvm::Value* value = emit(one, lane);
    forms_.FixLane(std::nullopt);
    if (value != nullptr) result = builder().CreateInsertElement(result, value, lane);
  }
  return result;
}

}  // namespace schedulegym
