#include "experiments/cli/common/resources_report.h"

namespace schedulegym {

void AddResources(const Measurement& measurement, JsonObject* fields) {
  if (measurement.resources.empty()) return;
  std::vector<JsonValue> kernels;
  for (const KernelResources& kernel : measurement.resources) {
    kernels.push_back(JsonObject{{"kernel", kernel.kernel},
                                 {"registers", kernel.registers},
                                 {"spill_store_bytes", kernel.spill_store_bytes},
                                 {"spill_load_bytes", kernel.spill_load_bytes},
                                 {"stack_bytes", kernel.stack_bytes},
                                 {"shared_bytes", kernel.shared_bytes},
                                 {"barriers", kernel.barriers}});
  }
  fields->push_back({"resources", std::move(kernels)});
}

std::string ResourcesLines(const Measurement& measurement, int indent) {
  std::string text;
  for (const KernelResources& kernel : measurement.resources) {
    if (!text.empty()) text += "\n";
    text += std::string(static_cast<size_t>(indent), ' ') + ResourcesText(kernel);
  }
  return text;
}

}  // namespace schedulegym
