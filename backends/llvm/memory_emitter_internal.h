// MemoryEmitter: loads and stores of a buffer's elements at linear forms, scalar or in vectors, of
// MemoryType.
#pragma once

#include "backends/llvm/arithmetic_internal.h"
#include "backends/llvm/function_frame_internal.h"
#include "backends/llvm/program_facts.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// How a buffer lies in memory; strides of local buffers are the backend's own.
struct BufferLayout {
  std::vector<int64_t> strides;
  int64_t elements = 0;
  int64_t alignment = 1;  // of the first element, in bytes
  bool is_local = false;
  int64_t row = 0;         // of local buffers: elements of the innermost dimension in use
  int64_t padded_row = 0;  // and from one such row to the next
};

class MemoryEmitter {
 public:
  MemoryEmitter(const LoopProgram& program, const CpuFacts& cpu, llvm::Module& module);

  void SetFrame(FunctionFrame* frame) { frame_ = frame; }
  const BufferLayout& layout(int buffer) const { return layouts_[buffer]; }

  // A scalar where the form has no lane, else a vector of lanes.width.
  llvm::Value* Load(int buffer, const Affine& form, const LaneSet& lanes);
  void Store(int buffer, const Affine& form, llvm::Value* value, const LaneSet& lanes);

 private:
  llvm::Type* Element(int buffer) const;
  int64_t ElementBytes(int buffer) const;
  llvm::Align AlignmentOf(int buffer, const Affine& form) const;
  void PrefetchAhead(const AccessKey& key, llvm::Value* address);
  llvm::Value* Guarded(llvm::Value* address, const LaneSet& lanes);
  llvm::Value* ConstantMask(const LaneSet& lanes) const;
  llvm::Value* Pointers(int buffer, const Affine& form, int width);
  bool InsideLocal(int buffer, const AccessKey& key) const;
  bool IdleInPadding(const AccessKey& key, const LaneSet& lanes) const;

  llvm::Value* LoadOne(int buffer, const Affine& form, const LaneSet& lanes);
  llvm::Value* LoadContiguous(const AccessKey& key, const LaneSet& lanes);
  llvm::Value* LoadInterleaved(const AccessKey& key, int64_t stride);
  llvm::Value* LoadScattered(const AccessKey& key, const LaneSet& lanes);
  void StoreContiguous(const AccessKey& key, llvm::Value* value, const LaneSet& lanes);
  void StoreScattered(const AccessKey& key, llvm::Value* value, const LaneSet& lanes);

  const LoopProgram& program_;
  const CpuFacts& cpu_;
  llvm::Module& module_;
  std::vector<BufferLayout> layouts_;
  llvm::GlobalVariable* zeros_ = nullptr;
  FunctionFrame* frame_ = nullptr;
};

}  // namespace schedulegym
