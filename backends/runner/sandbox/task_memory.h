// TaskMemory: what all candidates of a task share, and the memory in which their tensors lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/object_code.h"
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

}  // namespace schedulegym
