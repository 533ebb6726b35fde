#include "tests/fuzz/computations/random_computation.h"

#include <vector>

#include "env/base/text.h"
#include "env/program/language/parser.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/fuzz/computations/random_reads.h"

namespace schedulegym {
namespace {

struct Known {
  std::string name;
  std::vector<int64_t> shape;
};

// Writes `.dag` text; texts that the parser refuses are drawn again.
class Writer {
 public:
  explicit Writer(Rng& rng) : rng_(rng) {}

  std::string Run() {
    constexpr const char* kTypes[] = {": i32", ": i32", ": i8", ""};
    type_ = kTypes[rng_.Below(4)];
    for (int64_t i = 1 + rng_.Below(3); i > 0; --i) AddInput();
    for (int64_t i = 1 + rng_.Below(5); i > 0; --i) AddDefinition();
    return text_;
  }

 private:
  void AddInput() {
    Known tensor{"A" + std::to_string(known_.size()), {}};
    for (int64_t i = 1 + rng_.Below(3); i > 0; --i) tensor.shape.push_back(RandomExtent(rng_));
    text_ += (rng_.Chance(0.4) ? "weight " : "input ") + tensor.name + "[" +
             Join(tensor.shape, ", ") + "]" + type_ + "\n";
    known_.push_back(std::move(tensor));
  }

  void AddDefinition() {
    Known tensor{"T" + std::to_string(known_.size()), {}};
    axes_.clear();
    for (int64_t i = rng_.Below(8) == 0 ? 0 : 1 + rng_.Below(3); i > 0; --i) {
      axes_.push_back({std::string(1, "ijl"[axes_.size()]), RandomExtent(rng_)});
      tensor.shape.push_back(axes_.back().extent);
    }
    const std::vector<NamedExtent> spatial = axes_;
    std::vector<NamedExtent> reduction;
    if (rng_.Chance(0.5)) {
      for (int64_t i = 1 + rng_.Below(2); i > 0; --i) {
        reduction.push_back({std::string(1, "kr"[reduction.size()]), RandomExtent(rng_)});
        axes_.push_back(reduction.back());
      }
    }
    text_ += tensor.name + "[" + AxisList(spatial) + "] = ";
    constexpr const char* kCombiners[] = {"sum", "sum", "sum", "max", "min", "prod"};
    if (!reduction.empty()) {
      text_ += std::string(kCombiners[rng_.Below(6)]) + "(" + AxisList(reduction) + ") ";
    }
    text_ += Value(2) + "\n";
    known_.push_back(std::move(tensor));
  }

  std::string Value(int depth) {
    if (depth == 0 || rng_.Chance(0.35)) return Term();
    const std::string a = Value(depth - 1), b = Value(depth - 1);
    switch (rng_.Below(6)) {
      case 0: return "(" + a + " - " + b + ")";
      case 1: return "(" + a + " + " + b + ")";
      case 2: return "max(" + a + ", " + b + ")";
      case 3:
        return axes_.empty()
                   ? a
                   : "select(" + RandomReads(rng_, axes_).Condition() + ", " + a + ", " + b + ")";
      default: return "(" + a + " * " + b + ")";
    }
  }

  std::string Term() {
    if (rng_.Chance(0.1)) return std::to_string(rng_.Below(5));
    // Later tensors more often, so that chains are long.
    const auto count = static_cast<int64_t>(known_.size());
    const Known& tensor = known_[std::max(rng_.Below(count), rng_.Below(count))];
    return RandomReads(rng_, axes_).Read(tensor.name, tensor.shape, "0");
  }

  Rng& rng_;
  std::string text_;
  std::string type_;
  std::vector<Known> known_;
  std::vector<NamedExtent> axes_;  // of the definition being written
};

}  // namespace

ComputeDag RandomComputation(Rng& rng) {
  while (true) {
    const auto dag = ParseDag(Writer(rng).Run(), "random.dag");
    if (dag && IsExact(*dag)) return *dag;
  }
}

}  // namespace schedulegym
