// Plugin: a shared library of agents; what it says of itself before anything in it is called.
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

// Rises where old plugins would no longer be understood.
inline constexpr uint32_t kPluginApi = 1;

// Agents cross the door as C++ values: both sides are to have been built from the same headers, in
// the same way. `api` and `size` stay where they are in all numbers of the API.
struct PluginAbiTag {
  uint32_t api = 0;
  uint32_t size = 0;         // of this struct
  uint32_t structs[9] = {};  // bytes of those that cross
  char headers[68] = {};     // SHA-256 of the public headers, hexadecimal
  char build[64] = {};       // machine, standard library and what changes its types
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

// Of the build that compiles this. It says what the headers are (schedulegym_add_plugin).
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

// Once in a plugin, followed by the body of a function that fills `agents`:
//   SG_PLUGIN(agents) { agents.push_back({"climber", "patience=20", "climbs", MakeClimber}); }
// It exports the ABI tag and the two functions by which the agents are made and given back; what
// the body throws refuses the plugin.
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
