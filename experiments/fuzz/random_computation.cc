#include "experiments/fuzz/random_computation.h"

#include <vector>

#include "env/base/text.h"
#include "env/program/parser.h"
#include "experiments/fuzz/differential.h"

namespace schedulegym {
namespace {

struct Named {
  std::string name;
  int64_t extent;
};

struct Known {
  std::string name;
  std::vector<int64_t> shape;
};

// Writes `.dag` text; what the parser refuses is drawn again.
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
  int64_t Extent() { return rng_.Chance(0.1) ? 1 : 2 + rng_.Below(rng_.Chance(0.3) ? 16 : 7); }

  void AddInput() {
    Known tensor{"A" + std::to_string(known_.size()), {}};
    for (int64_t i = 1 + rng_.Below(3); i > 0; --i) tensor.shape.push_back(Extent());
    text_ += (rng_.Chance(0.4) ? "weight " : "input ") + tensor.name + "[" +
             Join(tensor.shape, ", ") + "]" + type_ + "\n";
    known_.push_back(std::move(tensor));
  }

  static std::string List(const std::vector<Named>& axes) {
    std::vector<std::string> items;
    for (const Named& axis : axes) items.push_back(axis.name + ":" + std::to_string(axis.extent));
    return Join(items, ", ");
  }

  void AddDefinition() {
    Known tensor{"T" + std::to_string(known_.size()), {}};
    axes_.clear();
    for (int64_t i = rng_.Below(8) == 0 ? 0 : 1 + rng_.Below(3); i > 0; --i) {
      axes_.push_back({std::string(1, "ijl"[axes_.size()]), Extent()});
      tensor.shape.push_back(axes_.back().extent);
    }
    const std::vector<Named> spatial = axes_;
    std::vector<Named> reduction;
    if (rng_.Chance(0.5)) {
      for (int64_t i = 1 + rng_.Below(2); i > 0; --i) {
        reduction.push_back({std::string(1, "kr"[reduction.size()]), Extent()});
        axes_.push_back(reduction.back());
      }
    }
    text_ += tensor.name + "[" + List(spatial) + "] = ";
    constexpr const char* kCombiners[] = {"sum", "sum", "sum", "max", "min", "prod"};
    if (!reduction.empty()) {
      text_ += std::string(kCombiners[rng_.Below(6)]) + "(" + List(reduction) + ") ";
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
      case 3: return axes_.empty() ? a : "select(" + Condition() + ", " + a + ", " + b + ")";
      default: return "(" + a + " * " + b + ")";
    }
  }

  std::string Term() {
    if (rng_.Chance(0.1)) return std::to_string(rng_.Below(5));
    // Later tensors more often, so that chains are long.
    const auto count = static_cast<int64_t>(known_.size());
    const Known& tensor = known_[std::max(rng_.Below(count), rng_.Below(count))];
    std::vector<std::string> indices, conditions;
    for (int64_t extent : tensor.shape) indices.push_back(Index(extent, conditions));
    const std::string read = tensor.name + "[" + Join(indices, ", ") + "]";
    if (conditions.empty()) return read;
    return "select(" + Join(conditions, " && ") + ", " + read + ", 0)";
  }

  const Named& Axis() { return axes_[rng_.Below(static_cast<int64_t>(axes_.size()))]; }

  std::string Condition() {
    const Named& axis = Axis();
    const std::string bound = std::to_string(rng_.Below(axis.extent + 1));
    constexpr const char* kComparisons[] = {" < ", " >= ", " == ", " % 2 == 0 && 0 <= "};
    return axis.name + kComparisons[rng_.Below(4)] + bound;
  }

  // An index of a dimension of this extent; what could leave it adds a condition or wraps around.
  std::string Index(int64_t extent, std::vector<std::string>& conditions) {
    if (axes_.empty() || rng_.Chance(0.05)) return std::to_string(rng_.Below(extent));
    const Named& a = Axis();
    const Named& b = Axis();
    const std::string whole = std::to_string(extent);
    if (rng_.Chance(0.5) && a.extent <= extent) {
      return rng_.Chance(0.15) ? std::to_string(a.extent - 1) + " - " + a.name : a.name;
    }
    const int64_t step = 1 + rng_.Below(3), shift = rng_.Below(4);
    const std::string scaled = step == 1 ? a.name : a.name + " * " + std::to_string(step);
    const std::string window = a.name == b.name ? scaled : scaled + " + " + b.name;
    switch (rng_.Below(4)) {
      case 0: return "(" + window + " + " + std::to_string(shift) + ") % " + whole;
      case 1: return "(" + a.name + " // " + std::to_string(step + 1) + ") % " + whole;
      default: {
        const std::string index = window + " - " + std::to_string(shift);
        conditions.push_back(index + " >= 0 && " + index + " < " + whole);
        return index;
      }
    }
  }

  Rng& rng_;
  std::string text_;
  std::string type_;
  std::vector<Known> known_;
  std::vector<Named> axes_;  // of the definition being written
};

}  // namespace

ComputeDag RandomComputation(Rng& rng) {
  while (true) {
    const auto dag = ParseDag(Writer(rng).Run(), "random.dag");
    if (dag && IsExact(*dag)) return *dag;
  }
}

}  // namespace schedulegym
