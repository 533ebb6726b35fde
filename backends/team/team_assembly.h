// TeamAssembly: the code of the team as text for an assembler.
#pragma once

#include <string_view>

namespace schedulegym {

std::string_view TeamAssembly();

}  // namespace schedulegym
