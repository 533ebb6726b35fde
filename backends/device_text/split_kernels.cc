// Kernels of a program: the body is a sequence of statements, within allocations of what they hand
// on. Each statement becomes a kernel. The extents of its bound loops are its grid: each block and
// each thread runs the body once, with its own values of their variables. Where branches bind one
// axis to loops of several lengths, the longest counts. Its shared memory ends where the last
// shared buffer does.
#include <algorithm>
#include <array>

#include "backends/device_text/device_program.h"

namespace schedulegym {
namespace {

Error Unsupported(const std::string& message) { return {ErrorKind::kUnsupported, message}; }

// The launch dimension of a bound loop: 0 to 2 of blocks, 3 to 5 of threads; -1 for other loops.
int DimensionOf(LoopKind kind) {
  switch (kind) {
    case LoopKind::kBlockX: return 0;
    case LoopKind::kBlockY: return 1;
    case LoopKind::kBlockZ: return 2;
    case LoopKind::kThreadX: return 3;
    case LoopKind::kThreadY: return 4;
    case LoopKind::kThreadZ: return 5;
    default: return -1;
  }
}

class Splitter {
 public:
  explicit Splitter(const LoopProgram& program) : program_(program) {}

  Result<KernelSplit> Run() {
    if (!program_.packs.empty()) return Unsupported("packed weights have no kernels on a device");
    Cut(program_.body);
    for (KernelBody& kernel : split_.kernels) {
      kernel_ = &kernel;
      is_bound_ = {};
      Bind(*kernel.body);
    }
    if (failure_) return *failure_;
    return std::move(split_);
  }

 private:
  void Cut(const StatementPtr& statement) {
    const auto* allocate = std::get_if<Allocate>(&statement->node);
    if (allocate && program_.buffers[allocate->buffer].scope == MemoryScope::kGlobal) {
      split_.temporaries.push_back(allocate->buffer);
      return Cut(allocate->body);
    }
    if (const auto* block = std::get_if<Block>(&statement->node)) {
      for (const StatementPtr& part : block->statements) Cut(part);
      return;
    }
    split_.kernels.push_back({statement});
  }

  void Bind(const Statement& statement) {
    std::visit([this](const auto& node) { BindNode(node); }, statement.node);
  }

  void BindNode(const For& loop) {
    if (const int dimension = DimensionOf(loop.kind); dimension >= 0) Launch(loop, dimension);
    Bind(*loop.body);
  }
  void BindNode(const Let& let) { Bind(*let.body); }
  // A thread goes one way: both may bind an axis, each its own part of it.
  void BindNode(const If& branch) {
    const std::array<bool, 6> before = is_bound_;
    Bind(*branch.then_body);
    if (!branch.else_body) return;
    const std::array<bool, 6> then_bound = is_bound_;
    is_bound_ = before;
    Bind(*branch.else_body);
    for (size_t i = 0; i < is_bound_.size(); ++i) is_bound_[i] = is_bound_[i] || then_bound[i];
  }
  void BindNode(const Allocate& allocate) {
    const Buffer& buffer = program_.buffers[allocate.buffer];
    if (buffer.scope == MemoryScope::kGlobal && !failure_) {
      failure_ = Unsupported("a kernel keeps " + buffer.name +
                             " in global memory, expected shared or local");
    }
    if (buffer.scope == MemoryScope::kShared) {
      kernel_->shared_bytes =
          std::max(kernel_->shared_bytes, buffer.byte_offset + buffer.SizeInBytes());
    }
    Bind(*allocate.body);
  }
  void BindNode(const Store&) {}
  void BindNode(const Barrier&) {}
  void BindNode(const Block& block) {
    for (const StatementPtr& part : block.statements) Bind(*part);
  }

  void Launch(const For& loop, int dimension) {
    if (is_bound_[dimension] && !failure_) {
      failure_ = Unsupported(std::string("a kernel binds two loops to ") + LoopKindName(loop.kind) +
                             ", expected one");
    }
    is_bound_[dimension] = true;
    std::vector<int64_t>& extents = dimension < 3 ? kernel_->blocks : kernel_->threads;
    extents[dimension % 3] = std::max(extents[dimension % 3], loop.extent);
  }

  const LoopProgram& program_;
  KernelSplit split_;
  KernelBody* kernel_ = nullptr;
  std::array<bool, 6> is_bound_ = {};
  std::optional<Error> failure_;
};

}  // namespace

Result<KernelSplit> SplitKernels(const LoopProgram& program) { return Splitter(program).Run(); }

}  // namespace schedulegym
