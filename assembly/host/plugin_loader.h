// Plugin loader: opens shared libraries of agents; in `schedulegym-agent`, and nowhere else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/plugin.h"

namespace schedulegym {

// Adds the agents of a library (agents/plugin.h) to the others and returns them. None of its code
// runs before its ABI tag was compared with this build's. The library stays open. Throws
// InputError, one line that starts with "plugin FILE", for other files, for a maker that throws,
// and for an agent whose name exists; then nothing is added. Later exceptions of its agents become
// InputError, too.
std::vector<CatalogLine> AddPlugin(const std::string& file, AgentRegistry& agents);

// The symbol of the tag in the plugin's file, which is read without loading the library.
inline constexpr const char* kPluginAbiTagSymbol = "schedulegym_plugin_seal";

// Whether the file starts as a library or a program does.
bool IsLibrary(const std::string& file);

// The ABI tag that a library exports; none where it exports none or is none.
std::optional<PluginAbiTag> ReadPluginAbiTag(const std::string& file);

}  // namespace schedulegym
