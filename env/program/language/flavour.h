// Flavour: what is known of the type of a piece of syntax before its surroundings are known.
#pragma once

#include <unordered_map>

#include "env/program/language/emit.h"
#include "env/program/language/syntax.h"

namespace schedulegym {

struct Flavour {
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

using FlavourOf = std::unordered_map<const Syntax*, Flavour>;

// Of `syntax` and all that stands in it but the indices of reads. Throws SourceError where types
// do not fit.
FlavourOf InferFlavours(const Syntax& syntax, const Scope& scope);

}  // namespace schedulegym
