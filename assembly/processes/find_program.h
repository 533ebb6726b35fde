// FindProgram: where a program stands in the search path.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// `path` is a list of folders as in PATH.
std::optional<std::string> FindInPath(const std::string& program, std::string_view path);

// SCHEDULEGYM_PYTHON, or the first one in PATH; MachineError without either. Absolute where it
// names a folder: agents run in folders of their own.
std::string FindPython();

}  // namespace schedulegym
