// What each definition reads, and how: an index is simple if it is one variable plus a constant; an
// access keeps order if its simple indices name rising axes. From that follow the classes
// elementwise, injective and reduction, and the predicates by which schedules are generated:
// strictly inlineable, needs multi-level tiling, elementwise match, common outer iterators. They
// follow Ansor (Zheng et al., OSDI 2020, section 4.1) and the access analyzer of TVM's
// auto_scheduler.
//   reuse = iterations / product over dimensions of min(extent, width of the index's bounds)
// Cost: one visit of each body and index; CommonOuterIterators follows every path between two
// tensors.
#include "env/program/analysis.h"

#include <algorithm>
#include <set>

namespace schedulegym {
namespace {

// The variable of an index that is one variable plus a constant.
std::optional<int> ShiftedVariable(const std::optional<Affine>& index) {
  if (!index || index->terms.size() != 1 || index->terms[0].second != 1) return std::nullopt;
  return index->terms[0].first;
}

std::vector<int64_t> ExtentsOf(const Tensor& tensor) {
  std::vector<int64_t> extents;
  for (const Axis& axis : tensor.axes) extents.push_back(axis.extent);
  for (const Axis& axis : tensor.reduce_axes) extents.push_back(axis.extent);
  return extents;
}

std::set<int> VariablesOf(const std::vector<Expr>& exprs) {
  std::set<int> variables;
  for (const Expr& expr : exprs) {
    Visit(expr, [&](const ExprNode& node) {
      if (node.op == Op::kVariable) variables.insert(node.id);
    });
  }
  return variables;
}

std::vector<int> MissingOf(const std::set<int>& used, const std::vector<int64_t>& extents,
                           size_t count) {
  std::vector<int> missing;
  for (size_t i = 0; i < count; ++i) {
    const int variable = static_cast<int>(i);
    if (extents[i] > 1 && !used.contains(variable)) missing.push_back(variable);
  }
  return missing;
}

void ClassifyOrder(Access* access) {
  access->is_simple = true;
  access->keeps_order = true;
  std::set<int> seen;
  int last = -1;
  for (const auto& index : access->affine) {
    const auto variable = ShiftedVariable(index);
    if (!variable) {
      access->is_simple = access->keeps_order = false;
      return;
    }
    access->repeats = access->repeats || !seen.insert(*variable).second;
    access->keeps_order = access->keeps_order && *variable > last;
    last = *variable;
  }
}

// Iterations over elements within the bounds of the indices.
double ReuseOf(const Access& access, const std::vector<int64_t>& extents, const RangeOf& range_of,
               const std::vector<int64_t>& shape) {
  double iterations = 1, elements = 1;
  for (int64_t extent : extents) iterations *= static_cast<double>(extent);
  for (size_t i = 0; i < shape.size(); ++i) {
    const Range range = BoundsOf(access.indices[i], range_of);
    elements *= static_cast<double>(std::min(shape[i], range.high - range.low + 1));
  }
  return iterations / elements;
}

Access MakeAccess(const ComputeDag& dag, const ExprNode& read,
                  const std::vector<int64_t>& extents) {
  // Axes of extent 1 keep their names here: an index that is such an axis counts as that axis.
  const RangeOf range_of = [&](int id) { return Range{0, extents[id] - 1}; };
  const RangeOf named = [&](int id) { return Range{0, std::max<int64_t>(extents[id] - 1, 1)}; };
  Access access;
  access.tensor = read.id;
  for (const Expr& index : read.args) {
    access.indices.push_back(Simplify(index, named));
    access.affine.push_back(ToAffine(access.indices.back()));
  }
  ClassifyOrder(&access);
  access.missing = MissingOf(VariablesOf(access.indices), extents, extents.size());
  access.reuse = ReuseOf(access, extents, range_of, dag.tensor(read.id).shape);
  return access;
}

bool IsTranscendental(Op op) {
  return op == Op::kExp || op == Op::kLog || op == Op::kTanh || op == Op::kSigmoid ||
         op == Op::kErf || op == Op::kPow;
}

// A select whose condition the extents decide, such as that of padding by 0, is no branch.
bool HasBranchOrCall(const Expr& body, const std::vector<int64_t>& extents) {
  const RangeOf range_of = [&](int id) { return Range{0, extents[id] - 1}; };
  bool found = false;
  Visit(Simplify(body, range_of), [&](const ExprNode& node) {
    found = found || node.op == Op::kSelect || IsTranscendental(node.op);
  });
  return found;
}

// Whether the access reads by axes in order, each at most once.
bool IsAlongAxes(const Access& access) {
  return access.is_simple && access.keeps_order && !access.repeats;
}

bool IsUnshifted(const Access& access) {
  return std::all_of(access.affine.begin(), access.affine.end(),
                     [](const auto& index) { return index && index->constant == 0; });
}

DefinitionClass ClassOf(const Tensor& tensor, const std::vector<Access>& accesses) {
  if (tensor.combiner != Combiner::kNone) return DefinitionClass::kReduction;
  bool covers = false;
  for (const Access& access : accesses) {
    if (!IsAlongAxes(access) || !IsUnshifted(access)) return DefinitionClass::kInjective;
    covers = covers || access.missing.empty();
  }
  return covers ? DefinitionClass::kElementwise : DefinitionClass::kInjective;
}

bool NeedsTiling(const Tensor& tensor, const TensorAnalysis& analysis) {
  const std::vector<int64_t> extents = ExtentsOf(tensor);
  int without = 0;
  for (int producer : analysis.producers) {
    std::set<int> used;
    for (const Access& access : analysis.accesses) {
      if (access.tensor == producer) used.merge(VariablesOf(access.indices));
    }
    if (!MissingOf(used, extents, tensor.axes.size()).empty()) ++without;
  }
  return without >= 2 || (without >= 1 && !tensor.reduce_axes.empty());
}

void AnalyzeDefinition(const ComputeDag& dag, int id, TensorAnalysis* analysis) {
  const Tensor& tensor = dag.tensor(id);
  const std::vector<int64_t> extents = ExtentsOf(tensor);
  std::set<int> producers;
  Visit(tensor.body, [&](const ExprNode& node) {
    if (node.op != Op::kRead) return;
    producers.insert(node.id);
    analysis->accesses.push_back(MakeAccess(dag, node, extents));
  });
  analysis->producers.assign(producers.begin(), producers.end());
  analysis->kind = ClassOf(tensor, analysis->accesses);
  analysis->is_output = dag.is_output(id);
  analysis->flops = CountFlops(dag, id);
  analysis->is_strictly_inlineable =
      tensor.combiner == Combiner::kNone && !HasBranchOrCall(tensor.body, extents) &&
      std::all_of(analysis->accesses.begin(), analysis->accesses.end(), IsAlongAxes);
  analysis->needs_multi_level_tiling = NeedsTiling(tensor, *analysis);
}

}  // namespace

bool Access::is_affine() const {
  return std::all_of(affine.begin(), affine.end(),
                     [](const auto& index) { return index.has_value(); });
}

const char* DefinitionClassName(DefinitionClass kind) {
  switch (kind) {
    case DefinitionClass::kInput: return "input";
    case DefinitionClass::kElementwise: return "elementwise";
    case DefinitionClass::kInjective: return "injective";
    case DefinitionClass::kReduction: return "reduction";
  }
  return "unknown";
}

int64_t CountBytes(const ComputeDag& dag) {
  int64_t bytes = 0;
  for (int id = 0; id < dag.size(); ++id) {
    const Tensor& tensor = dag.tensor(id);
    const bool counts = tensor.kind != TensorKind::kDefinition || dag.is_output(id);
    if (counts) bytes += tensor.NumElements() * SizeInBytes(tensor.type);
  }
  return bytes;
}

DagAnalysis Analyze(const ComputeDag& dag) {
  DagAnalysis analysis;
  analysis.tensors.resize(static_cast<size_t>(dag.size()));
  for (int id = 0; id < dag.size(); ++id) {
    if (dag.tensor(id).kind != TensorKind::kDefinition) continue;
    TensorAnalysis& tensor = analysis.tensors[id];
    AnalyzeDefinition(dag, id, &tensor);
    analysis.flops += tensor.flops;
    for (int producer : tensor.producers) analysis.tensors[producer].consumers.push_back(id);
  }
  analysis.bytes = CountBytes(dag);
  return analysis;
}

bool DagAnalysis::IsElementwiseMatch(const ComputeDag& dag, int producer, int consumer) const {
  for (int current = producer; current != consumer;) {
    if (tensors[current].consumers.size() != 1) return false;
    const int reader = tensors[current].consumers[0];
    if (dag.tensor(reader).shape != dag.tensor(current).shape) return false;
    const auto rank = static_cast<int>(dag.tensor(current).shape.size());
    for (const Access& access : tensors[reader].accesses) {
      if (access.tensor != current) continue;
      if (!IsAlongAxes(access)) return false;
      for (int i = 0; i < rank; ++i) {
        if (ShiftedVariable(access.affine[i]) != i) return false;
      }
    }
    current = reader;
  }
  return true;
}

int DagAnalysis::CommonOuterIterators(const ComputeDag& dag, int producer, int consumer) const {
  if (producer == consumer) return static_cast<int>(dag.tensor(producer).shape.size());
  std::optional<int> common;
  for (int reader : tensors[producer].consumers) {
    int beyond = CommonOuterIterators(dag, reader, consumer);
    const std::vector<int64_t>& from = dag.tensor(producer).shape;
    const std::vector<int64_t>& to = dag.tensor(reader).shape;
    const bool reaches = reader == consumer || beyond > 0;
    if (!reaches) continue;
    beyond = std::min(beyond, static_cast<int>(std::min(from.size(), to.size())));
    for (const Access& access : tensors[reader].accesses) {
      if (access.tensor != producer) continue;
      int matching = 0;
      while (matching < beyond && from[matching] == to[matching] &&
             ShiftedVariable(access.affine[matching]) == matching) {
        ++matching;
      }
      beyond = matching;
    }
    common = std::min(common.value_or(beyond), beyond);
  }
  return common.value_or(0);
}

}  // namespace schedulegym
