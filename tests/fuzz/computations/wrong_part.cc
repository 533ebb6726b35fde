#include "tests/fuzz/computations/wrong_part.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace schedulegym {
namespace {

class Planter {
 public:
  Planter(const LoopProgram& program, double factor, Rng& rng)
      : program_(program), factor_(factor), rng_(rng) {}

  // Null if there was nothing to change.
  StatementPtr Run() {
    StatementPtr body = Changed(program_.body);
    return buffer_ >= 0 ? body : nullptr;
  }

 private:
  bool HoldsParts(int buffer) const {
    return program_.buffers[buffer].name.find(".rf") != std::string::npos;
  }

  StatementPtr Changed(const StatementPtr& statement) {
    return std::visit(
        [&](auto node) {
          using Node = decltype(node);
          if constexpr (std::is_same_v<Node, If>) {
            node.then_body = Changed(node.then_body);
            if (node.else_body) node.else_body = Changed(node.else_body);
          } else if constexpr (std::is_same_v<Node, Block>) {
            for (StatementPtr& part : node.statements) part = Changed(part);
          } else if constexpr (std::is_same_v<Node, Store>) {
            if (!HoldsParts(node.buffer)) node.value = Changed(node.value);
          } else if constexpr (!std::is_same_v<Node, Barrier>) {
            node.body = Changed(node.body);
          }
          return MakeStatement(std::move(node));
        },
        statement->node);
  }

  // Copies of one loop, such as its tail, read the same buffer: one place is drawn for all.
  Expr Changed(const Expr& value) {
    std::vector<Expr> args;
    for (const Expr& arg : value->args) args.push_back(Changed(arg));
    if (value->op != Op::kRead || !HoldsParts(value->id)) {
      return args.empty() ? value : Rebuild(*value, args);
    }
    if (buffer_ < 0) Draw(value->id);
    if (value->id != buffer_) return value;
    Expr is_there = Binary(Op::kEqual, value->args[0], IndexConstant(place_[0]));
    for (size_t d = 1; d < place_.size(); ++d) {
      is_there =
          Binary(Op::kAnd, is_there, Binary(Op::kEqual, value->args[d], IndexConstant(place_[d])));
    }
    const Expr wrong = Binary(Op::kMultiply, value, Constant(value->type, factor_));
    return Select(is_there, wrong, value);
  }

  void Draw(int buffer) {
    buffer_ = buffer;
    for (int64_t extent : program_.buffers[buffer].shape) place_.push_back(rng_.Below(extent));
  }

  const LoopProgram& program_;
  double factor_;
  Rng& rng_;
  int buffer_ = -1;             // whose cell is wrong
  std::vector<int64_t> place_;  // of that cell
};

}  // namespace

std::optional<LoopProgram> WithWrongPart(const LoopProgram& program, double factor, Rng& rng) {
  StatementPtr body = Planter(program, factor, rng).Run();
  if (!body) return std::nullopt;
  LoopProgram wrong = program;
  wrong.body = std::move(body);
  return wrong;
}

}  // namespace schedulegym
