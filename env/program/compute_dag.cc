// Checks tensors (names, types, extents, ranks and types of reads), splits reductions of f16 and
// bf16 (half_reductions.h), orders tensors and hashes them.
// The order is Kahn's topological sort with a heap of ids, so the least id that is ready comes
// first and equal computations have equal orders; fewer tensors in it than there are mean a cycle.
// Without named outputs, definitions that no other reads are the outputs. The key hashes names,
// kinds, types, extents, combiners and bodies, but no names of axes; `==` compares the same things.
// Cost: O(nodes + reads log tensors).
#include "env/program/compute_dag.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <set>

#include "env/base/text.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/half_reductions.h"

namespace schedulegym {
namespace {

Error Malformed(const Tensor& tensor, const std::string& what) {
  return {ErrorKind::kParse, "tensor '" + tensor.name + "': " + what};
}

bool HasElementType(const Tensor& tensor) {
  return tensor.type != DType::kIndex && tensor.type != DType::kBool;
}

// The number of points of a box; none when it is empty or too large to count.
bool IsCountable(const std::vector<int64_t>& extents) {
  __int128 points = 1;
  for (int64_t extent : extents) {
    if (extent < 1) return false;
    points *= extent;
    if (points > kUnbounded) return false;
  }
  return true;
}

Result<void> CheckBody(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  const int variables = static_cast<int>(tensor.axes.size() + tensor.reduce_axes.size());
  std::string fault;
  Visit(tensor.body, [&](const ExprNode& node) {
    if (node.op == Op::kVariable && (node.id < 0 || node.id >= variables)) {
      fault = "variable " + std::to_string(node.id) + " is no axis";
    }
    if (node.op != Op::kRead) return;
    if (node.id < 0 || node.id >= static_cast<int>(tensors.size())) {
      fault = "read of tensor " + std::to_string(node.id) + ", which does not exist";
      return;
    }
    const Tensor& read = tensors[node.id];
    if (read.shape.size() != node.args.size())
      fault = "wrong rank of a read of '" + read.name + "'";
    if (read.type != node.type) fault = "wrong type of a read of '" + read.name + "'";
  });
  if (!fault.empty()) return Malformed(tensor, fault);
  return {};
}

Result<void> CheckDefinition(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  if (tensor.body == nullptr) return Malformed(tensor, "a definition needs a body");
  if (tensor.body->type != tensor.type) return Malformed(tensor, "the body has another type");
  if (tensor.axes.size() != tensor.shape.size()) return Malformed(tensor, "one axis a dimension");
  if (tensor.reduce_axes.empty() != (tensor.combiner == Combiner::kNone)) {
    return Malformed(tensor, "a combiner needs axes to reduce, and they need a combiner");
  }
  std::vector<int64_t> extents;
  for (size_t i = 0; i < tensor.axes.size(); ++i) {
    if (tensor.axes[i].extent != tensor.shape[i]) {
      return Malformed(tensor, "an axis differs from its dimension");
    }
    extents.push_back(tensor.shape[i]);
  }
  for (const Axis& axis : tensor.reduce_axes) extents.push_back(axis.extent);
  if (!IsCountable(extents)) return Malformed(tensor, "the extents are not positive or too large");
  return CheckBody(tensors, tensor);
}

Result<void> CheckTensors(const std::vector<Tensor>& tensors) {
  std::set<std::string> names;
  for (const Tensor& tensor : tensors) {
    if (!names.insert(tensor.name).second) return Malformed(tensor, "defined twice");
    if (!HasElementType(tensor)) return Malformed(tensor, "no type of elements");
    if (!IsCountable(tensor.shape)) return Malformed(tensor, "extents not positive or too large");
    if (tensor.kind != TensorKind::kDefinition) continue;
    if (auto checked = CheckDefinition(tensors, tensor); !checked.ok()) return checked;
  }
  return {};
}

// Producers of each tensor, each once.
std::vector<std::set<int>> ReadsOf(const std::vector<Tensor>& tensors) {
  std::vector<std::set<int>> reads(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].kind != TensorKind::kDefinition) continue;
    Visit(tensors[i].body, [&](const ExprNode& node) {
      if (node.op == Op::kRead) reads[i].insert(node.id);
    });
  }
  return reads;
}

// The order has fewer elements than `reads` where there is a cycle.
std::vector<int> Order(const std::vector<std::set<int>>& reads) {
  std::vector<std::vector<int>> readers(reads.size());
  std::vector<size_t> open(reads.size());
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (size_t i = 0; i < reads.size(); ++i) {
    open[i] = reads[i].size();
    for (int producer : reads[i]) readers[producer].push_back(static_cast<int>(i));
    if (open[i] == 0) ready.push(static_cast<int>(i));
  }
  std::vector<int> order;
  while (!ready.empty()) {
    const int next = ready.top();
    ready.pop();
    order.push_back(next);
    for (int reader : readers[next]) {
      if (--open[reader] == 0) ready.push(reader);
    }
  }
  return order;
}

Key KeyOf(const std::vector<Tensor>& tensors, const std::vector<int>& outputs) {
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(tensors.size()));
  for (const Tensor& tensor : tensors) {
    hasher.Add(tensor.name);
    hasher.Add(static_cast<uint64_t>(tensor.kind));
    hasher.Add(static_cast<uint64_t>(tensor.type));
    hasher.Add(static_cast<uint64_t>(tensor.shape.size()));
    for (int64_t extent : tensor.shape) hasher.Add(static_cast<uint64_t>(extent));
    if (tensor.kind != TensorKind::kDefinition) continue;
    hasher.Add(static_cast<uint64_t>(tensor.combiner));
    hasher.Add(static_cast<uint64_t>(tensor.reduce_axes.size()));
    for (const Axis& axis : tensor.reduce_axes) hasher.Add(static_cast<uint64_t>(axis.extent));
    hasher.Add(HashOf(tensor.body));
  }
  for (int output : outputs) hasher.Add(static_cast<uint64_t>(output));
  return hasher.KeyValue();
}

bool SameExtents(const std::vector<Axis>& a, const std::vector<Axis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Axis& x, const Axis& y) { return x.extent == y.extent; });
}

bool SameTensor(const Tensor& a, const Tensor& b) {
  return a.name == b.name && a.kind == b.kind && a.type == b.type && a.shape == b.shape &&
         a.combiner == b.combiner && SameExtents(a.reduce_axes, b.reduce_axes) &&
         Equal(a.body, b.body);
}

Result<void> CheckOutputs(const std::vector<Tensor>& tensors, const std::vector<int>& outputs) {
  std::set<int> seen;
  for (int output : outputs) {
    if (output < 0 || output >= static_cast<int>(tensors.size()) ||
        tensors[output].kind != TensorKind::kDefinition) {
      return Error{ErrorKind::kParse, "an output is no definition"};
    }
    if (!seen.insert(output).second) return Malformed(tensors[output], "an output twice");
  }
  if (outputs.empty()) return Error{ErrorKind::kParse, "nothing is computed: no definition"};
  return {};
}

std::vector<int> Unread(const std::vector<Tensor>& tensors,
                        const std::vector<std::set<int>>& reads) {
  std::vector<bool> is_read(tensors.size(), false);
  for (const std::set<int>& producers : reads) {
    for (int producer : producers) is_read[producer] = true;
  }
  std::vector<int> unread;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].kind == TensorKind::kDefinition && !is_read[i]) {
      unread.push_back(static_cast<int>(i));
    }
  }
  return unread;
}

}  // namespace

const char* CombinerName(Combiner combiner) {
  switch (combiner) {
    case Combiner::kNone: return "none";
    case Combiner::kSum: return "sum";
    case Combiner::kProduct: return "prod";
    case Combiner::kMax: return "max";
    case Combiner::kMin: return "min";
  }
  return "unknown";
}

Expr Identity(Combiner combiner, DType type) {
  SG_CHECK(combiner != Combiner::kNone, "only a combiner has an identity");
  if (combiner == Combiner::kSum) return Constant(type, 0);
  if (combiner == Combiner::kProduct) return Constant(type, 1);
  const bool lowest = combiner == Combiner::kMax;
  if (IsFloating(type)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return Constant(type, lowest ? -infinity : infinity);
  }
  const double limit = type == DType::kI8 ? 0x1p7 : 0x1p31;
  return Constant(type, lowest ? -limit : limit - 1);
}

Expr Combine(Combiner combiner, Expr a, Expr b) {
  switch (combiner) {
    case Combiner::kSum: return Binary(Op::kAdd, std::move(a), std::move(b));
    case Combiner::kProduct: return Binary(Op::kMultiply, std::move(a), std::move(b));
    case Combiner::kMax: return Binary(Op::kMax, std::move(a), std::move(b));
    case Combiner::kMin: return Binary(Op::kMin, std::move(a), std::move(b));
    case Combiner::kNone: break;
  }
  SG_CHECK(false, "nothing to combine with");
}

int64_t Tensor::NumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

Result<ComputeDag> ComputeDag::Create(std::vector<Tensor> tensors, std::vector<int> outputs) {
  if (auto checked = CheckTensors(tensors); !checked.ok()) return checked.error();
  tensors = SplitHalfReductions(std::move(tensors));
  const auto reads = ReadsOf(tensors);
  auto data = std::make_shared<Data>();
  data->order = Order(reads);
  if (data->order.size() != tensors.size()) {
    return Error{ErrorKind::kParse, "definitions read each other in a cycle"};
  }
  if (outputs.empty()) outputs = Unread(tensors, reads);
  if (auto checked = CheckOutputs(tensors, outputs); !checked.ok()) return checked.error();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].kind != TensorKind::kDefinition) data->inputs.push_back(static_cast<int>(i));
  }
  data->key = KeyOf(tensors, outputs);
  data->tensors = std::move(tensors);
  data->outputs = std::move(outputs);
  return ComputeDag(std::move(data));
}

bool ComputeDag::is_output(int id) const {
  return std::find(outputs().begin(), outputs().end(), id) != outputs().end();
}

int ComputeDag::Find(std::string_view name) const {
  for (int id = 0; id < size(); ++id) {
    if (tensor(id).name == name) return id;
  }
  return -1;
}

bool ComputeDag::operator==(const ComputeDag& other) const {
  if (data_ == other.data_) return true;
  if (key() != other.key()) return false;
  return outputs() == other.outputs() &&
         std::equal(tensors().begin(), tensors().end(), other.tensors().begin(),
                    other.tensors().end(), SameTensor);
}

}  // namespace schedulegym
