// Plugin: a shared library of agents, and the ABI tag that is checked before any call into it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/common/fresh_schedules.h"
#include "agents/common/task_search.h"
#include "agents/old_names.h"
#include "env/base/fault.h"

namespace schedulegym {

// Increases if old plugins are no longer compatible.
inline constexpr uint32_t kPluginApi = 1;

// Agents cross the library boundary as C++ values, so both sides must be built from the same
// headers in the same way. `api` and `size` keep their positions in all API versions.
struct PluginAbiTag {
  uint32_t api = 0;
  uint32_t size = 0;         // of this struct
  uint32_t structs[9] = {};  // bytes of the types that cross
  char headers[68] = {};     // SHA-256 of the public headers, hexadecimal
  char build[64] = {};       // machine, standard library and options that change its types
};

static_assert(sizeof(PluginAbiTag) == 176, "it has no gaps, whose bytes would be anything");

#define SG_PLUGIN_QUOTE_(word) #word
#define SG_PLUGIN_QUOTE(word) SG_PLUGIN_QUOTE_(word)
#if defined(__x86_64__)
#define SG_PLUGIN_MACHINE "x86_64"
#elif defined(__aarch64__)
#define SG_PLUGIN_MACHINE "aarch64"
#else
#define SG_PLUGIN_MACHINE "other"
#endif
#ifdef _GLIBCXX_DEBUG
#define SG_PLUGIN_DEBUG " debug"
#else
#define SG_PLUGIN_DEBUG ""
#endif
#ifdef __GLIBCXX__
#define SG_PLUGIN_LIBRARY \
  "libstdc++ " SG_PLUGIN_QUOTE(_GLIBCXX_RELEASE) " abi " SG_PLUGIN_QUOTE(_GLIBCXX_USE_CXX11_ABI)
#else
#define SG_PLUGIN_LIBRARY "another library"
#endif

// The tag of the current build. schedulegym_add_plugin (CMake) defines SG_PLUGIN_HEADERS.
#ifdef SG_PLUGIN_HEADERS
constexpr PluginAbiTag AbiTagOfThisBuild() {
  return {kPluginApi,
          sizeof(PluginAbiTag),
          {sizeof(Agent), sizeof(AgentContext), sizeof(AgentSetup), sizeof(AgentEntry),
           sizeof(Proposal), sizeof(Trial), sizeof(Record), sizeof(ScheduleState), sizeof(Spec)},
          SG_PLUGIN_HEADERS,
          SG_PLUGIN_MACHINE " " SG_PLUGIN_LIBRARY SG_PLUGIN_DEBUG};
}
#endif

using PluginAgents = std::vector<AgentEntry>;

}  // namespace schedulegym

#define SG_PLUGIN_EXPORT __attribute__((visibility("default")))

// Use once in a plugin, followed by the body of a function that fills `agents`:
//   SG_PLUGIN(agents) { agents.push_back({"climber", "patience=20", "climbs", MakeClimber}); }
// Exports the ABI tag and the two functions that make and release the agents. An exception from the
// body rejects the plugin.
#define SG_PLUGIN(agents)                                                                     \
  static void FillSchedulegymPlugin(schedulegym::PluginAgents& agents);                       \
  extern "C" {                                                                                \
  extern SG_PLUGIN_EXPORT const schedulegym::PluginAbiTag schedulegym_plugin_seal;            \
  const schedulegym::PluginAbiTag schedulegym_plugin_seal = schedulegym::AbiTagOfThisBuild(); \
  SG_PLUGIN_EXPORT schedulegym::PluginAgents* schedulegym_plugin_create() {                   \
    auto made = std::make_unique<schedulegym::PluginAgents>();                                \
    FillSchedulegymPlugin(*made);                                                             \
    return made.release();                                                                    \
  }                                                                                           \
  SG_PLUGIN_EXPORT void schedulegym_plugin_release(schedulegym::PluginAgents* made) {         \
    delete made;                                                                              \
  }                                                                                           \
  }                                                                                           \
  static void FillSchedulegymPlugin(schedulegym::PluginAgents& agents)
