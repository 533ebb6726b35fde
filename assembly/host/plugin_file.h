// Plugin's file: what stands in it, read without opening it as a library: nothing in it runs.
#pragma once

#include <optional>
#include <string>

#include "agents/plugin.h"

namespace schedulegym {

inline constexpr const char* kPluginSealSymbol = "schedulegym_plugin_seal";

// Whether it begins as a library or a program does.
bool IsLibrary(const std::string& file);

// The seal that a library exports; none where it exports none or is none.
std::optional<PluginSeal> ReadPluginSeal(const std::string& file);

}  // namespace schedulegym
