// Agent messages: what a search and an agent in another process say to each other.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "backends/runner/wire/messages.h"

namespace schedulegym {

// Requests, each of which is answered by an AgentReply or by a RefusedReply, beside those of
// messages.h.
enum class AgentMessage : uint16_t {
  kCheckTask = 64,  // AgentRequest
  kPropose = 65,    // AgentRequest
  kLearn = 66,      // AgentLesson
  kAnswer = 67,     // AgentReply
};

struct AgentRequest {
  static constexpr const char* kName = "agent request";
  TaskText task;
  int32_t count = 0;

  static constexpr auto Fields() { return std::tuple(&AgentRequest::task, &AgentRequest::count); }
};

struct AgentLesson {
  static constexpr const char* kName = "agent lesson";
  std::vector<std::string> records;  // lines of JSON

  static constexpr auto Fields() { return std::tuple(&AgentLesson::records); }
};

struct AgentReply {
  static constexpr const char* kName = "agent reply";
  std::vector<std::string> traces;

  static constexpr auto Fields() { return std::tuple(&AgentReply::traces); }
};

}  // namespace schedulegym
