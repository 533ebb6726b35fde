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
#include "env/features/task_numbers.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {
namespace {

using Layout = TaskNumbersLayout;
constexpr int kMostRows = 64;
constexpr size_t kMostTasks = 256;  // that are remembered

// Analyses each computation once. Thread-safe.
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
  int size() const override { return Layout::Size(rows_); }
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
    std::ranges::copy(TargetNumbers(context.task.target), numbers.begin());
    const DagMemory::Numbers dag = memory_.Of(context.task.dag, rows_);
    std::ranges::copy(*dag, numbers.begin() + Layout::kTarget);
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
