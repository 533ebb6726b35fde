// WideCopy: a loop of lanes that copies memory, as one access of 8 or 16 bytes, of halves also
// of 4.
#pragma once

#include <optional>
#include <string>

#include "env/lower/loop_program.h"

namespace schedulegym {

// The place of an element in its buffer's memory, in elements, simplified.
Expr LinearPlace(const LoopProgram& program, int buffer, const std::vector<Expr>& indices);

struct WideCopy {
  int to = 0, from = 0;       // buffers
  Expr to_place, from_place;  // of the first lane
  std::string type;           // "float4"; "" of two halves, whose type is the dialect's
};

// Of a vector loop whose body copies as many elements that lie one after another, where both first
// places are proved to be multiples of the lanes: in memory that begins at a multiple of 16 bytes.
std::optional<WideCopy> FindWideCopy(const LoopProgram& program, const For& loop);

}  // namespace schedulegym
