// OpenCL C of a loop program: a function for each kernel. Bound loops become constants that a
// thread reads from its place in the grid, virtual threads and serial loops stay loops, unrolled
// ones carry a pragma, local buffers become arrays of the thread. Shared buffers are pointers into
// one array of the block, each at its byte. Elements are addressed by one linear index: the sum of
// index times stride.
#include "backends/device_text/opencl_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "backends/device_text/expression_text.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr std::string_view kPlaceOf[] = {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)",
                                         "get_local_id(0)", "get_local_id(1)", "get_local_id(2)"};

std::string_view PlaceOf(LoopKind kind) {
  return kPlaceOf[static_cast<int>(kind) - static_cast<int>(LoopKind::kBlockX)];
}

// Letters, digits and _; what C or OpenCL may know gets an underscore behind.
std::string Identifier(const std::string& name) {
  std::string word;
  for (const char c : name) {
    word += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0) word = "_" + word;
  // Every reserved word and built-in function is of small letters and digits alone.
  const bool may_be_known = word.size() > 1 && std::ranges::all_of(word, [](unsigned char c) {
                              return std::islower(c) != 0 || std::isdigit(c) != 0;
                            });
  return may_be_known ? word + "_" : word;
}

// Names in one function, each once.
class Names {
 public:
  std::string Take(const std::string& wish) {
    const std::string word = Identifier(wish);
    std::string unique = word;
    for (int number = 1; !taken_.insert(unique).second; ++number) {
      unique = word + "_" + std::to_string(number);
    }
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

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

const DType* FindUnsupported(const LoopProgram& program) {
  for (const Buffer& buffer : program.buffers) {
    if (buffer.type == DType::kF16 || buffer.type == DType::kBF16) return &buffer.type;
  }
  return nullptr;
}

class FunctionWriter {
 public:
  FunctionWriter(const LoopProgram& program, const KernelSplit& split, bool wide)
      : program_(program),
        split_(split),
        wide_(wide),
        variable_names_(program.variables.size()),
        buffer_names_(program.buffers.size()),
        expressions_(
            {[this](int id) { return variable_names_[id]; },
             [this](int id, const std::vector<Expr>& indices) { return Element(id, indices); },
             [this](int id) { return program_.variables[id].range; }, wide}) {}

  DeviceKernel Write(const KernelBody& kernel, const std::string& name) {
    kernel_ = &kernel;
    DeviceKernel launch{name, kernel.blocks, kernel.threads, {}, kernel.shared_bytes};
    const std::string parameters = WriteParameters(kernel, launch);
    std::string size;
    for (int64_t threads : kernel.threads)
      size += (size.empty() ? "" : ", ") + std::to_string(threads);
    Line("__kernel __attribute__((reqd_work_group_size(" + size + ")))");
    Line("void " + name + "(" + parameters + ") {");
    if (kernel.shared_bytes > 0) WriteShared(kernel.shared_bytes);
    Within(kernel.body);
    Line("}");
    return launch;
  }

  std::string TakeText() { return std::move(text_); }
  const std::set<HelperFunction>& helpers() const { return expressions_.helpers(); }

 private:
  void Line(const std::string& line) { text_ += std::string(2 * depth_, ' ') + line + "\n"; }

  void Within(const StatementPtr& statement) {
    ++depth_;
    WriteStatement(*statement);
    --depth_;
  }

  // The language has such arrays at the top of a function alone.
  void WriteShared(int64_t bytes) {
    shared_name_ = names_.Take("shared_memory");
    Line("  __local uchar " + shared_name_ + "[" + std::to_string(bytes) +
         "] __attribute__((aligned(16)));");
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
      parts.push_back(std::string("__global ") + (is_stored ? "" : "const ") +
                      DeviceTypeName(buffer.type, false) + "* restrict " + name);
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
    std::visit([this](const auto& node) { WriteNode(node); }, statement.node);
  }

  const std::string& Declare(int variable) {
    return variable_names_[variable] = names_.Take(program_.variables[variable].name);
  }

  void WriteNode(const For& loop) {
    const std::string index = DeviceTypeName(DType::kIndex, wide_);
    const std::string name = Declare(loop.variable);
    if (IsGpuLoop(loop.kind) && loop.kind != LoopKind::kVthread) {
      const std::string begin = loop.begin != 0 ? " + " + std::to_string(loop.begin) : "";
      Line("const " + index + " " + name + " = (" + index + ")" + std::string(PlaceOf(loop.kind)) +
           begin + ";");
      return WriteWhereLaunched(loop, name);
    }
    if (loop.kind != LoopKind::kSerial) Line("#pragma unroll");
    Line("for (" + index + " " + name + " = " + std::to_string(loop.begin) + "; " + name + " < " +
         std::to_string(loop.begin + loop.extent) + "; ++" + name + ") {");
    Within(loop.body);
    Line("}");
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
    Line(std::string("const ") + DeviceTypeName(DType::kIndex, wide_) + " " +
         Declare(let.variable) + " = " + value + ";");
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
    const std::string type = DeviceTypeName(buffer.type, false);
    const std::string name = names_.Take(buffer.name);
    buffer_names_[allocate.buffer] = name;
    if (buffer.scope == MemoryScope::kShared) {
      const std::string begin = shared_name_ + " + " + std::to_string(buffer.byte_offset);
      Line("__local " + type + "* const " + name + " = (__local " + type + "*)(" + begin + ");");
    } else {
      Line(type + " " + name + "[" + std::to_string(buffer.ElementSpan()) + "];");
    }
    WriteStatement(*allocate.body);
  }

  void WriteNode(const Store& store) {
    const std::string place = Element(store.buffer, store.indices);
    Line(place + " = " + expressions_.Of(store.value) + ";");
  }

  void WriteNode(const Block& block) {
    for (const StatementPtr& part : block.statements) WriteStatement(*part);
  }

  void WriteNode(const Barrier&) { Line("barrier(CLK_LOCAL_MEM_FENCE);"); }

  std::string Element(int id, const std::vector<Expr>& indices) {
    const Buffer& buffer = program_.buffers[id];
    const int64_t begin = buffer.parameter >= 0 ? buffer.byte_offset : 0;
    Expr place = IndexConstant(begin / SizeInBytes(buffer.type));
    for (size_t d = 0; d < indices.size(); ++d) {
      place = place + indices[d] * IndexConstant(buffer.strides[d]);
    }
    const RangeOf ranges = [this](int variable) { return program_.variables[variable].range; };
    return buffer_names_[id] + "[" + expressions_.Of(Simplify(place, ranges)) + "]";
  }

  const LoopProgram& program_;
  const KernelSplit& split_;
  bool wide_;
  const KernelBody* kernel_ = nullptr;
  std::map<int, bool> used_;  // memory by buffer, and whether it is stored to
  std::vector<std::string> variable_names_;
  std::vector<std::string> buffer_names_;
  Names names_;
  std::string shared_name_;
  ExpressionText expressions_;
  std::string text_;
  size_t depth_ = 0;
};

bool UsesDoubles(const LoopProgram& program) {
  return std::ranges::any_of(program.buffers,
                             [](const Buffer& buffer) { return buffer.type == DType::kF64; });
}

}  // namespace

Result<DeviceProgram> OpenClText(const LoopProgram& program) {
  if (const DType* type = FindUnsupported(program)) {
    return Error{ErrorKind::kUnsupported,
                 std::string("opencl has no ") + DTypeName(*type) + ", expected f32, f64, i32, i8"};
  }
  const Result<KernelSplit> split = SplitKernels(program);
  if (!split) return split.error();
  DeviceProgram device;
  std::set<HelperFunction> helpers;
  std::string functions;
  const bool wide = NeedsWideIndices(program);
  for (const KernelBody& kernel : split->kernels) {
    FunctionWriter writer(program, *split, wide);
    const std::string name = "kernel_" + std::to_string(device.kernels.size());
    device.kernels.push_back(writer.Write(kernel, name));
    functions += "\n" + writer.TakeText();
    helpers.insert(writer.helpers().begin(), writer.helpers().end());
  }
  device.source = UsesDoubles(program) ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  for (HelperFunction helper : helpers) device.source += std::string("\n") + HelperText(helper);
  device.source += functions;
  for (int buffer : split->temporaries) {
    device.temporaries.push_back(program.buffers[buffer].SizeInBytes());
  }
  return device;
}

}  // namespace schedulegym
