// PathSpec: a spec whose name may be the path of a file, of any characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "env/base/spec.h"

namespace schedulegym {

// Where the path that ends in `suffix` ends: "a b.dag(n=1)" ends after ".dag". None where there is
// no such path.
std::optional<size_t> PathEnd(std::string_view text, std::string_view suffix);

// As ParseSpec, but a name that ends in `suffix` is a path.
Result<Spec> ParsePathSpec(std::string_view text, std::string_view suffix);

}  // namespace schedulegym
