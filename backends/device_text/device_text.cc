// C of a loop program for a device: a function for each kernel. Bound loops become constants that a
// thread reads from its place in the grid, virtual threads and serial loops stay loops, unrolled
// ones carry a pragma, local buffers become arrays of the thread. Shared buffers are pointers into
// one array of the block, each at its byte. Elements are addressed by one linear index: the sum of
// index times stride.
#include "backends/device_text/device_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "backends/device_text/async_copy.h"
#include "backends/device_text/closed_loops.h"
#include "backends/device_text/expression_text.h"
#include "backends/device_text/function_names.h"
#include "backends/device_text/launch_limits.h"
#include "backends/device_text/unrolling.h"
#include "backends/device_text/warp_reduction.h"
#include "backends/device_text/wide_copy.h"
#include "env/base/text.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostNarrow = INT32_MAX;

// Whether some index, or place of an element, needs more than 32 bits.
bool NeedsWideIndices(const LoopProgram& program) {
  const auto is_wide = [](int64_t value) { return value < -kMostNarrow || value > kMostNarrow; };
  return std::ranges::any_of(program.variables,
                             [&](const LoopVariable& variable) {
                               return is_wide(variable.range.low) || is_wide(variable.range.high);
                             }) ||
         std::ranges::any_of(program.buffers, [&](const Buffer& buffer) {
           return is_wide(buffer.ElementSpan() + buffer.byte_offset);
         });
}

using WarpFunction = std::pair<Op, DType>;

class FunctionWriter {
 public:
  FunctionWriter(const LoopProgram& program, const DeviceDialect& dialect, const KernelSplit& split,
                 bool wide)
      : program_(program),
        dialect_(dialect),
        split_(split),
        wide_(wide),
        variable_names_(program.variables.size()),
        buffer_names_(program.buffers.size()),
        names_(dialect),
        expressions_(dialect, {[this](int id) { return variable_names_[id]; },
                               [this](int id, const std::vector<Expr>& indices) {
                                 return Element(id, indices);
                               },
                               [this](int id) { return program_.variables[id].range; }, wide,
                               [this](int id) { return !IsLocal(program_.buffers[id]); }}) {}

  DeviceKernel Write(const KernelBody& kernel, const std::string& name) {
    kernel_ = &kernel;
    if (dialect_.plans_unrolling) unrolling_ = PlanUnrolling(program_, *kernel.body);
    if (dialect_.copies_asynchronously) async_ = FindAsyncCopies(program_, kernel);
    if (dialect_.has_shuffles) warp_reductions_ = FindWarpReductions(program_, kernel);
    DeviceKernel launch{name, kernel.blocks, kernel.threads, {}, kernel.shared_bytes};
    const std::string parameters = WriteParameters(kernel, launch);
    Line(dialect_.signature(launch, parameters));
    // OpenCL has such arrays at the top of a function alone.
    if (kernel.shared_bytes > 0) {
      Line("  " + dialect_.shared_array(kSharedMemory, kernel.shared_bytes));
    }
    Within(dialect_.closes_loops ? WithClosedLoops(kernel) : kernel.body);
    Line("}");
    return launch;
  }

  std::string TakeText() { return std::move(text_); }
  const std::set<HelperFunction>& helpers() const { return expressions_.helpers(); }
  bool copies_asynchronously() const { return !async_.copies.empty(); }
  const std::set<WarpFunction>& warp_functions() const { return warp_functions_; }

 private:
  void Line(const std::string& line) { text_ += std::string(2 * depth_, ' ') + line + "\n"; }

  void Within(const StatementPtr& statement) {
    ++depth_;
    WriteStatement(*statement);
    --depth_;
  }

  // Memory that the kernel reads or stores to, in the order of buffers.
  std::string WriteParameters(const KernelBody& kernel, DeviceKernel& launch) {
    CollectBuffers(*kernel.body);
    std::vector<std::string> parts;
    std::map<int32_t, std::string> pointers;  // by argument
    for (const auto& [id, is_stored] : used_) {
      const Buffer& buffer = program_.buffers[id];
      const int32_t argument = ArgumentOf(id);
      const std::string name = names_.Take(buffer.name);
      buffer_names_[id] = name;
      pointers[argument] = name;
      launch.arguments.push_back(argument);
      parts.push_back(std::string(dialect_.memory) + (is_stored ? "" : "const ") +
                      TypeName(buffer.type) + "* " + dialect_.restricted + " " + name);
    }
    return Join(parts, ", ");
  }

  int32_t ArgumentOf(int buffer) const {
    if (program_.buffers[buffer].parameter >= 0) return program_.buffers[buffer].parameter;
    const auto found = std::ranges::find(split_.temporaries, buffer);
    return ~static_cast<int32_t>(found - split_.temporaries.begin());
  }

  bool IsMemory(int buffer) const {
    return program_.buffers[buffer].parameter >= 0 ||
           std::ranges::find(split_.temporaries, buffer) != split_.temporaries.end();
  }

  void Use(int buffer, bool is_stored) {
    if (IsMemory(buffer)) used_[buffer] = used_[buffer] || is_stored;
  }

  void UseReads(const Expr& expr) {
    Visit(expr, [this](const ExprNode& node) {
      if (node.op == Op::kRead) Use(node.id, false);
    });
  }

  void CollectBuffers(const Statement& statement) {
    std::visit([this](const auto& node) { Collect(node); }, statement.node);
  }
  void Collect(const For& loop) { CollectBuffers(*loop.body); }
  void Collect(const Let& let) {
    UseReads(let.value);
    CollectBuffers(*let.body);
  }
  void Collect(const If& branch) {
    UseReads(branch.condition);
    CollectBuffers(*branch.then_body);
    if (branch.else_body) CollectBuffers(*branch.else_body);
  }
  void Collect(const Allocate& allocate) { CollectBuffers(*allocate.body); }
  void Collect(const Store& store) {
    UseReads(store.value);
    for (const Expr& index : store.indices) UseReads(index);
    Use(store.buffer, true);
  }
  void Collect(const Barrier&) {}
  void Collect(const Block& block) {
    for (const StatementPtr& part : block.statements) CollectBuffers(*part);
  }

  void WriteStatement(const Statement& statement) {
    if (async_.copies.contains(&statement)) return WriteAsyncCopy(statement);
    if (async_.waits.contains(&statement)) Line("copy_wait();");
    std::visit([this](const auto& node) { WriteNode(node); }, statement.node);
  }

  std::string TypeName(DType type) const { return DeviceTypeName(dialect_, type, wide_); }

  static bool IsLocal(const Buffer& buffer) {
    return buffer.parameter < 0 && buffer.scope == MemoryScope::kLocal;
  }

  const std::string& Declare(int variable) {
    return variable_names_[variable] = names_.Take(program_.variables[variable].name);
  }

  void WriteNode(const For& loop) {
    const std::string index = TypeName(DType::kIndex);
    const std::string name = Declare(loop.variable);
    if (IsGpuLoop(loop.kind) && loop.kind != LoopKind::kVthread) {
      const std::string begin = loop.begin != 0 ? " + " + std::to_string(loop.begin) : "";
      Line("const " + index + " " + name + " = (" + index + ")" + PlaceOf(loop.kind) + begin + ";");
      return WriteWhereLaunched(loop, name);
    }
    if (WriteWideCopy(loop)) return;
    if (WriteWarpReduction(loop)) return;
    WritePragma(loop);
    Line("for (" + index + " " + name + " = " + std::to_string(loop.begin) + "; " + name + " < " +
         std::to_string(loop.begin + loop.extent) + "; ++" + name + ") {");
    Within(loop.body);
    Line("}");
  }

  void WriteAsyncCopy(const Statement& statement) {
    const auto* store = std::get_if<Store>(&statement.node);
    if (store) {
      const ExprNode& read = *store->value;
      return WriteAsyncCopy(SizeInBytes(read.type), "&" + Element(store->buffer, store->indices),
                            "&" + Element(read.id, read.args));
    }
    const auto& loop = std::get<For>(statement.node);
    const WideCopy copy = *FindWideCopy(program_, loop);
    const auto place = [&](int buffer, const Expr& first) {
      return buffer_names_[buffer] + " + " + expressions_.Of(first);
    };
    WriteAsyncCopy(loop.extent * SizeInBytes(program_.buffers[copy.to].type),
                   place(copy.to, copy.to_place), place(copy.from, copy.from_place));
  }

  void WriteAsyncCopy(int64_t bytes, const std::string& to, const std::string& from) {
    Line("copy_async<" + std::to_string(bytes) + ">(" + to + ", " + from + ");");
  }

  bool WriteWideCopy(const For& loop) {
    const std::optional<WideCopy> copy = FindWideCopy(program_, loop);
    if (!copy) return false;
    const std::string type = copy->type.empty() ? dialect_.half_pair : copy->type;
    const auto access = [&](const std::string& qualifier, int buffer, const Expr& place) {
      const bool is_shared = program_.buffers[buffer].scope == MemoryScope::kShared;
      return "*(" + qualifier + (is_shared ? dialect_.shared_memory : dialect_.memory) + type +
             "*)(" + buffer_names_[buffer] + " + " + expressions_.Of(place) + ")";
    };
    Line(access("", copy->to, copy->to_place) + " = " +
         access("const ", copy->from, copy->from_place) + ";");
    return true;
  }

  // Of the loop only its body is left, which reads what a function makes of all cells.
  bool WriteWarpReduction(const For& loop) {
    const auto found = warp_reductions_.find(loop.variable);
    if (found == warp_reductions_.end()) return false;
    warp_reduction_ = &found->second;
    warp_functions_.insert({found->second.op, found->second.type});
    WriteStatement(*loop.body);
    warp_reduction_ = nullptr;
    return true;
  }

  void WritePragma(const For& loop) {
    const auto planned = unrolling_.find(loop.variable);
    if (planned != unrolling_.end()) {
      constexpr const char* kPragmas[] = {"#pragma unroll", "#pragma unroll 4", "#pragma unroll 1"};
      Line(kPragmas[static_cast<size_t>(planned->second)]);
    } else if (loop.kind != LoopKind::kSerial && !dialect_.plans_unrolling) {
      Line("#pragma unroll");
    }
  }

  const char* PlaceOf(LoopKind kind) const {
    return dialect_.places.at(static_cast<size_t>(kind) - static_cast<size_t>(LoopKind::kBlockX));
  }

  // In a grid that a longer loop made longer, some have nothing to do here.
  void WriteWhereLaunched(const For& loop, const std::string& name) {
    const int dimension = static_cast<int>(loop.kind) - static_cast<int>(LoopKind::kBlockX);
    const std::vector<int64_t>& grid = dimension < 3 ? kernel_->blocks : kernel_->threads;
    if (loop.extent == grid[dimension % 3]) return WriteStatement(*loop.body);
    Line("if (" + name + " < " + std::to_string(loop.begin + loop.extent) + ") {");
    Within(loop.body);
    Line("}");
  }

  void WriteNode(const Let& let) {
    const std::string value = expressions_.Of(let.value);
    Line("const " + TypeName(DType::kIndex) + " " + Declare(let.variable) + " = " + value + ";");
    WriteStatement(*let.body);
  }

  void WriteNode(const If& branch) {
    Line("if (" + expressions_.Of(branch.condition) + ") {");
    Within(branch.then_body);
    if (branch.else_body) {
      Line("} else {");
      Within(branch.else_body);
    }
    Line("}");
  }

  void WriteNode(const Allocate& allocate) {
    const Buffer& buffer = program_.buffers[allocate.buffer];
    const std::string type = TypeName(buffer.type);
    const std::string name = names_.Take(buffer.name);
    buffer_names_[allocate.buffer] = name;
    if (buffer.scope == MemoryScope::kShared) {
      const std::string begin = kSharedMemory + (" + " + std::to_string(buffer.byte_offset));
      const std::string pointer = dialect_.shared_memory + type + "*";
      Line(pointer + " const " + name + " = (" + pointer + ")(" + begin + ");");
    } else {
      Line((IsHalf(buffer.type) ? "float" : type) + " " + name + "[" +
           std::to_string(buffer.ElementSpan()) + "];");
    }
    WriteStatement(*allocate.body);
  }

  void WriteNode(const Store& store) {
    const std::string place = Element(store.buffer, store.indices);
    const Buffer& buffer = program_.buffers[store.buffer];
    const bool is_packed = IsHalf(buffer.type) && !IsLocal(buffer);
    const std::string value =
        is_packed ? expressions_.BitsOf(store.value) : expressions_.Of(store.value);
    Line(place + " = " + value + ";");
  }

  void WriteNode(const Block& block) {
    for (const StatementPtr& part : block.statements) WriteStatement(*part);
  }

  void WriteNode(const Barrier&) { Line(dialect_.barrier); }

  std::string Element(int id, const std::vector<Expr>& indices) {
    if (warp_reduction_ == nullptr || id != warp_reduction_->from) return Cell(id, indices);
    std::vector<Expr> first = indices;
    first[warp_reduction_->dimension] = IndexConstant(0);
    return WarpCall(*warp_reduction_, Cell(id, first),
                    program_.buffers[id].strides[warp_reduction_->dimension]);
  }

  std::string Cell(int id, const std::vector<Expr>& indices) {
    return buffer_names_[id] + "[" + expressions_.Of(LinearPlace(program_, id, indices)) + "]";
  }

  const LoopProgram& program_;
  const DeviceDialect& dialect_;
  const KernelSplit& split_;
  bool wide_;
  const KernelBody* kernel_ = nullptr;
  std::map<int, Unrolling> unrolling_;            // by variable of a loop
  std::map<int, WarpReduction> warp_reductions_;  // likewise
  AsyncCopies async_;
  const WarpReduction* warp_reduction_ = nullptr;  // that is being written
  std::set<WarpFunction> warp_functions_;
  std::map<int, bool> used_;  // memory by buffer, and whether it is stored to
  std::vector<std::string> variable_names_;
  std::vector<std::string> buffer_names_;
  FunctionNames names_;
  ExpressionText expressions_;
  std::string text_;
  size_t depth_ = 0;
};

bool UsesDoubles(const LoopProgram& program) {
  return std::ranges::any_of(program.buffers,
                             [](const Buffer& buffer) { return buffer.type == DType::kF64; });
}

DeviceProgram TextOf(const LoopProgram& program, const KernelSplit& split,
                     const DeviceDialect& dialect, const std::string& kernel_name) {
  DeviceProgram device;
  std::set<HelperFunction> helpers;
  std::set<WarpFunction> warp_functions;
  bool copies_asynchronously = false;
  std::string functions;
  const bool wide = NeedsWideIndices(program);
  for (const KernelBody& kernel : split.kernels) {
    FunctionWriter writer(program, dialect, split, wide);
    const std::string name = kernel_name + "_" + std::to_string(device.kernels.size());
    device.kernels.push_back(writer.Write(kernel, name));
    functions += "\n" + writer.TakeText();
    helpers.insert(writer.helpers().begin(), writer.helpers().end());
    copies_asynchronously = copies_asynchronously || writer.copies_asynchronously();
    warp_functions.insert(writer.warp_functions().begin(), writer.warp_functions().end());
  }
  device.source = UsesDoubles(program) ? dialect.double_begin : "";
  for (HelperFunction helper : helpers) {
    const std::string text = HelperText(dialect, helper);
    if (!text.empty()) device.source += "\n" + text;
  }
  if (copies_asynchronously) device.source += std::string("\n") + AsyncCopyText();
  for (const auto& [op, type] : warp_functions) {
    device.source += "\n" + WarpFunctionText(dialect, op, type);
  }
  device.source += functions;
  for (int buffer : split.temporaries) {
    device.temporaries.push_back(program.buffers[buffer].SizeInBytes());
  }
  return device;
}

}  // namespace

Result<DeviceProgram> DeviceText(const LoopProgram& program, const DeviceDialect& dialect,
                                 const std::string& kernel) {
  const Result<KernelSplit> split = SplitKernels(program);
  if (!split) return split.error();
  return TextOf(program, *split, dialect, kernel);
}

Result<DeviceProgram> DeviceText(const LoopProgram& program, const DeviceDialect& dialect,
                                 const GpuFacts& facts, const std::string& kernel) {
  const Result<KernelSplit> split = SplitKernels(program);
  if (!split) return split.error();
  if (auto fits = CheckLaunches(program, *split, facts); !fits) return fits.error();
  return TextOf(program, *split, dialect, kernel);
}

}  // namespace schedulegym
