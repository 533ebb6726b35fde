// TunerInput: what a T1 file tells of a kernel that another tuner tunes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

struct TunerInput {
  std::string kernel;  // the benchmark's name, or else the kernel's; may be empty
  std::string device;
  std::vector<TableKnob> parameters;                 // without values where those are no list
  std::vector<std::optional<std::string>> defaults;  // by parameter
};

// Throws InputError, one line, for what is no T1 file.
TunerInput ParseTunerInput(std::string_view text);

}  // namespace schedulegym
