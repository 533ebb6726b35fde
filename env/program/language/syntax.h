// Syntax: the parsed text of a `.dag` file, before names and types are resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/program/compute_dag.h"
#include "env/program/language/lexer.h"

namespace schedulegym {

struct Syntax {
  enum class Kind : uint8_t {
    kInteger,
    kDecimal,
    kName,      // an axis or a parameter
    kRead,      // name[args]
    kConvert,   // type(args[0])
    kOperator,  // op on args; functions and select too
  };

  Kind kind = Kind::kInteger;
  Place place;
  std::string name;
  int64_t integer = 0;
  double number = 0;
  Op op = Op::kAdd;
  DType type = DType::kF32;  // of kConvert
  std::vector<Syntax> args;
};

struct ParameterSyntax {
  Place place;
  std::string name;
  int64_t value = 0;
};

struct AxisSyntax {
  Place place;
  std::string name;
  Syntax extent;
};

struct TensorSyntax {
  Place place;
  std::string name;
  TensorKind kind = TensorKind::kInput;
  DType type = DType::kF32;      // of inputs and weights
  std::vector<Syntax> extents;   // of inputs and weights
  std::vector<AxisSyntax> axes;  // of definitions
  Combiner combiner = Combiner::kNone;
  std::vector<AxisSyntax> reduce_axes;
  Syntax body;
};

struct OutputSyntax {
  Place place;
  std::string name;
};

struct FileSyntax {
  std::vector<ParameterSyntax> parameters;
  std::vector<TensorSyntax> tensors;
  std::vector<OutputSyntax> outputs;
};

// Throws SourceError.
FileSyntax ParseSyntax(std::string_view text);

}  // namespace schedulegym
