// Grammar-based generation: a definition's value is expanded from the grammar's rules, each typed,
// until the depth is used up (as in P. Purdom, A sentence generator for testing parsers, 1972, with
// chance in place of his coverage rule).
#include "tests/fuzz/computations/grammar_computation.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "env/base/text.h"
#include "env/program/language/parser.h"
#include "tests/fuzz/computations/random_reads.h"

namespace schedulegym {
namespace {

// Weighted, so that each type has every operation often enough.
constexpr DType kTypes[] = {DType::kF32, DType::kF32, DType::kF32, DType::kF64, DType::kF64,
                            DType::kF64, DType::kI32, DType::kI32, DType::kI8,  DType::kI8};
constexpr int kDepth = 3;

// Joins the parts in order: random parts are drawn in reading order, by every compiler.
std::string Text(std::initializer_list<std::string> parts) { return Join(std::vector(parts), ""); }

struct Known {
  std::string name;
  DType type;
  std::vector<int64_t> shape;
};

class GrammarWriter {
 public:
  GrammarWriter(Rng& rng, const GrammarOptions& options)
      : rng_(rng), with_halves_(rng.Chance(options.halves)) {}

  std::string Run() {
    // Most computations use one or two types, like those of people.
    home_ = AnyType();
    for (int64_t i = 1 + rng_.Below(3); i > 0; --i) AddInput();
    for (int64_t i = 1 + rng_.Below(4); i > 0; --i) AddDefinition();
    if (rng_.Chance(0.3)) AddOutputs();
    return text_;
  }

 private:
  DType AnyType() { return kTypes[rng_.Below(std::size(kTypes))]; }
  DType SomeType() { return rng_.Chance(0.65) ? home_ : AnyType(); }

  template <size_t N>
  std::string Any(const std::array<const char*, N>& words) {
    return words[rng_.Below(static_cast<int64_t>(N))];
  }

  void AddInput() {
    Known tensor{"A" + std::to_string(known_.size()), SomeType(), {}};
    for (int64_t i = 1 + rng_.Below(3); i > 0; --i) tensor.shape.push_back(RandomExtent(rng_));
    text_ += (rng_.Chance(0.3) ? "weight " : "input ") + tensor.name + "[" +
             Join(tensor.shape, ", ") + "]: " + DTypeName(tensor.type) + "\n";
    known_.push_back(std::move(tensor));
  }

  void AddDefinition() {
    Known tensor{"T" + std::to_string(known_.size()), SomeType(), {}};
    axes_.clear();
    for (int64_t i = rng_.Below(10) == 0 ? 0 : 1 + rng_.Below(3); i > 0; --i) {
      axes_.push_back({std::string(1, "ijl"[axes_.size()]), RandomExtent(rng_)});
      tensor.shape.push_back(axes_.back().extent);
    }
    text_ += Text({tensor.name, "[", AxisList(axes_), "] = "});
    text_ += Reduction();
    text_ += Value(tensor.type, static_cast<int>(1 + rng_.Below(kDepth))) + "\n";
    known_.push_back(std::move(tensor));
  }

  // Returns "" or "sum(k:3) ", and adds its axes.
  std::string Reduction() {
    if (rng_.Chance(0.55)) return "";
    std::vector<NamedExtent> reduced;
    for (int64_t i = 1 + rng_.Below(2); i > 0; --i) {
      reduced.push_back({std::string(1, "kr"[reduced.size()]), RandomExtent(rng_)});
    }
    axes_.insert(axes_.end(), reduced.begin(), reduced.end());
    return Text({Any<5>({"sum", "sum", "max", "min", "prod"}), "(", AxisList(reduced), ") "});
  }

  // Definitions with readers are outputs, too.
  void AddOutputs() {
    for (const Known& tensor : known_) {
      if (tensor.name[0] == 'T') text_ += "output " + tensor.name + "\n";
    }
  }

  std::string Literal(DType type) {
    const std::string whole = std::to_string(1 + rng_.Below(7));
    if (!IsFloating(type) || rng_.Chance(0.3)) return whole;
    return Any<8>({"0.5", "1.5", "3.0", "0.1", "-2.25", "1e-3", "7.0", "10.0"});
  }

  std::string Converted(DType to, const std::string& value) {
    return std::string(DTypeName(to)) + "(" + value + ")";
  }

  // Always a value of the type, whatever its operands are.
  std::string Value(DType type, int depth) {
    if (depth == 0 || rng_.Chance(0.15)) return Term(type);
    if (rng_.Chance(0.12)) return Cast(type, depth - 1);
    if (rng_.Chance(0.22)) {
      return Text({"select(", Condition(depth - 1), ", ", Value(type, depth - 1), ", ",
                   Value(type, depth - 1), ")"});
    }
    return IsFloating(type) ? FloatingValue(type, depth - 1) : IntegerValue(type, depth - 1);
  }

  std::string Term(DType type) {
    if (rng_.Chance(0.05)) return Converted(type, Literal(type));
    if (rng_.Chance(0.05) && !axes_.empty()) {
      return Converted(type, RandomReads(rng_, axes_).Axis().name + " * 3 - 1");
    }
    std::vector<const Known*> same;
    for (const Known& tensor : known_) {
      if (tensor.type == type) same.push_back(&tensor);
    }
    // Later tensors more often, so that chains are long.
    const bool converts = same.empty() || rng_.Chance(0.1);
    const auto count = static_cast<int64_t>(converts ? known_.size() : same.size());
    const int64_t at = std::max(rng_.Below(count), rng_.Below(count));
    const Known& tensor = converts ? known_[at] : *same[at];
    const std::string read = RandomReads(rng_, axes_).Read(tensor.name, tensor.shape, "0");
    return tensor.type == type ? read : Converted(type, read);
  }

  std::string Cast(DType type, int depth) {
    if (with_halves_ && rng_.Chance(0.5)) {
      const DType half = rng_.Chance(0.5) ? DType::kF16 : DType::kBF16;
      return Converted(type, Converted(half, Value(type, depth)));
    }
    return Converted(type, Value(AnyType(), depth));
  }

  // The second operand of an operator: often a value that lanes share.
  std::string Operand(DType type, int depth) {
    return rng_.Chance(0.2) ? Literal(type) : Value(type, depth);
  }

  std::string FloatingValue(DType type, int depth) {
    const std::string a = Value(type, depth);
    switch (rng_.Below(10)) {
      case 0: return "(-" + a + ")";
      case 1: return "(" + a + " / " + Divisor(type, depth) + ")";
      case 2:
      case 3:
      case 6: return Function(a);
      case 4: return Power(type, a, depth);
      case 5: return Text({Any<2>({"max", "min"}), "(", a, ", ", Operand(type, depth), ")"});
      default:
        return Text({"(", a, Any<4>({" + ", " - ", " * ", " * "}), Operand(type, depth), ")"});
    }
  }

  std::string Divisor(DType type, int depth) {
    if (rng_.Chance(0.3)) return Literal(type);
    const std::string divisor = Value(type, rng_.Chance(0.5) ? 0 : depth);
    return rng_.Chance(0.4) ? divisor : "(abs(" + divisor + ") + 1.0)";
  }

  std::string Function(const std::string& a) {
    if (rng_.Chance(0.3)) {
      const std::string inside = rng_.Chance(0.15) ? a : "abs(" + a + ") + 0.5";
      return Text({Any<3>({"log", "sqrt", "rsqrt"}), "(", inside, ")"});
    }
    return Any<6>({"abs", "exp", "tanh", "sigmoid", "erf", "floor"}) + "(" + a + ")";
  }

  std::string Power(DType type, const std::string& a, int depth) {
    if (rng_.Chance(0.4)) return "pow(" + a + ", " + Any<3>({"2", "3.0", "2.0"}) + ")";
    return "pow(abs(" + a + ") + 0.25, " + Operand(type, std::min(depth, 1)) + ")";
  }

  std::string IntegerValue(DType type, int depth) {
    const std::string a = Value(type, depth);
    switch (rng_.Below(8)) {
      case 0: return "(-" + a + ")";
      case 1: return "abs(" + a + ")";
      case 2: return Text({Any<2>({"max", "min"}), "(", a, ", ", Operand(type, depth), ")"});
      case 3:
      case 4: return Text({"(", a, Any<3>({" / ", " // ", " % "}), Operand(type, depth), ")"});
      default: return Text({"(", a, Any<3>({" + ", " - ", " * "}), Operand(type, depth), ")"});
    }
  }

  std::string Condition(int depth) {
    if (!axes_.empty() && rng_.Chance(0.2)) return RandomReads(rng_, axes_).Condition();
    if (depth > 0 && rng_.Chance(0.25)) return "!(" + Condition(depth - 1) + ")";
    if (depth > 0 && rng_.Chance(0.4)) {
      return Text({"((", Condition(depth - 1), ")", Any<2>({" && ", " || "}), "(",
                   Condition(depth - 1), "))"});
    }
    const DType type = SomeType();
    return Text({Value(type, std::min(depth, 1)),
                 Any<6>({" < ", " <= ", " > ", " >= ", " == ", " != "}),
                 Operand(type, std::min(depth, 1))});
  }

  Rng& rng_;
  bool with_halves_;
  DType home_ = DType::kF32;
  std::string text_;
  std::vector<Known> known_;
  std::vector<NamedExtent> axes_;  // of the definition being written
};

int64_t WorkOf(const ComputeDag& dag) {
  int64_t work = 0;
  for (const Tensor& tensor : dag.tensors()) {
    if (tensor.kind != TensorKind::kDefinition) continue;
    int64_t points = tensor.NumElements();
    for (const Axis& axis : tensor.reduce_axes) points *= axis.extent;
    work += points;
  }
  return work;
}

}  // namespace

ComputeDag GrammarComputation(Rng& rng, const GrammarOptions& options) {
  while (true) {
    const auto dag = ParseDag(GrammarWriter(rng, options).Run(), "random.dag");
    if (dag && WorkOf(*dag) <= options.most_work) return *dag;
  }
}

}  // namespace schedulegym
