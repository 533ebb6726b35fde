// TraceTokens: the primitives of a schedule as rows of numbers, without lowering it.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "env/schedule/primitive.h"

namespace schedulegym {

// How the fields of a primitive become numbers.
enum class TokenScale : uint8_t {
  kShares,  // within [0, 1]: stages and positions (x + 1) / 64, lengths log2(1 + x) / 32, flags,
            // names (x + 1) / 16, texts as hashes; a list begins with its size / 64
  kPlain,   // as in TLP (Zhai et al., ASPLOS 2023): unscaled, lists without their sizes, texts as
            // one of 64 small integers
  kLog,     // log2(1 + x) of kPlain
};

inline constexpr int kTokenKinds = static_cast<int>(std::variant_size_v<Primitive>);

// Written into models that are trained on tokens; a change of the tokens changes it.
inline constexpr int kTokenVersion = 1;

// Writes kTokenKinds numbers (1 at the primitive's kind), then the fields in order. Fields that do
// not fit are dropped; the rest of the row is 0.
void WriteToken(const Primitive& primitive, TokenScale scale, std::span<float> row);

}  // namespace schedulegym
