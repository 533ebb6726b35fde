// Emitter: gives the right side of a definition its types and makes an expression of it.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "env/program/index_math/affine.h"
#include "env/program/language/syntax.h"

namespace schedulegym {

struct TensorFacts {
  int id = 0;
  DType type = DType::kF32;
  size_t rank = 0;
};

// The names that a definition may use. Axes shadow parameters.
struct Scope {
  const std::map<std::string, int64_t>* parameters = nullptr;
  const std::map<std::string, TensorFacts>* tensors = nullptr;
  std::map<std::string, int> axes;  // to variables
  std::vector<int64_t> extents;     // of the variables, from 0
};

struct EmittedBody {
  Expr body;
  std::vector<std::pair<Expr, Place>> reads;
};

// Literals, parameters and axes take the type of what they meet; alone they are f32. Whole
// arithmetic of them (+ - * // % min max) is done on indices and converted at its end.
// Throws SourceError.
EmittedBody EmitBody(const Syntax& body, const Scope& scope);

// An integer expression of parameters. Throws SourceError.
int64_t EvaluateExtent(const Syntax& extent, const std::map<std::string, int64_t>& parameters);

// The type of a piece of syntax, as far as it is known without its surroundings.
struct LiteralType {
  enum class Kind : uint8_t {
    kWhole,     // index arithmetic: fits any type, converted as a whole
    kLoose,     // literals that fit any type, each converted alone
    kFloating,  // literals that fit any floating type
    kTyped,     // of `type`
    kCondition,
  };
  Kind kind = Kind::kWhole;
  DType type = DType::kF32;
};

using LiteralTypeOf = std::unordered_map<const Syntax*, LiteralType>;

// Of `syntax` and its parts, without the indices of reads. Throws SourceError where types do not
// fit.
LiteralTypeOf InferLiteralTypes(const Syntax& syntax, const Scope& scope);

}  // namespace schedulegym
