// Training messages: messages between a command that trains a policy and the process in which it
// learns.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "backends/runner/wire/messages.h"

namespace schedulegym {

// Requests, each of which is answered by a TrainingReply or a RefusedReply, beside those of
// messages.h and agent_messages.h.
enum class TrainingMessage : uint16_t {
  kSetup = 96,   // TrainingSetup, the first
  kRound = 97,   // TrainingRound
  kSave = 98,    // TrainingFile
  kAnswer = 99,  // TrainingReply
};

struct TrainingSetup {
  static constexpr const char* kName = "training setup";
  std::string agent, space;     // specs
  std::vector<TaskText> kinds;  // for the like of which the policy is
  uint64_t seed = 0;

  static constexpr auto Fields() {
    return std::tuple(&TrainingSetup::agent, &TrainingSetup::space, &TrainingSetup::kinds,
                      &TrainingSetup::seed);
  }
};

struct TrainingRound {
  static constexpr const char* kName = "training round";
  TaskText task;

  static constexpr auto Fields() { return std::tuple(&TrainingRound::task); }
};

// The path for the policy.
struct TrainingFile {
  static constexpr const char* kName = "training file";
  std::string path;

  static constexpr auto Fields() { return std::tuple(&TrainingFile::path); }
};

// Of a round its TrainedRound.
struct TrainingReply {
  static constexpr const char* kName = "training reply";
  bool is_taken = false;  // a round was run
  int64_t visits = 0;
  double step = 0, best = 0, entropy = 0;
  bool diverged = false;

  static constexpr auto Fields() {
    return std::tuple(&TrainingReply::is_taken, &TrainingReply::visits, &TrainingReply::step,
                      &TrainingReply::best, &TrainingReply::entropy, &TrainingReply::diverged);
  }
};

}  // namespace schedulegym
