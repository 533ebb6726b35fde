// Makes a computation of a `.dag` text: syntax, then parameters (overrides replace values),
// extents, and definitions in the order of a depth-first search over reads, with a stack of its own
// so that long chains cannot exhaust the thread's. A read of an open definition is a cycle. Each
// body is emitted, then every index of every read must be proven within its tensor
// (FindUnprovenRead). Extents are at least 1, a tensor's elements and iterations fewer than 2^62.
// All errors name file, line and column.
#include "env/program/language/parser.h"

#include <algorithm>
#include <map>
#include <set>

#include "env/base/text.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/language/bounds.h"
#include "env/program/language/emit.h"
#include "env/program/language/syntax.h"

namespace schedulegym {
namespace {

using Overrides = std::vector<std::pair<std::string, int64_t>>;

// Turns a parsed file into tensors: names, extents, order, types, bounds.
class Elaboration {
 public:
  Elaboration(const FileSyntax& file, const Overrides& overrides) : file_(file) {
    DefineParameters(overrides);
    for (size_t i = 0; i < file.tensors.size(); ++i) DeclareTensor(static_cast<int>(i));
  }

  Result<ComputeDag> Run() {
    for (int id : DefinitionOrder()) Define(id);
    return ComputeDag::Create(std::move(tensors_), Outputs());
  }

 private:
  void DefineParameters(const Overrides& overrides) {
    std::vector<std::string> known;
    for (const ParameterSyntax& parameter : file_.parameters) {
      if (!parameters_.emplace(parameter.name, parameter.value).second) {
        throw SourceError(parameter.place, "parameter '" + parameter.name + "' is defined twice");
      }
      known.push_back(parameter.name);
    }
    for (const auto& [name, value] : overrides) {
      const auto found = parameters_.find(name);
      if (found == parameters_.end()) {
        throw SourceError({1, 1}, UnknownName("parameter", name, known));
      }
      found->second = value;
    }
  }

  // All but the body of a definition.
  void DeclareTensor(int id) {
    const TensorSyntax& syntax = file_.tensors[id];
    Tensor tensor;
    tensor.name = syntax.name;
    tensor.kind = syntax.kind;
    tensor.type = syntax.type;
    for (const Syntax& extent : syntax.extents) tensor.shape.push_back(ExtentOf(extent, "extent"));
    tensor.axes = AxesOf(syntax.axes);
    for (const Axis& axis : tensor.axes) tensor.shape.push_back(axis.extent);
    tensor.combiner = syntax.combiner;
    tensor.reduce_axes = AxesOf(syntax.reduce_axes);
    CheckSizes(syntax, tensor);
    if (!facts_.emplace(syntax.name, TensorFacts{id, tensor.type, tensor.shape.size()}).second) {
      throw SourceError(syntax.place, "tensor '" + syntax.name + "' is defined twice");
    }
    shapes_.push_back(tensor.shape);
    tensors_.push_back(std::move(tensor));
  }

  std::vector<Axis> AxesOf(const std::vector<AxisSyntax>& syntax) const {
    std::vector<Axis> axes;
    for (const AxisSyntax& axis : syntax) {
      axes.push_back({axis.name, ExtentOf(axis.extent, "extent of axis '" + axis.name + "'")});
    }
    return axes;
  }

  int64_t ExtentOf(const Syntax& syntax, const std::string& what) const {
    const int64_t extent = EvaluateExtent(syntax, parameters_);
    if (extent >= 1) return extent;
    throw SourceError(syntax.place,
                      what + " is " + std::to_string(extent) + ", expected at least 1");
  }

  static void CheckSizes(const TensorSyntax& syntax, const Tensor& tensor) {
    __int128 points = 1;
    const auto multiply = [&](int64_t extent, const char* what) {
      points *= extent;
      if (points < kUnbounded) return;
      throw SourceError(syntax.place, "'" + syntax.name + "' has too many " + what +
                                          ", expected fewer than 2^62");
    };
    for (int64_t extent : tensor.shape) multiply(extent, "elements");
    for (const Axis& axis : tensor.reduce_axes) multiply(axis.extent, "iterations");
  }

  // Definitions in an order in which each follows those that it reads; throws on a cycle.
  std::vector<int> DefinitionOrder() {
    marks_.assign(file_.tensors.size(), Mark::kNew);
    std::vector<int> order;
    for (size_t i = 0; i < file_.tensors.size(); ++i) Descend(static_cast<int>(i), &order);
    return order;
  }

  struct Use {
    int id;
    Place place;
  };

  void CollectUses(const Syntax& syntax, std::vector<Use>* uses) const {
    if (syntax.kind == Syntax::Kind::kRead) {
      const auto found = facts_.find(syntax.name);
      if (found != facts_.end()) uses->push_back({found->second.id, syntax.place});
    }
    for (const Syntax& arg : syntax.args) CollectUses(arg, uses);
  }

  // Depth-first search with an explicit stack, as chains of definitions may be long.
  void Descend(int root, std::vector<int>* order) {
    struct Frame {
      int id;
      std::vector<Use> uses;
      size_t next = 0;
    };
    std::vector<Frame> stack;
    const auto enter = [&](int id) {
      if (marks_[id] != Mark::kNew) return;
      marks_[id] = Mark::kOpen;
      stack.push_back({id, {}, 0});
      if (file_.tensors[id].kind == TensorKind::kDefinition) {
        CollectUses(file_.tensors[id].body, &stack.back().uses);
      }
    };
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.uses.size()) {
        marks_[top.id] = Mark::kDone;
        if (file_.tensors[top.id].kind == TensorKind::kDefinition) order->push_back(top.id);
        stack.pop_back();
        continue;
      }
      const Use use = top.uses[top.next++];
      if (marks_[use.id] == Mark::kOpen) {
        std::vector<std::string> cycle;
        for (const Frame& frame : stack) cycle.push_back(file_.tensors[frame.id].name);
        const std::string& again = file_.tensors[use.id].name;
        cycle.erase(cycle.begin(), std::find(cycle.begin(), cycle.end(), again));
        throw SourceError(use.place, "definitions read each other in a cycle: " +
                                         Join(cycle, " reads ") + " reads " + again);
      }
      enter(use.id);
    }
  }

  void Define(int id) {
    const TensorSyntax& syntax = file_.tensors[id];
    Tensor& tensor = tensors_[id];
    Scope scope = ScopeOf(syntax, tensor);
    const EmittedBody emitted = EmitBody(syntax.body, scope);
    tensor.body = emitted.body;
    tensor.type = emitted.body->type;
    facts_[syntax.name].type = tensor.type;
    CheckBounds(emitted, scope, tensor);
  }

  Scope ScopeOf(const TensorSyntax& syntax, const Tensor& tensor) const {
    Scope scope;
    scope.parameters = &parameters_;
    scope.tensors = &facts_;
    const auto add = [&](const AxisSyntax& axis, int64_t extent) {
      const int variable = static_cast<int>(scope.extents.size());
      scope.extents.push_back(extent);
      if (scope.axes.emplace(axis.name, variable).second) return;
      throw SourceError(axis.place, "axis '" + axis.name + "' is named twice");
    };
    for (size_t i = 0; i < syntax.axes.size(); ++i) add(syntax.axes[i], tensor.axes[i].extent);
    for (size_t i = 0; i < syntax.reduce_axes.size(); ++i) {
      add(syntax.reduce_axes[i], tensor.reduce_axes[i].extent);
    }
    return scope;
  }

  void CheckBounds(const EmittedBody& emitted, const Scope& scope, const Tensor& tensor) const {
    const auto fault = FindUnprovenRead(emitted.body, scope.extents, shapes_);
    if (!fault) return;
    Place place;
    for (const auto& [read, where] : emitted.reads) {
      if (read == fault->read) place = where;
    }
    const Expr& index = fault->read->args[fault->dimension];
    const Tensor& read = tensors_[fault->read->id];
    throw SourceError(place, "cannot prove index " + std::to_string(fault->dimension) + " of '" +
                                 read.name + "' in bounds: " + IndexText(index, tensor) + " is " +
                                 std::to_string(fault->possible.low) + " to " +
                                 std::to_string(fault->possible.high) +
                                 " before conditions, expected 0 to " +
                                 std::to_string(read.shape[fault->dimension] - 1));
  }

  static std::string IndexText(const Expr& index, const Tensor& tensor) {
    std::vector<std::string> axes;
    for (const Axis& axis : tensor.axes) axes.push_back(axis.name);
    for (const Axis& axis : tensor.reduce_axes) axes.push_back(axis.name);
    return ToText(index, {[&](int id) { return axes[id]; }, [](int) { return std::string(); }});
  }

  std::vector<int> Outputs() const {
    std::vector<int> outputs;
    std::set<int> seen;
    std::vector<std::string> known;
    for (const TensorSyntax& tensor : file_.tensors) {
      if (tensor.kind == TensorKind::kDefinition) known.push_back(tensor.name);
    }
    if (known.empty()) throw SourceError({1, 1}, "nothing is computed, expected a definition");
    for (const OutputSyntax& output : file_.outputs) {
      const auto found = facts_.find(output.name);
      const bool defined =
          found != facts_.end() && tensors_[found->second.id].kind == TensorKind::kDefinition;
      if (!defined) {
        throw SourceError(output.place, UnknownName("definition", output.name, known));
      }
      const int id = found->second.id;
      if (!seen.insert(id).second) {
        throw SourceError(output.place, "'" + output.name + "' is an output twice");
      }
      outputs.push_back(id);
    }
    return outputs;
  }

  enum class Mark : uint8_t { kNew, kOpen, kDone };

  const FileSyntax& file_;
  std::map<std::string, int64_t> parameters_;
  std::map<std::string, TensorFacts> facts_;
  std::vector<Tensor> tensors_;
  std::vector<std::vector<int64_t>> shapes_;  // by tensor
  std::vector<Mark> marks_;
};

}  // namespace

Result<ComputeDag> ParseDag(std::string_view text, const std::string& file_name,
                            const Overrides& parameter_overrides) {
  try {
    const FileSyntax file = ParseSyntax(text);
    return Elaboration(file, parameter_overrides).Run();
  } catch (const SourceError& error) {
    const Place place = error.place();
    return Error{ErrorKind::kParse, file_name + ":" + std::to_string(place.line) + ":" +
                                        std::to_string(place.column) + ": " + error.what()};
  }
}

}  // namespace schedulegym
