// Agent messages: between a search and an agent in another process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "assembly/messages/record_messages.h"
#include "backends/runner/wire/messages.h"

namespace schedulegym {

// Requests beside those of messages.h. The reply is an AgentReply, or the one that the comment
// names; or a RefusedReply.
enum class AgentMessage : uint16_t {
  kSetup = 64,    // AgentSetupText, the first
  kPropose = 65,  // AgentRequest
  kLearn = 66,    // AgentLesson
  kAnswer = 67,   // AgentReply, AgentLines or AgentModelState
  kPlugin = 68,   // PluginFile, any number before the setup; answered by AgentLines
  kSave = 72,     // AgentModelState without a text; answered by AgentModelState
  kLoad = 73,     // AgentModelState
};

struct AgentTaskText {
  TaskText task;
  double weight = 1;

  static constexpr auto Fields() {
    return std::tuple(&AgentTaskText::task, &AgentTaskText::weight);
  }
};

// An AgentSetup.
struct AgentSetupText {
  static constexpr const char* kName = "agent setup";
  std::string agent, space;  // specs
  std::vector<AgentTaskText> tasks;
  std::optional<int64_t> trials;  // unset where the budget is unknown
  std::optional<double> seconds;
  uint64_t seed = 0;

  static constexpr auto Fields() {
    return std::tuple(&AgentSetupText::agent, &AgentSetupText::space, &AgentSetupText::tasks,
                      &AgentSetupText::trials, &AgentSetupText::seconds, &AgentSetupText::seed);
  }
};

struct AgentRequest {
  static constexpr const char* kName = "agent request";
  int32_t task = 0;  // its position in the setup
  int32_t count = 0;

  static constexpr auto Fields() { return std::tuple(&AgentRequest::task, &AgentRequest::count); }
};

struct AgentTrial {
  int32_t task = 0;
  std::string trace;
  std::string key;   // of its state
  std::string told;  // "measured", ... (TrialStatusName)

  static constexpr auto Fields() {
    return std::tuple(&AgentTrial::task, &AgentTrial::trace, &AgentTrial::key, &AgentTrial::told);
  }
};

struct AgentLesson {
  static constexpr const char* kName = "agent lesson";
  std::vector<AgentTrial> trials;
  WireRecords records;  // one for each trial; null if it was not reached

  static constexpr auto Fields() { return std::tuple(&AgentLesson::trials, &AgentLesson::records); }
};

struct AgentProposal {
  std::string trace;
  std::string note;

  static constexpr auto Fields() { return std::tuple(&AgentProposal::trace, &AgentProposal::note); }
};

struct AgentReply {
  static constexpr const char* kName = "agent reply";
  std::vector<AgentProposal> proposals;
  std::string memory;  // to the setup: kind of the learned state; "" if it does not learn
  std::vector<std::string> warnings;  // for the user, a line each

  static constexpr auto Fields() {
    return std::tuple(&AgentReply::proposals, &AgentReply::memory, &AgentReply::warnings);
  }
};

// The agent's learned state.
struct AgentModelState {
  static constexpr const char* kName = "agent memory";
  std::optional<std::string> text;  // unset if it has learned nothing

  static constexpr auto Fields() { return std::tuple(&AgentModelState::text); }
};

// A shared library whose agents later setups may name.
struct PluginFile {
  static constexpr const char* kName = "plugin file";
  std::string path;  // absolute

  static constexpr auto Fields() { return std::tuple(&PluginFile::path); }
};

struct AgentLine {
  std::string name, parameters, description;

  static constexpr auto Fields() {
    return std::tuple(&AgentLine::name, &AgentLine::parameters, &AgentLine::description);
  }
};

// Agents that the plugin added.
struct AgentLines {
  static constexpr const char* kName = "agent lines";
  std::vector<AgentLine> agents;

  static constexpr auto Fields() { return std::tuple(&AgentLines::agents); }
};

}  // namespace schedulegym
