// Threads of one block that share a reduction leave their parts in shared memory; after a barrier
// every thread combines all of them, one after another. Here the lanes of a warp share this work:
//   lane l combines cells l, l + lanes, l + 2 lanes, ...
//   for step = lanes / 2, ..., 2, 1: value = value (op) value of lane l xor step
// All lanes end with the same value (CUDA C++ Programming Guide 13.0, "Warp Shuffle Functions"). A
// lane reads only cells that its thread read before, so races and barriers stay as they were
// proved. What changes is the order of the operations: reals are gated by a bound, not bit for bit.
// Lanes are numbered along x first; a power of two that divides the extent of x cuts warps into
// groups of equal y and z. Cost: O(program).
#include "backends/device_text/warp_reduction.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "backends/device_text/expression_text.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr int64_t kWarp = 32;  // of every card with CUDA
// With two lanes a shuffle costs what a read does.
constexpr int64_t kLeastLanes = 4;

bool IsCombiner(Op op) {
  return op == Op::kAdd || op == Op::kMultiply || op == Op::kMin || op == Op::kMax;
}

const char* FunctionName(Op op) {
  switch (op) {
    case Op::kAdd: return "warp_sum";
    case Op::kMultiply: return "warp_product";
    case Op::kMin: return "warp_min";
    case Op::kMax: return "warp_max";
    default: SG_CHECK(false, "no combiner");
  }
}

bool Shuffles(DType type) {
  return type == DType::kF32 || type == DType::kF64 || type == DType::kI32;
}

bool AreEqual(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::ranges::equal(a, b, [](const Expr& x, const Expr& y) { return Equal(x, y); });
}

class Finder {
 public:
  Finder(const LoopProgram& program, const KernelBody& kernel) : program_(program) {
    extent_ = kernel.threads.at(0);
    lanes_ = 1;
    while (lanes_ < kWarp && extent_ % (lanes_ * 2) == 0) lanes_ *= 2;
    if (lanes_ >= kLeastLanes) Find(*kernel.body);
  }

  std::map<int, WarpReduction> Take() { return std::move(found_); }

 private:
  void Find(const Statement& statement) {
    std::visit([this](const auto& node) { FindIn(node); }, statement.node);
  }

  void FindIn(const For& loop) {
    if (loop.kind == LoopKind::kThreadX) {
      varying_.insert(loop.variable);
      return FindUnder(loop.extent != extent_, *loop.body);
    }
    std::optional<WarpReduction> reduction = Match(loop);
    if (!reduction) return Find(*loop.body);
    found_[loop.variable] = *reduction;
  }
  void FindIn(const Let& let) {
    if (Varies(let.value)) varying_.insert(let.variable);
    Find(*let.body);
  }
  void FindIn(const If& branch) {
    const bool is_guard = Varies(branch.condition);
    FindUnder(is_guard, *branch.then_body);
    if (branch.else_body) FindUnder(is_guard, *branch.else_body);
  }
  void FindIn(const Allocate& allocate) { Find(*allocate.body); }
  void FindIn(const Block& block) {
    for (const StatementPtr& part : block.statements) Find(*part);
  }
  void FindIn(const Store&) {}
  void FindIn(const Barrier&) {}

  // Lanes that go apart cannot shuffle.
  void FindUnder(bool is_guard, const Statement& statement) {
    if (!is_guard) Find(statement);
  }

  // What is read may differ from lane to lane.
  bool Varies(const Expr& expr) const {
    bool varies = false;
    Visit(expr, [&](const ExprNode& node) {
      varies = varies || node.op == Op::kRead ||
               (node.op == Op::kVariable && varying_.contains(node.id));
    });
    return varies;
  }

  std::optional<WarpReduction> Match(const For& loop) const {
    const bool is_plain = loop.kind == LoopKind::kSerial || loop.kind == LoopKind::kUnrolled;
    if (!is_plain || loop.begin != 0 || loop.extent < kLeastLanes) return std::nullopt;
    const Statement* body = loop.body.get();
    while (const auto* inner = std::get_if<For>(&body->node)) {
      if (IsGpuLoop(inner->kind)) return std::nullopt;
      body = inner->body.get();
    }
    const auto* store = std::get_if<Store>(&body->node);
    if (!store || !IsCombiner(store->value->op) || !Shuffles(store->value->type)) {
      return std::nullopt;
    }
    const ExprNode& sum = *store->value->args[0];
    const ExprNode& cell = *store->value->args[1];
    const bool accumulates = sum.op == Op::kRead && sum.id == store->buffer &&
                             AreEqual(sum.args, store->indices) && IsLocal(store->buffer);
    if (!accumulates || cell.op != Op::kRead || !IsShared(cell.id)) return std::nullopt;
    const std::optional<size_t> dimension = DimensionOf(loop.variable, cell.args);
    if (!dimension || !std::ranges::none_of(store->indices, [&](const Expr& index) {
          return Mentions(index, loop.variable);
        })) {
      return std::nullopt;
    }
    const auto most = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(loop.extent)));
    return WarpReduction{store->value->op, cell.type,   cell.id,
                         *dimension,       loop.extent, std::min(lanes_, most)};
  }

  bool IsLocal(int id) const {
    const Buffer& buffer = program_.buffers[id];
    return buffer.parameter < 0 && buffer.scope == MemoryScope::kLocal;
  }
  bool IsShared(int id) const {
    const Buffer& buffer = program_.buffers[id];
    return buffer.parameter < 0 && buffer.scope == MemoryScope::kShared;
  }

  static bool Mentions(const Expr& expr, int variable) {
    bool mentions = false;
    Visit(expr, [&](const ExprNode& node) {
      mentions = mentions || (node.op == Op::kVariable && node.id == variable);
    });
    return mentions;
  }

  // Of the only index that has the variable, and is no more than it; the others are the same for
  // all lanes.
  std::optional<size_t> DimensionOf(int variable, const std::vector<Expr>& indices) const {
    std::optional<size_t> dimension;
    for (size_t i = 0; i < indices.size(); ++i) {
      const Expr& index = indices[i];
      if (index->op == Op::kVariable && index->id == variable && !dimension) {
        dimension = i;
      } else if (Varies(index) || Mentions(index, variable)) {
        return std::nullopt;
      }
    }
    return dimension;
  }

  const LoopProgram& program_;
  int64_t extent_ = 1;     // of threadIdx.x in this kernel
  int64_t lanes_ = 1;      // that have y and z in common, at most
  std::set<int> varying_;  // variables that threadIdx.x is part of
  std::map<int, WarpReduction> found_;
};

}  // namespace

std::map<int, WarpReduction> FindWarpReductions(const LoopProgram& program,
                                                const KernelBody& kernel) {
  return Finder(program, kernel).Take();
}

std::string WarpCall(const WarpReduction& reduction, const std::string& first, int64_t stride) {
  return std::string(FunctionName(reduction.op)) + "<" + std::to_string(reduction.count) + ", " +
         std::to_string(reduction.lanes) + ">(&" + first + ", " + std::to_string(stride) + ")";
}

std::string WarpFunctionText(const DeviceDialect& dialect, Op op, DType type) {
  const std::string name = DeviceTypeName(dialect, type, false);
  ExpressionNames names;
  names.element = [](int buffer, const std::vector<Expr>&) {
    return std::string(buffer == 0 ? "value" : buffer == 1 ? "cells[i * stride]" : "other");
  };
  ExpressionText text(dialect, names);
  const auto combined = [&](int buffer) {
    return text.Of(Binary(op, Read(type, 0, {}), Read(type, buffer, {})));
  };
  return "// Combines `count` cells. The lanes of a warp share them out; each gets the result.\n"
         "template <int count, int lanes>\n" +
         (dialect.helper_begin + name) + " " + FunctionName(op) + "(const " + name +
         "* cells, int stride) {\n"
         "  const unsigned thread =\n"
         "      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
         "  const int lane = (int)(thread % lanes);\n"
         "  const unsigned mask = 0xffffffffu >> (32 - lanes) << (thread % 32 / lanes * lanes);\n"
         "  " +
         name + " value = cells[lane * stride];\n" +
         "  for (int i = lane + lanes; i < count; i += lanes) value = " + combined(1) + ";\n" +
         "  #pragma unroll\n"
         "  for (int step = lanes / 2; step > 0; step /= 2) {\n    const " +
         name + " other = __shfl_xor_sync(mask, value, step, lanes);\n    value = " + combined(2) +
         ";\n  }\n  return value;\n}\n";
}

}  // namespace schedulegym
