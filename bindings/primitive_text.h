// PrimitiveText: a primitive that belongs to no state yet; its stages are names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/primitive.h"

namespace schedulegym {

struct PrimitiveText {
  Primitive primitive;  // its stages are positions in `names`
  StageNames names;

  std::string Text() const { return ToText(primitive, names); }
};

// Of one line, whose stages may have any names.
Result<PrimitiveText> ParsePrimitiveText(std::string_view line);

// The lines of a trace; the error names the line.
Result<std::vector<PrimitiveText>> ParseTraceText(std::string_view text);
std::string TraceTextOf(const std::vector<PrimitiveText>& steps);

}  // namespace schedulegym
