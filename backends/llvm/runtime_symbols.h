// RuntimeSymbols: the functions outside of itself that generated code may call.
#pragma once

#include <string_view>

namespace schedulegym {

// Its address in this process; null for a name that generated code may not call.
void* FindRuntimeSymbol(std::string_view name);

}  // namespace schedulegym
