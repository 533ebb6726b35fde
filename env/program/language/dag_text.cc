#include <algorithm>

#include "env/base/text.h"
#include "env/program/compute_dag.h"

namespace schedulegym {
namespace {

std::string AxesText(const std::vector<Axis>& axes) {
  std::vector<std::string> parts;
  for (const Axis& axis : axes) parts.push_back(axis.name + ":" + std::to_string(axis.extent));
  return Join(parts, ", ");
}

std::string InputText(const Tensor& tensor) {
  std::string text = tensor.kind == TensorKind::kWeight ? "weight " : "input ";
  text += tensor.name + "[" + Join(tensor.shape, ", ") + "]";
  if (tensor.type != DType::kF32) text += std::string(" : ") + DTypeName(tensor.type);
  return text;
}

// A body without a read or a conversion parses as f32; any other type must be written.
bool SaysItsType(const Expr& body) {
  if (body->op == Op::kRead || body->op == Op::kCast) return true;
  for (size_t i = body->op == Op::kSelect ? 1 : 0; i < body->args.size(); ++i) {
    if (SaysItsType(body->args[i])) return true;
  }
  return false;
}

std::string DefinitionText(const ComputeDag& dag, const Tensor& tensor) {
  const ExprNames names{[&](int id) {
                          const size_t axis = static_cast<size_t>(id);
                          return axis < tensor.axes.size()
                                     ? tensor.axes[axis].name
                                     : tensor.reduce_axes[axis - tensor.axes.size()].name;
                        },
                        [&](int id) { return dag.tensor(id).name; }};
  std::string body = ToText(tensor.body, names);
  if (tensor.type != DType::kF32 && !SaysItsType(tensor.body)) {
    body = std::string(DTypeName(tensor.type)) + "(" + body + ")";
  }
  std::string text = tensor.name + "[" + AxesText(tensor.axes) + "] = ";
  if (tensor.combiner != Combiner::kNone) {
    text += std::string(CombinerName(tensor.combiner)) + "(" + AxesText(tensor.reduce_axes) + ") ";
  }
  return text + body;
}

// The outputs of a text without an `output` line: definitions that no other reads.
std::vector<int> UnreadDefinitions(const ComputeDag& dag) {
  std::vector<bool> is_read(static_cast<size_t>(dag.size()), false);
  for (const Tensor& tensor : dag.tensors()) {
    if (tensor.kind != TensorKind::kDefinition) continue;
    Visit(tensor.body, [&](const ExprNode& node) {
      if (node.op == Op::kRead) is_read[node.id] = true;
    });
  }
  std::vector<int> unread;
  for (int id = 0; id < dag.size(); ++id) {
    if (dag.tensor(id).kind == TensorKind::kDefinition && !is_read[id]) unread.push_back(id);
  }
  return unread;
}

}  // namespace

std::string ComputeDag::ToText() const {
  std::string text;
  for (const Tensor& tensor : tensors()) {
    text +=
        tensor.kind == TensorKind::kDefinition ? DefinitionText(*this, tensor) : InputText(tensor);
    text += '\n';
  }
  if (outputs() == UnreadDefinitions(*this)) return text;
  for (int output : outputs()) text += "output " + tensor(output).name + "\n";
  return text;
}

}  // namespace schedulegym
