// Plugin loader: opens shared libraries of agents; in `schedulegym-agent`, and nowhere else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/plugin.h"

namespace schedulegym {

// Adds the agents of the library (agents/plugin.h) to those there are, and returns what it added.
// Nothing in it runs before its ABI tag is that of this build. It stays open. What is no such
// plugin, one whose maker throws or whose agent has a name that exists throws InputError, one line
// that begins with "plugin FILE", and adds nothing. What its agents throw later becomes InputError,
// too.
std::vector<CatalogLine> AddPlugin(const std::string& file, AgentRegistry& agents);

// Plugin's file: what stands in it, read without opening it as a library: nothing in it runs.
inline constexpr const char* kPluginAbiTagSymbol = "schedulegym_plugin_seal";

// Whether it begins as a library or a program does.
bool IsLibrary(const std::string& file);

// The ABI tag that a library exports; none where it exports none or is none.
std::optional<PluginAbiTag> ReadPluginAbiTag(const std::string& file);

}  // namespace schedulegym
