// Turns the syntax of a definition's body into a typed expression, in two passes over the tree:
// 1. Inference gives each node a literal type, bottom-up; of two sides the stronger holds, by whole
//    (index arithmetic) < loose < floating < typed, and two typed sides must agree;
// 2. the emitter builds expressions: whole parts as index arithmetic, converted at their root,
//    other literals in the type of their side, f32 where none is given.
// Index arithmetic carries its range; a step that may pass 2^60 is an error, so none overflows.
// Errors are SourceErrors at the place of the syntax. Cost: O(n), with a map look-up a node.
#include "env/program/language/emit.h"

#include <limits>

#include "env/base/text.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

using Kind = LiteralType::Kind;

// Index arithmetic beyond this magnitude is refused, so that none can overflow.
constexpr int64_t kLargestIndex = int64_t{1} << 60;

struct Index {
  Expr value;
  Range range;
};

// Index arithmetic over axes and parameters, each step kept within kLargestIndex.
class IndexEmitter {
 public:
  explicit IndexEmitter(const Scope& scope) : scope_(scope) {}

  Index Emit(const Syntax& syntax) const {
    const Index index = EmitNode(syntax);
    if (index.range.low >= -kLargestIndex && index.range.high <= kLargestIndex) return index;
    throw SourceError(syntax.place, "index arithmetic may reach beyond 2^60");
  }

 private:
  Index EmitNode(const Syntax& syntax) const {
    switch (syntax.kind) {
      case Syntax::Kind::kInteger: return Constant(syntax.integer);
      case Syntax::Kind::kName: return EmitName(syntax);
      case Syntax::Kind::kOperator: return EmitOperator(syntax);
      case Syntax::Kind::kDecimal:
        throw SourceError(syntax.place, "a decimal in an index, expected integers");
      case Syntax::Kind::kRead:
        throw SourceError(syntax.place, "the index depends on data: '" + syntax.name +
                                            "' is read in it, expected axes and parameters");
      case Syntax::Kind::kConvert: break;
    }
    throw SourceError(syntax.place, "a conversion in an index, expected integers");
  }

  static Index Constant(int64_t value) { return {IndexConstant(value), {value, value}}; }

  Index EmitName(const Syntax& syntax) const {
    if (const auto axis = scope_.axes.find(syntax.name); axis != scope_.axes.end()) {
      return {Variable(axis->second), {0, scope_.extents[axis->second] - 1}};
    }
    const auto parameter = scope_.parameters->find(syntax.name);
    if (parameter != scope_.parameters->end()) return Constant(parameter->second);
    std::vector<std::string> known;
    for (const auto& [name, id] : scope_.axes) known.push_back(name);
    for (const auto& [name, value] : *scope_.parameters) known.push_back(name);
    throw SourceError(syntax.place, UnknownName("axis or parameter", syntax.name, known));
  }

  Index EmitOperator(const Syntax& syntax) const {
    switch (syntax.op) {
      case Op::kNegate: {
        const Index value = Emit(syntax.args[0]);
        return {Unary(Op::kNegate, value.value), Times(value.range, -1)};
      }
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kMin:
      case Op::kMax: return EmitArithmetic(syntax);
      case Op::kDivide:
      case Op::kFloorDivide:
      case Op::kModulo: return EmitDivision(syntax);
      default: break;
    }
    throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) +
                                        "' in an index, expected + - * // % min max");
  }

  Index EmitArithmetic(const Syntax& syntax) const {
    const Index left = Emit(syntax.args[0]);
    const Index right = Emit(syntax.args[1]);
    const Range a = left.range, b = right.range;
    Range range;
    switch (syntax.op) {
      case Op::kAdd: range = Plus(a, b); break;
      case Op::kSubtract: range = Plus(a, Times(b, -1)); break;
      case Op::kMultiply: range = Times(a, b); break;
      case Op::kMin: range = {std::min(a.low, b.low), std::min(a.high, b.high)}; break;
      default: range = {std::max(a.low, b.low), std::max(a.high, b.high)}; break;
    }
    // Beyond the limit no expression is made, since its constants might not fit.
    if (range.low < -kLargestIndex || range.high > kLargestIndex) return {left.value, range};
    return {Binary(syntax.op, left.value, right.value), range};
  }

  Index EmitDivision(const Syntax& syntax) const {
    const Index left = Emit(syntax.args[0]);
    const Index right = Emit(syntax.args[1]);
    if (!IsConstant(right.value) || right.value->integer <= 0) {
      const bool is_zero = IsInteger(right.value, 0);
      throw SourceError(syntax.args[1].place, is_zero
                                                  ? "division by zero"
                                                  : "expected a positive constant as the divisor "
                                                    "in index arithmetic");
    }
    const int64_t divisor = right.value->integer;
    Expr value = Binary(syntax.op, left.value, right.value);
    if (syntax.op == Op::kModulo) return {value, FloorModulo(left.range, divisor)};
    if (syntax.op == Op::kFloorDivide) return {value, FloorDivide(left.range, divisor)};
    if (IsConstant(value)) return {value, {value->integer, value->integer}};
    throw SourceError(syntax.place, "'/' in index arithmetic, expected '//'");
  }

  const Scope& scope_;
};

class Emitter {
 public:
  Emitter(const Scope& scope, const LiteralTypeOf& literal_types)
      : scope_(scope), literal_types_(literal_types), indices_(scope) {}

  EmittedBody Run(const Syntax& syntax) {
    emitted_.body = EmitValue(syntax, TypeOf(literal_types_.at(&syntax)));
    return std::move(emitted_);
  }

 private:
  static DType TypeOf(LiteralType literal_type) {
    return literal_type.kind == Kind::kTyped ? literal_type.type : DType::kF32;
  }

  Expr EmitValue(const Syntax& syntax, DType type) {
    if (literal_types_.at(&syntax).kind == Kind::kWhole) return EmitWhole(syntax, type);
    switch (syntax.kind) {
      case Syntax::Kind::kDecimal: return Constant(type, syntax.number);
      case Syntax::Kind::kRead: return EmitRead(syntax, type);
      case Syntax::Kind::kConvert: return EmitConversion(syntax);
      default: break;
    }
    if (syntax.op == Op::kSelect) {
      Expr condition = EmitCondition(syntax.args[0]);
      Expr then_value = EmitValue(syntax.args[1], type);
      return Select(condition, then_value, EmitValue(syntax.args[2], type));
    }
    const bool floors = syntax.op == Op::kFloorDivide || syntax.op == Op::kModulo;
    if (floors && IsFloating(type)) {
      throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                          DTypeName(type) + ", expected integers");
    }
    Expr left = EmitValue(syntax.args[0], type);
    if (syntax.args.size() == 1) return Unary(syntax.op, std::move(left));
    Expr right = EmitValue(syntax.args[1], type);
    const bool divides = floors || syntax.op == Op::kDivide;
    if (divides && IsInteger(right, 0)) throw SourceError(syntax.args[1].place, "division by zero");
    return Binary(syntax.op, std::move(left), std::move(right));
  }

  Expr EmitWhole(const Syntax& syntax, DType type) const {
    const Index index = indices_.Emit(syntax);
    if (!IsFloating(type) && IsConstant(index.value)) {
      const int64_t limit = type == DType::kI8 ? int64_t{1} << 7 : int64_t{1} << 31;
      const int64_t value = index.value->integer;
      if (value < -limit || value >= limit) {
        throw SourceError(syntax.place, std::to_string(value) + " does not fit " + DTypeName(type) +
                                            ", expected " + std::to_string(-limit) + " to " +
                                            std::to_string(limit - 1));
      }
    }
    return Cast(type, index.value);
  }

  Expr EmitRead(const Syntax& syntax, DType type) {
    std::vector<Expr> indices;
    for (const Syntax& arg : syntax.args) indices.push_back(indices_.Emit(arg).value);
    Expr read = Read(type, scope_.tensors->at(syntax.name).id, std::move(indices));
    emitted_.reads.emplace_back(read, syntax.place);
    return read;
  }

  Expr EmitConversion(const Syntax& syntax) {
    const LiteralType from = literal_types_.at(&syntax.args[0]);
    const bool adopts = from.kind == Kind::kWhole || from.kind == Kind::kLoose ||
                        (from.kind == Kind::kFloating && IsFloating(syntax.type));
    return Cast(syntax.type, EmitValue(syntax.args[0], adopts ? syntax.type : TypeOf(from)));
  }

  Expr EmitCondition(const Syntax& syntax) {
    if (syntax.op == Op::kNot) return Unary(Op::kNot, EmitCondition(syntax.args[0]));
    if (syntax.op == Op::kAnd || syntax.op == Op::kOr) {
      Expr left = EmitCondition(syntax.args[0]);
      return Binary(syntax.op, std::move(left), EmitCondition(syntax.args[1]));
    }
    const LiteralType a = literal_types_.at(&syntax.args[0]);
    const LiteralType b = literal_types_.at(&syntax.args[1]);
    if (a.kind == Kind::kWhole && b.kind == Kind::kWhole) {
      Expr left = indices_.Emit(syntax.args[0]).value;
      return Binary(syntax.op, std::move(left), indices_.Emit(syntax.args[1]).value);
    }
    const DType type = TypeOf(a.kind == Kind::kTyped ? a : b);
    Expr left = EmitValue(syntax.args[0], type);
    return Binary(syntax.op, std::move(left), EmitValue(syntax.args[1], type));
  }

  const Scope& scope_;
  const LiteralTypeOf& literal_types_;
  IndexEmitter indices_;
  EmittedBody emitted_;
};

bool IsFloatingFunction(Op op) {
  return op == Op::kPow || op == Op::kFloor || (op >= Op::kExp && op <= Op::kErf);
}

std::string Describe(LiteralType literal_type) {
  switch (literal_type.kind) {
    case Kind::kWhole: return "an integer";
    case Kind::kLoose:
    case Kind::kFloating: return "a literal";
    case Kind::kTyped: return DTypeName(literal_type.type);
    case Kind::kCondition: break;
  }
  return "a condition";
}

class Inference {
 public:
  explicit Inference(const Scope& scope) : scope_(scope) {}

  LiteralType Infer(const Syntax& syntax) {
    const LiteralType literal_type = InferNode(syntax);
    literal_types_[&syntax] = literal_type;
    return literal_type;
  }

  LiteralTypeOf Take() { return std::move(literal_types_); }

 private:
  LiteralType InferNode(const Syntax& syntax) {
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

  LiteralType InferName(const Syntax& syntax) {
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

  LiteralType InferOperator(const Syntax& syntax) {
    const Op op = syntax.op;
    if (op == Op::kAnd || op == Op::kOr || op == Op::kNot) {
      for (const Syntax& arg : syntax.args) Condition(arg, OpName(op));
      return {Kind::kCondition};
    }
    if (op == Op::kSelect) {
      Condition(syntax.args[0], "select");
      return Separate(Join(syntax, 1));
    }
    const LiteralType joined = Join(syntax, 0);
    if (IsComparison(op)) return {Kind::kCondition};
    if (IsFloatingFunction(op)) return FloatingOnly(syntax, joined);
    if (op == Op::kFloorDivide || op == Op::kModulo) return IntegersOnly(syntax, joined);
    return op == Op::kDivide || op == Op::kAbs ? Separate(joined) : joined;
  }

  // The common literal type of all arguments from the `first` on.
  LiteralType Join(const Syntax& syntax, size_t first) {
    LiteralType joined = Value(syntax.args[first], OpName(syntax.op));
    for (size_t i = first + 1; i < syntax.args.size(); ++i) {
      joined = JoinTwo(syntax, joined, Value(syntax.args[i], OpName(syntax.op)));
    }
    return joined;
  }

  static LiteralType JoinTwo(const Syntax& syntax, LiteralType a, LiteralType b) {
    const LiteralType& stronger = a.kind < b.kind ? b : a;
    const LiteralType& weaker = a.kind < b.kind ? a : b;
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

  static LiteralType Separate(LiteralType literal_type) {
    return literal_type.kind == Kind::kWhole ? LiteralType{Kind::kLoose} : literal_type;
  }

  static LiteralType FloatingOnly(const Syntax& syntax, LiteralType literal_type) {
    if (literal_type.kind != Kind::kTyped) return {Kind::kFloating};
    if (IsFloating(literal_type.type)) return literal_type;
    throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                        DTypeName(literal_type.type) +
                                        ", expected a floating type");
  }

  static LiteralType IntegersOnly(const Syntax& syntax, LiteralType literal_type) {
    // Loose literals may still become integers; the emitter decides.
    const bool is_integer = literal_type.kind == Kind::kWhole ||
                            literal_type.kind == Kind::kLoose ||
                            (literal_type.kind == Kind::kTyped && !IsFloating(literal_type.type));
    if (is_integer) return literal_type;
    throw SourceError(syntax.place, std::string("'") + OpName(syntax.op) + "' of " +
                                        Describe(literal_type) + ", expected integers");
  }

  LiteralType Value(const Syntax& syntax, const std::string& user) {
    const LiteralType literal_type = Infer(syntax);
    if (literal_type.kind != Kind::kCondition) return literal_type;
    throw SourceError(syntax.place, "'" + user + "' of a condition, expected a value");
  }

  void Condition(const Syntax& syntax, const std::string& user) {
    const LiteralType literal_type = Infer(syntax);
    if (literal_type.kind == Kind::kCondition) return;
    throw SourceError(syntax.place, "'" + user + "' of " + Describe(literal_type) +
                                        ", expected a condition such as i < n");
  }

  const Scope& scope_;
  LiteralTypeOf literal_types_;
};

}  // namespace

EmittedBody EmitBody(const Syntax& body, const Scope& scope) {
  const LiteralTypeOf literal_types = InferLiteralTypes(body, scope);
  return Emitter(scope, literal_types).Run(body);
}

int64_t EvaluateExtent(const Syntax& extent, const std::map<std::string, int64_t>& parameters) {
  Scope scope;
  scope.parameters = &parameters;
  return IndexEmitter(scope).Emit(extent).value->integer;
}

LiteralTypeOf InferLiteralTypes(const Syntax& syntax, const Scope& scope) {
  Inference inference(scope);
  const LiteralType literal_type = inference.Infer(syntax);
  if (literal_type.kind == Kind::kCondition) {
    throw SourceError(syntax.place, "the right side is a condition, expected a value");
  }
  return inference.Take();
}

}  // namespace schedulegym
