// JsonLimits: limits on depth and size, checked before JSON is parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// Valid files nest at most ten levels deep; copying or printing a value that nests too deep would
// exhaust the stack. Members are limited because an object's names are searched linearly.
struct JsonLimits {
  int most_depth = 64;
  int64_t most_values = 16'000'000;
  int64_t most_members = 256;  // of one object
};

// Describes the limit that is exceeded, such as "it nests deeper than 64 levels". nullopt if no
// limit is. Accepts any bytes; linear time.
std::optional<std::string> BeyondLimits(std::string_view json, const JsonLimits& limits = {});

}  // namespace schedulegym
