#include "backends/runner/sandbox/task_memory.h"

#include <utility>

#include "backends/runner/sandbox/result_page.h"
#include "env/base/check.h"

namespace schedulegym {

TaskMemory::TaskMemory(const TaskSetup& setup, std::vector<Descriptor> files)
    : input_layout(setup.input_bytes), output_layout(setup.output_bytes) {
  SG_CHECK(files.size() == setup.placements.size() + 2, "a file for each memory");
  result = SharedMemory(std::move(files[0]), kResultPageBytes, true);
  outputs = SharedMemory(std::move(files[1]), output_layout.bytes(), true);
  output_layout.Guard(outputs.data());
  for (size_t i = 2; i < files.size(); ++i) {
    inputs.emplace_back(std::move(files[i]), input_layout.bytes(), false);
    input_layout.Guard(inputs.back().data());
  }
}

}  // namespace schedulegym
