#include "env/features/task_numbers.h"

#include <algorithm>

#include "env/features/scaled_numbers.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

using Layout = TaskNumbersLayout;
constexpr int kSpatial = 6, kReduction = 4;
constexpr double kMostReads = 16;
constexpr double kMostElementBytes = 8;

// Flops and bytes have more doublings than a loop's extent.
float Scaled(double value) { return Log2Scaled(value, 48); }
float Scaled(int64_t value) { return Scaled(static_cast<double>(value)); }

int64_t BytesOf(const Tensor& tensor) { return tensor.NumElements() * SizeInBytes(tensor.type); }

bool IsFunction(Op op) { return (op >= Op::kExp && op <= Op::kErf) || op == Op::kPow; }

template <typename Predicate>
bool Any(const ExprNode& node, const Predicate& predicate) {
  return predicate(node.op) || std::any_of(node.args.begin(), node.args.end(),
                                           [&](const Expr& arg) { return Any(*arg, predicate); });
}

void WriteExtents(const std::vector<Axis>& axes, std::span<float> numbers) {
  const size_t count = std::min(axes.size(), numbers.size());
  for (size_t i = 0; i < count; ++i) numbers[i] = Scaled(axes[i].extent);
}

void WriteDefinition(const ComputeDag& dag, const DagAnalysis& analysis, int id,
                     std::span<float> row) {
  const Tensor& tensor = dag.tensor(id);
  const TensorAnalysis& facts = analysis.tensors[id];
  int64_t read = 0;
  for (int producer : facts.producers) read += BytesOf(dag.tensor(producer));
  row[0] = 1;
  row[1] = facts.is_output ? 1 : 0;
  row[1 + static_cast<int>(facts.kind)] = 1;  // from 2 on
  if (tensor.combiner != Combiner::kNone) row[4 + static_cast<int>(tensor.combiner)] = 1;
  row[9] = facts.needs_multi_level_tiling ? 1 : 0;
  row[10] = facts.is_strictly_inlineable ? 1 : 0;
  row[11] = Any(*tensor.body, IsFunction) ? 1 : 0;
  row[12] = Any(*tensor.body, [](Op op) { return op == Op::kSelect; }) ? 1 : 0;
  row[13] = Scaled(facts.flops);
  row[14] = Scaled(BytesOf(tensor));
  row[15] = Scaled(read);
  row[16] = Share(static_cast<double>(facts.accesses.size()), kMostReads);
  row[17] = Share(static_cast<double>(SizeInBytes(tensor.type)), kMostElementBytes);
  WriteExtents(tensor.axes, row.subspan(18, kSpatial));
  WriteExtents(tensor.reduce_axes, row.subspan(18 + kSpatial, kReduction));
}

// Whether the body computes with values by the operator; how it indexes does not count.
bool Computes(const Tensor& tensor, Op op) {
  bool found = false;
  Visit(tensor.body,
        [&](const ExprNode& node) { found |= node.op == op && node.type != DType::kIndex; });
  return found;
}

// TenSet's index of a kind of a sum of products.
int ProductWord(const Tensor& tensor, const TensorAnalysis& facts) {
  const bool has_window =
      std::ranges::any_of(facts.accesses, [](const Access& access) { return !access.is_simple; });
  bool shares_axis = false;  // no operand lacks it
  for (size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    shares_axis |=
        tensor.axes[axis].extent > 1 &&
        std::ranges::none_of(facts.accesses, [&](const Access& access) {
          return std::ranges::find(access.missing, static_cast<int>(axis)) != access.missing.end();
        });
  }
  if (has_window) return shares_axis ? WordPlaces::kDepthwise : WordPlaces::kConvolution;
  return shares_axis ? WordPlaces::kBatched : WordPlaces::kDense;
}

}  // namespace

std::vector<float> WordNumbers(const ComputeDag& dag) {
  std::vector<float> words(WordPlaces::kWidth);
  const DagAnalysis analysis = Analyze(dag);
  bool has_exp = false, has_quotient = false;
  for (int id = 0; id < dag.size(); ++id) {
    const Tensor& tensor = dag.tensor(id);
    if (tensor.kind != TensorKind::kDefinition) continue;
    const TensorAnalysis& facts = analysis.tensors[id];
    const auto note = [&](int place, bool is_there) {
      if (is_there) words[place] = 1;
    };
    note(WordPlaces::kMax, tensor.combiner == Combiner::kMax || Computes(tensor, Op::kMax));
    note(WordPlaces::kMin, tensor.combiner == Combiner::kMin || Computes(tensor, Op::kMin));
    note(WordPlaces::kAdd, Computes(tensor, Op::kAdd));
    const bool is_product = tensor.combiner == Combiner::kSum && facts.accesses.size() == 2 &&
                            Computes(tensor, Op::kMultiply);
    if (is_product) words[ProductWord(tensor, facts)] = 1;
    has_exp |= Computes(tensor, Op::kExp);
    has_quotient |= Computes(tensor, Op::kDivide);
  }
  if (has_exp && has_quotient) words[WordPlaces::kSoftmax] = 1;
  return words;
}

std::vector<float> DagNumbers(const ComputeDag& dag, int rows) {
  std::vector<float> numbers(Layout::kDag + static_cast<size_t>(rows) * Layout::kRow);
  const DagAnalysis analysis = Analyze(dag);
  const std::vector<int>& order = dag.topological_order();
  int definitions = 0;
  for (size_t i = order.size(); i-- > 0;) {
    if (dag.tensor(order[i]).kind != TensorKind::kDefinition) continue;
    if (definitions < rows) {
      const size_t at = Layout::kDag + static_cast<size_t>(definitions) * Layout::kRow;
      WriteDefinition(dag, analysis, order[i], std::span(numbers).subspan(at, Layout::kRow));
    }
    ++definitions;
  }
  numbers[0] = Scaled(analysis.flops);
  numbers[1] = Scaled(analysis.bytes);
  numbers[2] = Scaled(analysis.flops / static_cast<double>(analysis.bytes));
  numbers[3] = Share(definitions, rows);
  numbers[4] = definitions > rows ? 1 : 0;
  return numbers;
}

std::vector<float> TargetNumbers(const Target& target) {
  std::vector<float> all(Layout::kTarget);
  std::span<float> numbers = all;
  const int64_t logarithms[] = {target.cores,      target.vector_bits, target.vector_registers,
                                target.l1_bytes,   target.l2_bytes,    target.l3_bytes,
                                target.line_bytes, target.memory_bytes};
  for (int64_t value : logarithms) {
    numbers.front() = Scaled(value);
    numbers = numbers.subspan(1);
  }
  numbers[0] = target.warm ? 1 : 0;
  numbers[1] = target.backend == BackendKind::kInterpreter ? 1 : 0;
  numbers[2] = target.backend == BackendKind::kLlvm ? 1 : 0;
  numbers[3] = target.IsGpu() ? 1 : 0;
  return all;
}

}  // namespace schedulegym
