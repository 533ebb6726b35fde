// CandidateProcess: the life of a process that runs one candidate and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "backends/runner/sandbox/sandbox.h"
#include "backends/runner/sandbox/shared_memory.h"
#include "backends/runner/sandbox/tensor_layout.h"

namespace schedulegym {

// What is the same for all candidates of a task.
struct TaskSetup {
  static constexpr const char* kName = "task setup";
  std::string target;
  std::string protocol;               // spec
  std::vector<int64_t> input_bytes;   // in order of the inputs
  std::vector<int64_t> output_bytes;  // in order of the outputs
  std::vector<int32_t> placements;    // of each input set: a Placement; the last set is for timing
  ObjectCode reference;
  int32_t threads = 1;
  std::optional<int32_t> processor;  // to be timed on; until then it stays on the others
  int64_t address_bytes = 0;         // limits, as in SandboxLimits
  int64_t cpu_seconds = 0;

  static constexpr auto Fields() {
    using T = TaskSetup;
    return std::tuple(&T::target, &T::protocol, &T::input_bytes, &T::output_bytes, &T::placements,
                      &T::reference, &T::threads, &T::processor, &T::address_bytes,
                      &T::cpu_seconds);
  }
};

// The memory that the setup speaks of, mapped in the process that forks, so that its children have
// it at the same addresses.
struct TaskMemory {
  TensorLayout input_layout;
  TensorLayout output_layout;
  std::vector<SharedMemory> inputs;  // by set, not writable
  SharedMemory outputs;
  SharedMemory result;  // a ResultPage

  // Guards in place; throws MachineError.
  TaskMemory(const TaskSetup& setup, std::vector<Descriptor> files);
};

struct CandidateContext {
  const Backend& backend;
  const TaskSetup& setup;
  const TaskMemory& memory;
  const std::string& filter;  // of system calls
  // Linked before the fork, so that no child need do it; null where that failed.
  std::shared_ptr<const Kernel> reference;
};

// A candidate, once it is known, with the sockets of its line and of its stamps in place; nothing
// when none will come.
using CandidateSource = std::function<std::optional<ObjectCode>()>;

// Touches its memory and starts threads; then asks for its candidate, links it, gives up its rights
// and does what the line says until it is told to quit. To be called in a process just forked.
[[noreturn]] void RunCandidateProcess(const CandidateContext& surroundings,
                                      const CandidateSource& next);

}  // namespace schedulegym
