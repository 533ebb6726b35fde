// JsonLimits: how deep and how large JSON may be that is about to be parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// Nothing that is read is nested deeper than ten levels; what is too deep exhausts the stack of
// whoever copies or prints it. An object's names are looked for one after another.
struct JsonLimits {
  int most_depth = 64;
  int64_t most_values = 16'000'000;
  int64_t most_members = 256;  // of one object
};

// What goes beyond, such as "it nests deeper than 64 levels"; none if nothing does. Takes any
// bytes, and looks at each once.
std::optional<std::string> BeyondLimits(std::string_view json, const JsonLimits& limits = {});

}  // namespace schedulegym
