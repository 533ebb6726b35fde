// ParseDag: reads a computation from `.dag` text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/program/compute_dag.h"

namespace schedulegym {

// `parameter_overrides` replace the values of the text's `param` lines; an unknown name is an
// error. Proves every read in bounds. An error is one line that begins with "FILE:LINE:COLUMN: ".
Result<ComputeDag> ParseDag(
    std::string_view text, const std::string& file_name,
    const std::vector<std::pair<std::string, int64_t>>& parameter_overrides = {});

}  // namespace schedulegym
