// Zygote: a small process of one thread that forks a process for each candidate; it never runs a
// candidate's code itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "backends/object_code.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

// Frames between checker and zygote.
enum class ZygoteMessage : uint16_t {
  kSetup = 1,  // TaskSetup with files: stderr, result page, outputs, one for each input set
  kRun = 2,    // ObjectCode with two sockets, line and stamps; answered by kStarted, later kEnded
  kKill = 3,   // the candidate of that id, if it still runs
  kStarted = 4,
  kDismiss = 6,  // the candidate of that id got kQuit: it is killed if it does not end in a moment
  kEnded = 5,    // CandidateEnd
};

struct CandidateEnd {
  static constexpr const char* kName = "end of a candidate";
  int32_t wait_status = 0;
  bool near_memory_limit = false;  // it had used most of its limit
  // Notes of its fault handler, if any.
  int32_t fault_signal = 0;
  int32_t system_call = -1;
  bool fault_is_write = false;
  // The tensor at which the fault lies: a position among the inputs, or among the outputs.
  std::optional<int32_t> fault_input, fault_output;

  static constexpr auto Fields() {
    using T = CandidateEnd;
    return std::tuple(&T::wait_status, &T::near_memory_limit, &T::fault_signal, &T::system_call,
                      &T::fault_is_write, &T::fault_input, &T::fault_output);
  }
};

// Serves until the other side closes.
void RunZygote(Descriptor socket);

}  // namespace schedulegym
