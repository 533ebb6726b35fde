// Parses `.dag` tokens by recursive descent, infix operators by precedence climbing:
//   line  = param NAME = [-]INT | input NAME[values] [: type] | weight ... | output NAME
//         | NAME[axes] = value | NAME[axes] = REDUCTION(axes) value
//   axes  = axis: value {, axis: value}        REDUCTION = sum | prod | max | min
//   value = unary {infix value}                unary = {- | !} primary
//   primary = number | name | name[values] | function(values) | type(value) | (value)
// `max(` is a reduction if `name:` follows. Refused: 10^6 tokens, 2000 tensors, 64 axes a tensor,
// 300 nested and 1000 chained operators, so that no text exhausts the stack. Cost: O(tokens).
#include "env/program/language/syntax.h"

#include <algorithm>
#include <span>

#include "env/base/text.h"
#include "env/program/language/lexer.h"

namespace schedulegym {
namespace {

// Deeper expressions are refused, so that no text can exhaust the stack.
constexpr int kMaxDepth = 1000;
constexpr int kMostNested = 300;  // limit of nested brackets, calls, indices and signs
// Limit of tokens: later passes are made for dozens of definitions.
constexpr size_t kMostTokens = 1'000'000;
constexpr size_t kMostTensors = 2000;
constexpr size_t kMostAxes = 64;  // of one tensor

struct Function {
  std::string_view name;
  Op op;
  int arguments;
};
constexpr Function kFunctions[] = {
    {"select", Op::kSelect, 3},   {"max", Op::kMax, 2},     {"min", Op::kMin, 2},
    {"abs", Op::kAbs, 1},         {"exp", Op::kExp, 1},     {"log", Op::kLog, 1},
    {"sqrt", Op::kSqrt, 1},       {"rsqrt", Op::kRsqrt, 1}, {"tanh", Op::kTanh, 1},
    {"sigmoid", Op::kSigmoid, 1}, {"erf", Op::kErf, 1},     {"pow", Op::kPow, 2},
    {"floor", Op::kFloor, 1},
};

struct Infix {
  std::string_view symbol;
  Op op;
  int level;  // higher binds tighter
};
constexpr Infix kInfixes[] = {
    {"||", Op::kOr, 1},          {"&&", Op::kAnd, 2},          {"==", Op::kEqual, 3},
    {"!=", Op::kNotEqual, 3},    {"<", Op::kLess, 4},          {"<=", Op::kLessEqual, 4},
    {">", Op::kGreater, 4},      {">=", Op::kGreaterEqual, 4}, {"+", Op::kAdd, 5},
    {"-", Op::kSubtract, 5},     {"*", Op::kMultiply, 6},      {"/", Op::kDivide, 6},
    {"//", Op::kFloorDivide, 6}, {"%", Op::kModulo, 6},
};

struct CombinerWord {
  std::string_view name;
  Combiner combiner;
};
constexpr CombinerWord kCombiners[] = {{"sum", Combiner::kSum},
                                       {"prod", Combiner::kProduct},
                                       {"max", Combiner::kMax},
                                       {"min", Combiner::kMin}};

const Function* FindFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const Infix* FindInfix(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return nullptr;
  for (const Infix& infix : kInfixes) {
    if (infix.symbol == token.text) return &infix;
  }
  return nullptr;
}

bool IsReserved(std::string_view name) {
  constexpr std::string_view kWords[] = {"param", "input", "weight", "output", "sum", "prod"};
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords) ||
         FindFunction(name) != nullptr || ParseDType(name).has_value();
}

std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  for (const char* type : {"f32", "f64", "i32", "i8", "f16", "bf16"}) names.push_back(type);
  return names;
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  FileSyntax Run() {
    if (tokens_.size() > kMostTokens) Refuse(tokens_[kMostTokens], kMostTokens, "words and signs");
    while (Now().kind != TokenKind::kEndOfFile) {
      if (file_.tensors.size() > kMostTensors) Refuse(Now(), kMostTensors, "tensors");
      ParseLine();
      if (Now().kind != TokenKind::kEndOfLine) Fail("the end of the line");
      ++at_;
    }
    return std::move(file_);
  }

 private:
  void ParseLine() {
    const Token& token = Now();
    if (token.kind != TokenKind::kName) Fail("param, input, weight, output or a definition");
    if (token.text == "param") return ParseParameter();
    if (token.text == "input" || token.text == "weight") return ParseInput();
    if (token.text == "output") {
      ++at_;
      const Token name = TakeName("the name of a definition");
      file_.outputs.push_back({name.place, name.text});
      return;
    }
    ParseDefinition();
  }

  void ParseParameter() {
    ++at_;
    const Token name = TakeName("the name of a parameter");
    Expect("=");
    const bool negative = Take("-");
    if (Now().kind != TokenKind::kInteger) Fail("an integer");
    const int64_t value = tokens_[at_++].integer;
    file_.parameters.push_back({name.place, name.text, negative ? -value : value});
  }

  void ParseInput() {
    TensorSyntax tensor;
    tensor.kind = tokens_[at_++].text == "weight" ? TensorKind::kWeight : TensorKind::kInput;
    const Token name = TakeName("the name of a tensor");
    tensor.name = name.text;
    tensor.place = name.place;
    Expect("[");
    if (!Take("]")) {
      do {
        if (tensor.extents.size() == kMostAxes) Refuse(Now(), kMostAxes, "axes of one tensor");
        tensor.extents.push_back(ParseValue(0, 0));
      } while (Take(","));
      Expect("]", "',' or ']'");
    }
    if (Take(":")) tensor.type = ParseType();
    file_.tensors.push_back(std::move(tensor));
  }

  DType ParseType() {
    const Token& token = Now();
    const auto type = ParseDType(token.text);
    if (token.kind != TokenKind::kName || !type) {
      const std::vector<std::string> known = {"f32", "f64", "i32", "i8", "f16", "bf16"};
      throw SourceError(token.place, token.kind == TokenKind::kName
                                         ? UnknownName("type", token.text, known)
                                         : "found " + token.Describe() + ", expected one of " +
                                               Join(known, ", "));
    }
    ++at_;
    return *type;
  }

  void ParseDefinition() {
    TensorSyntax tensor;
    tensor.kind = TensorKind::kDefinition;
    const Token name = TakeName("the name of a definition");
    tensor.name = name.text;
    tensor.place = name.place;
    Expect("[");
    if (!Take("]")) {
      tensor.axes = ParseAxes();
      Expect("]", "',' or ']'");
    }
    Expect("=");
    if (AtReduction()) {
      for (const CombinerWord& word : kCombiners) {
        if (word.name == Now().text) tensor.combiner = word.combiner;
      }
      at_ += 2;
      tensor.reduce_axes = ParseAxes();
      Expect(")", "',' or ')'");
    }
    tensor.body = ParseValue(0, 0);
    file_.tensors.push_back(std::move(tensor));
  }

  // A reduction begins as `max(name:`, a function as `max(value,`.
  bool AtReduction() const {
    if (Now().kind != TokenKind::kName || !Ahead(1).Is("(")) return false;
    if (Now().text == "sum" || Now().text == "prod") return true;
    if (Now().text != "max" && Now().text != "min") return false;
    return Ahead(2).kind == TokenKind::kName && Ahead(3).Is(":");
  }

  std::vector<AxisSyntax> ParseAxes() {
    std::vector<AxisSyntax> axes;
    do {
      if (axes.size() == kMostAxes) Refuse(Now(), kMostAxes, "axes of one tensor");
      const Token name = TakeName("the name of an axis");
      Expect(":");
      axes.push_back({name.place, name.text, ParseValue(0, 0)});
    } while (Take(","));
    return axes;
  }

  // Precedence climbing: all infix operators of at least `level`. `depth` bounds the tree.
  Syntax ParseValue(int level, int depth) {
    Syntax left = ParseUnary(depth);
    int length = 0;
    while (const Infix* infix = FindInfix(Now())) {
      if (infix->level < std::max(level, 1)) break;
      if (depth + ++length > kMaxDepth) TooDeep();
      Syntax node = Operator(infix->op);
      ++at_;
      node.args.push_back(std::move(left));
      node.args.push_back(ParseValue(infix->level + 1, depth + length));
      left = std::move(node);
    }
    return left;
  }

  Syntax ParseUnary(int depth) {
    if (depth > kMaxDepth || nested_ == kMostNested) TooDeep();
    ++nested_;
    Syntax node = ParseSigned(depth);
    --nested_;
    return node;
  }

  Syntax ParseSigned(int depth) {
    if (!Now().Is("-") && !Now().Is("!")) return ParsePrimary(depth);
    Syntax node = Operator(Now().Is("-") ? Op::kNegate : Op::kNot);
    ++at_;
    node.args.push_back(ParseUnary(depth + 1));
    return node;
  }

  Syntax ParsePrimary(int depth) {
    const Token token = Now();
    Syntax node;
    node.place = token.place;
    if (token.kind == TokenKind::kInteger || token.kind == TokenKind::kDecimal) {
      ++at_;
      const bool whole = token.kind == TokenKind::kInteger;
      node.kind = whole ? Syntax::Kind::kInteger : Syntax::Kind::kDecimal;
      node.integer = token.integer;
      node.number = token.number;
      return node;
    }
    if (Take("(")) {
      node = ParseValue(0, depth + 1);
      Expect(")", "an operator or ')'");
      return node;
    }
    if (token.kind != TokenKind::kName) Fail("a value");
    if (Ahead(1).Is("(")) return ParseCall(depth);
    ++at_;
    if (IsReserved(token.text)) {
      throw SourceError(token.place, "'" + token.text + "' is a reserved word, expected a value");
    }
    node.name = token.text;
    node.kind = Take("[") ? Syntax::Kind::kRead : Syntax::Kind::kName;
    if (node.kind == Syntax::Kind::kRead && !Take("]")) node.args = ParseList("]", depth);
    return node;
  }

  Syntax ParseCall(int depth) {
    const Token name = Now();
    if (name.text == "sum" || name.text == "prod" || AtReduction()) {
      throw SourceError(name.place,
                        "a reduction within a value, expected it to be the whole right "
                        "side");
    }
    const Function* function = FindFunction(name.text);
    const auto type = ParseDType(name.text);
    if (function == nullptr && !type) {
      throw SourceError(name.place, UnknownName("function", name.text, FunctionNames()));
    }
    Syntax node = Operator(function != nullptr ? function->op : Op::kCast);
    at_ += 2;
    if (!Take(")")) node.args = ParseList(")", depth);
    const size_t expected = function != nullptr ? static_cast<size_t>(function->arguments) : 1;
    if (node.args.size() != expected) {
      throw SourceError(name.place, "'" + name.text + "' takes " + std::to_string(expected) +
                                        (expected == 1 ? " argument" : " arguments") + ", found " +
                                        std::to_string(node.args.size()));
    }
    if (type) {
      node.kind = Syntax::Kind::kConvert;
      node.type = *type;
    }
    return node;
  }

  std::vector<Syntax> ParseList(const char* close, int depth) {
    std::vector<Syntax> values;
    do {
      values.push_back(ParseValue(0, depth + 1));
    } while (Take(","));
    Expect(close, "an operator, ',' or '" + std::string(close) + "'");
    return values;
  }

  Syntax Operator(Op op) const {
    Syntax node;
    node.kind = Syntax::Kind::kOperator;
    node.place = Now().place;
    node.op = op;
    return node;
  }

  const Token& Now() const { return tokens_[at_]; }
  const Token& Ahead(size_t count) const {
    return tokens_[std::min(at_ + count, tokens_.size() - 1)];
  }

  bool Take(std::string_view symbol) {
    if (!Now().Is(symbol)) return false;
    ++at_;
    return true;
  }

  void Expect(std::string_view symbol, const std::string& expected = "") {
    if (!Take(symbol)) Fail(expected.empty() ? "'" + std::string(symbol) + "'" : expected);
  }

  Token TakeName(const std::string& expected) {
    if (Now().kind != TokenKind::kName) Fail(expected);
    if (IsReserved(Now().text)) {
      throw SourceError(Now().place,
                        "'" + Now().text + "' is a reserved word, expected " + expected);
    }
    return tokens_[at_++];
  }

  [[noreturn]] void Fail(const std::string& expected) const {
    throw SourceError(Now().place, "found " + Now().Describe() + ", expected " + expected);
  }

  [[noreturn]] static void Refuse(const Token& token, size_t most, const std::string& what) {
    throw SourceError(token.place, "found more than " + std::to_string(most) + " " + what +
                                       ", expected at most " + std::to_string(most));
  }

  [[noreturn]] void TooDeep() const {
    throw SourceError(Now().place, "the expression nests too deep, expected at most " +
                                       std::to_string(kMostNested) + " levels, and " +
                                       std::to_string(kMaxDepth) + " operators in a row");
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nested_ = 0;  // calls of ParseUnary that have not returned
  FileSyntax file_;
};

}  // namespace

FileSyntax ParseSyntax(std::string_view text) { return Parser(Tokenize(text)).Run(); }

}  // namespace schedulegym
