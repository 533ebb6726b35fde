// Prints a loop program, a statement a line, two spaces a level: parameters, views of them, the
// body, then the programs that pack weights. A variable's name gets a number where a loop around
// has it. Strides are shown where they are not dense. Cost: O(program * open variables).
#include "env/lower/loop_program.h"

#include "env/base/text.h"

namespace schedulegym {
namespace {

class Printer {
 public:
  explicit Printer(const LoopProgram& program)
      : program_(program), names_(program.variables.size()) {}

  std::string Run() {
    for (const Parameter& parameter : program_.parameters) {
      Line(
          std::string(parameter.is_output ? "output " : "input ") + parameter.name + " : " +
          DTypeName(parameter.type) +
          (parameter.is_packed ? ", packed in " + std::to_string(parameter.bytes) + " bytes" : ""));
    }
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.parameter < 0) continue;
      Line("view " + Describe(buffer) + " of " + program_.parameters[buffer.parameter].name +
           (buffer.byte_offset > 0 ? " at byte " + std::to_string(buffer.byte_offset) : ""));
    }
    Print(*program_.body);
    for (const WeightPack& pack : program_.packs) {
      text_ +=
          "\npack " + program_.parameters[pack.parameter].name + ":\n" + pack.program->ToText();
    }
    return std::move(text_);
  }

 private:
  void Line(const std::string& line) { text_ += std::string(2 * depth_, ' ') + line + "\n"; }

  std::string Describe(const Buffer& buffer) const {
    std::string text =
        buffer.name + "[" + Join(buffer.shape, ", ") + "] : " + DTypeName(buffer.type);
    int64_t dense = 1;
    bool is_dense = true;
    for (size_t i = buffer.shape.size(); i-- > 0;) {
      is_dense = is_dense && buffer.strides[i] == dense;
      dense *= buffer.shape[i];
    }
    if (!is_dense) text += " strides [" + Join(buffer.strides, ", ") + "]";
    return text + " " + MemoryScopeName(buffer.scope);
  }

  std::string Text(const Expr& expr) const {
    return schedulegym::ToText(expr, {[this](int id) { return names_[id]; },
                                      [this](int id) { return program_.buffers[id].name; }});
  }

  void PrintWithin(const StatementPtr& statement) {
    ++depth_;
    Print(*statement);
    --depth_;
  }

  // The variable's name, with a number where a variable around has it already.
  const std::string& Open(int variable) {
    const std::string& name = program_.variables[variable].name;
    std::string unique = name;
    const auto is_taken = [&] {
      return std::any_of(open_.begin(), open_.end(),
                         [&](int other) { return names_[other] == unique; });
    };
    for (int number = 1; is_taken(); ++number) unique = name + "_" + std::to_string(number);
    open_.push_back(variable);
    return names_[variable] = unique;
  }

  void Print(const Statement& statement) {
    std::visit([this](const auto& node) { PrintNode(node); }, statement.node);
  }

  void PrintNode(const For& loop) {
    const std::string kind = loop.kind == LoopKind::kSerial ? "for" : LoopKindName(loop.kind);
    Line(kind + " " + Open(loop.variable) + " in " + std::to_string(loop.begin) + ".." +
         std::to_string(loop.begin + loop.extent));
    PrintWithin(loop.body);
    open_.pop_back();
  }

  void PrintNode(const Let& let) {
    const std::string value = Text(let.value);
    Line("let " + Open(let.variable) + " = " + value);
    Print(*let.body);
    open_.pop_back();
  }

  void PrintNode(const If& branch) {
    Line("if " + Text(branch.condition));
    PrintWithin(branch.then_body);
    if (!branch.else_body) return;
    Line("else");
    PrintWithin(branch.else_body);
  }

  void PrintNode(const Allocate& allocate) {
    const Buffer& buffer = program_.buffers[allocate.buffer];
    Line("allocate " + Describe(buffer) +
         (buffer.byte_offset > 0 ? " at byte " + std::to_string(buffer.byte_offset) : ""));
    Print(*allocate.body);
  }

  void PrintNode(const Store& store) {
    std::vector<std::string> indices;
    for (const Expr& index : store.indices) indices.push_back(Text(index));
    Line(program_.buffers[store.buffer].name + "[" + Join(indices, ", ") +
         "] = " + Text(store.value));
  }

  void PrintNode(const Block& block) {
    for (const StatementPtr& statement : block.statements) Print(*statement);
  }

  void PrintNode(const Barrier&) { Line("barrier"); }

  const LoopProgram& program_;
  std::vector<std::string> names_;  // of variables, while they are open
  std::vector<int> open_;
  std::string text_;
  size_t depth_ = 0;
};

}  // namespace

const char* LoopKindName(LoopKind kind) {
  switch (kind) {
    case LoopKind::kSerial: return "serial";
    case LoopKind::kUnrolled: return "unrolled";
    case LoopKind::kVector: return "vector";
    case LoopKind::kParallel: return "parallel";
    case LoopKind::kVthread: return "vthread";
    case LoopKind::kBlockX: return "blockIdx.x";
    case LoopKind::kBlockY: return "blockIdx.y";
    case LoopKind::kBlockZ: return "blockIdx.z";
    case LoopKind::kThreadX: return "threadIdx.x";
    case LoopKind::kThreadY: return "threadIdx.y";
    case LoopKind::kThreadZ: return "threadIdx.z";
  }
  return "unknown";
}

int64_t Buffer::ElementSpan() const {
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return 0;
    last += (shape[i] - 1) * strides[i];
  }
  return last + 1;
}

std::string LoopProgram::ToText() const { return Printer(*this).Run(); }

}  // namespace schedulegym
