#include "env/measure/kernel_resources.h"

namespace schedulegym {

std::string ResourcesText(const KernelResources& resources) {
  return resources.kernel + ": " + std::to_string(resources.registers) + " registers, " +
         std::to_string(resources.spill_store_bytes) + " + " +
         std::to_string(resources.spill_load_bytes) + " bytes of spill (stored + loaded), " +
         std::to_string(resources.stack_bytes) + " bytes of stack, " +
         std::to_string(resources.shared_bytes) + " bytes of shared memory, " +
         std::to_string(resources.barriers) + " barriers";
}

}  // namespace schedulegym
