// LLVM's tables of processors and features.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#pragma GCC diagnostic pop

#include "backends/llvm/llvm_backend.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

std::unique_ptr<llvm::MCSubtargetInfo> TablesOf(const char* cpu) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  std::string message;
  const llvm::Target* entry = llvm::TargetRegistry::lookupTarget(kTriple, message);
  if (entry == nullptr) throw MachineError("LLVM has no code generator for x86-64: " + message);
  return std::unique_ptr<llvm::MCSubtargetInfo>(entry->createMCSubtargetInfo(kTriple, cpu, ""));
}

bool Has64Bits(const char* cpu) {
  const auto features = TablesOf(cpu)->getEnabledProcessorFeatures();
  return std::ranges::any_of(features,
                             [](const auto& row) { return std::string_view(row.Key) == "64bit"; });
}

}  // namespace

TargetNames LlvmTargetNames() {
  TargetNames names;
  const std::unique_ptr<llvm::MCSubtargetInfo> tables = TablesOf("generic");
  for (const auto& row : tables->getAllProcessorDescriptions()) {
    if (Has64Bits(row.Key)) names.cpus.emplace_back(row.Key);
  }
  for (const auto& row : tables->getAllProcessorFeatures()) {
    const std::string_view name = row.Key;
    if (name != "16bit-mode" && name != "32bit-mode") names.features.emplace_back(name);
  }
  return names;
}

}  // namespace schedulegym
