#include "env/program/language/flavour.h"

#include "env/base/text.h"

namespace schedulegym {
namespace {

using Kind = Flavour::Kind;

bool IsFloatingFunction(Op op) {
  return op == Op::kPow || op == Op::kFloor || (op >= Op::kExp && op <= Op::kErf);
}

std::string Describe(Flavour flavour) {
  switch (flavour.kind) {
    case Kind::kWhole: return "an integer";
    case Kind::kLoose:
    case Kind::kFloating: return "a literal";
    case Kind::kTyped: return DTypeName(flavour.type);
    case Kind::kCondition: break;
  }
  return "a condition";
}

class Inference {
 public:
  explicit Inference(const Scope& scope) : scope_(scope) {}

  Flavour Infer(const Syntax& syntax) {
    const Flavour flavour = InferNode(syntax);
    flavours_[&syntax] = flavour;
    return flavour;
  }

  FlavourOf Take() { return std::move(flavours_); }

 private:
  Flavour InferNode(const Syntax& syntax) {
    switch (syntax.kind) {
      case Syntax::Kind::kInteger: return {Kind::kWhole};
      case Syntax::Kind::kDecimal: return {Kind::kFloating};
      case Syntax::Kind::kName: return InferName(syntax);
      case Syntax::Kind::kRead: return {Kind::kTyped, FindTensor(syntax).type};
      case Syntax::Kind::kConvert:
        Value(syntax.args[0], "a conversion");
        return {Kind::kTyped, syntax.type};
      case Syntax::Kind::kOperator: break;
    }
    return InferOperator(syntax);
  }

  Flavour InferName(const Syntax& syntax) {
    if (scope_.axes.contains(syntax.name) || scope_.parameters->contains(syntax.name)) {
      return {Kind::kWhole};
    }
    if (scope_.tensors->contains(syntax.name)) {
      throw SourceError(syntax.place, "'" + syntax.name + "' is a tensor, expected '" +
                                          syntax.name + "[...]' with an index a dimension");
    }
    std::vector<std::string> known;
    for (const auto& [name, id] : scope_.axes) known.push_back(name);
    for (const auto& [name, value] : *scope_.parameters) known.push_back(name);
    throw SourceError(syntax.place, UnknownName("axis or parameter", syntax.name, known));
  }

  const TensorFacts& FindTensor(const Syntax& syntax) const {
    const auto found = scope_.tensors->find(syntax.name);
    if (found == scope_.tensors->end()) {
      std::vector<std::string> known;
      for (const auto& [name, facts] : *scope_.tensors) known.push_back(name);
      throw SourceError(syntax.place, UnknownName("tensor", syntax.name, known));
    }
    if (found->second.rank == syntax.args.size()) return found->second;
    throw SourceError(syntax.place, "'" + syntax.name + "' has rank " +
                                        std::to_string(found->second.rank) + ", found " +
                                        std::to_string(syntax.args.size()) +
                                        (syntax.args.size() == 1 ? " index" : " indices"));
  }

  Flavour InferOperator(const Syntax& syntax) {
    const Op op = syntax.op;
    if (op == Op::kAnd || op == Op::kOr || op == Op::kNot) {
      for (const Syntax& arg : syntax.args) Condition(arg, OpName(op));
      return {Kind::kCondition};
    }
    if (op == Op::kSelect) {
      Condition(syntax.args[0], "select");
      return Separate(Join(syntax, 1));
    }
    const Flavour joined = Join(syntax, 0);
    if (IsComparison(op)) return {Kind::kCondition};
    if (IsFloatingFunction(op)) return FloatingOnly(syntax, joined);
    if (op == Op::kFloorDivide || op == Op::kModulo) return IntegersOnly(syntax, joined);
    return op == Op::kDivide || op == Op::kAbs ? Separate(joined) : joined;
  }

  // The common flavour of all arguments from the `first` on.
  Flavour Join(const Syntax& syntax, size_t first) {
    Flavour joined = Value(syntax.args[first], OpName(syntax.op));
    for (size_t i = first + 1; i < syntax.args.size(); ++i) {
      joined = JoinTwo(syntax, joined, Value(syntax.args[i], OpName(syntax.op)));
    }
    return joined;
  }

  static Flavour JoinTwo(const Syntax& syntax, Flavour a, Flavour b) {
    const Flavour& stronger = a.kind < b.kind ? b : a;
    const Flavour& weaker = a.kind < b.kind ? a : b;
    const bool differ = weaker.kind == Kind::kTyped && a.type != b.type;
    const bool unfit = stronger.kind == Kind::kTyped && weaker.kind == Kind::kFloating &&
                       !IsFloating(stronger.type);
    if (differ || unfit) {
      throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                          (unfit ? "i32 or i8 and a decimal"
                                                 : Describe(a) + " and " + Describe(b)) +
                                          ", expected one type: convert a side, as in f32(x)");
    }
    return stronger;
  }

  static Flavour Separate(Flavour flavour) {
    return flavour.kind == Kind::kWhole ? Flavour{Kind::kLoose} : flavour;
  }

  static Flavour FloatingOnly(const Syntax& syntax, Flavour flavour) {
    if (flavour.kind != Kind::kTyped) return {Kind::kFloating};
    if (IsFloating(flavour.type)) return flavour;
    throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                        DTypeName(flavour.type) + ", expected a floating type");
  }

  static Flavour IntegersOnly(const Syntax& syntax, Flavour flavour) {
    // Loose literals may yet become integers; the emitter sees.
    const bool is_integer = flavour.kind == Kind::kWhole || flavour.kind == Kind::kLoose ||
                            (flavour.kind == Kind::kTyped && !IsFloating(flavour.type));
    if (is_integer) return flavour;
    throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                        Describe(flavour) + ", expected integers");
  }

  Flavour Value(const Syntax& syntax, const std::string& user) {
    const Flavour flavour = Infer(syntax);
    if (flavour.kind != Kind::kCondition) return flavour;
    throw SourceError(syntax.place, "'" + user + "' of a condition, expected a value");
  }

  void Condition(const Syntax& syntax, const std::string& user) {
    const Flavour flavour = Infer(syntax);
    if (flavour.kind == Kind::kCondition) return;
    throw SourceError(syntax.place, "'" + user + "' of " + Describe(flavour) +
                                        ", expected a condition such as i < n");
  }

  const Scope& scope_;
  FlavourOf flavours_;
};

}  // namespace

FlavourOf InferFlavours(const Syntax& syntax, const Scope& scope) {
  Inference inference(scope);
  const Flavour flavour = inference.Infer(syntax);
  if (flavour.kind == Kind::kCondition) {
    throw SourceError(syntax.place, "the right side is a condition, expected a value");
  }
  return inference.Take();
}

}  // namespace schedulegym
