// The observation `task(definitions=8)`: 12 numbers of the target, 5 of the computation, then 28
// for each definition, the last first; all within [0, 1], numbers x as log2(1 + x) / 48. Meanings
// of the columns are in FeatureNames. Shape (17 + 28 * definitions,) of f32. A computation is
// analysed once and remembered by its key, up to 256 of them, under a mutex. Cost: a copy.
#include "env/gym/observations/builtin_observations.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "env/base/hash.h"
#include "env/base/option_range.h"
#include "env/gym/observations/observation.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr int kTarget = 12;  // numbers of the target
constexpr int kDag = 5;      // of the computation as a whole
constexpr int kSpatial = 6, kReduction = 4;
constexpr int kRow = 18 + kSpatial + kReduction;
constexpr int kMostRows = 64;
constexpr double kMostReads = 16;
constexpr double kMostElementBytes = 8;
constexpr size_t kMostTasks = 256;  // that are remembered

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

std::vector<float> DagNumbers(const ComputeDag& dag, int rows) {
  std::vector<float> numbers(kDag + static_cast<size_t>(rows) * kRow);
  const DagAnalysis analysis = Analyze(dag);
  const std::vector<int>& order = dag.topological_order();
  int definitions = 0;
  for (size_t i = order.size(); i-- > 0;) {
    if (dag.tensor(order[i]).kind != TensorKind::kDefinition) continue;
    if (definitions < rows) {
      const size_t at = kDag + static_cast<size_t>(definitions) * kRow;
      WriteDefinition(dag, analysis, order[i], std::span(numbers).subspan(at, kRow));
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

void WriteTarget(const Target& target, std::span<float> numbers) {
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
}

// Analyses each computation once. Threads may ask at once.
class DagMemory {
 public:
  using Numbers = std::shared_ptr<const std::vector<float>>;

  Numbers Of(const ComputeDag& dag, int rows) const {
    {
      const std::lock_guard lock(mutex_);
      const auto found = known_.find(dag.key());
      if (found != known_.end()) return found->second;
    }
    auto numbers = std::make_shared<const std::vector<float>>(DagNumbers(dag, rows));
    const std::lock_guard lock(mutex_);
    if (known_.size() == kMostTasks) known_.clear();
    known_[dag.key()] = numbers;
    return numbers;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<Key, Numbers> known_;
};

class TaskObservation : public Observation {
 public:
  TaskObservation(std::string name, int rows) : name_(std::move(name)), rows_(rows) {}

  std::string Name() const override { return name_; }
  int size() const override { return kTarget + kDag + rows_ * kRow; }
  Bounds bounds() const override { return {0, 1}; }

  std::string FeatureNames() const override {
    return "logarithms are log2(1 + x) as shares of 48 doublings\n"
           "0: logarithm of the target's cores\n"
           "1: the same of the bits of a vector\n"
           "2: of vector registers\n"
           "3..5: of bytes of the caches of level 1, 2 and 3\n"
           "6: of bytes of a cache line\n"
           "7: of bytes of memory, 0 unknown\n"
           "8: 1 where caches are warm\n"
           "9..11: 1 for the interpreter, for llvm, for cuda\n"
           "12: logarithm of the computation's flops\n"
           "13: of the bytes of inputs, weights and outputs\n"
           "14: of flops for each such byte\n"
           "15: share of the rows that hold a definition\n"
           "16: 1 where definitions are left out for want of rows\n"
           "then for each definition:\n"
           "0: 1, the mask of the row\n"
           "1: 1 for an output\n"
           "2..4: 1 for one element by element, for one that reads elsewhere, for a reduction\n"
           "5..8: 1 for a sum, a product, a maximum, a minimum\n"
           "9: 1 where tiling pays\n"
           "10: 1 where it may be inlined at once\n"
           "11: 1 where it has functions such as exp\n"
           "12: 1 where it has a select\n"
           "13: logarithm of its flops\n"
           "14: of its bytes\n"
           "15: of the bytes of the tensors that it reads\n"
           "16: reads, as a share of 16\n"
           "17: bytes of an element, as a share of 8\n"
           "18..23: logarithms of the extents of its first 6 axes\n"
           "24..27: of its first 4 reduction axes\n";
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    WriteTarget(context.task.target, numbers.first(kTarget));
    const DagMemory::Numbers dag = memory_.Of(context.task.dag, rows_);
    std::copy(dag->begin(), dag->end(), numbers.begin() + kTarget);
  }

 private:
  std::string name_;
  int rows_;
  DagMemory memory_;
};

}  // namespace

std::unique_ptr<Observation> MakeTaskObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const int rows = ReadCount(reader, "observation task", {"definitions", 8, kMostRows});
  reader.Finish();
  return std::make_unique<TaskObservation>(spec.ToText(), rows);
}

}  // namespace schedulegym
