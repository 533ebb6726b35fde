// CodeGenerator: LLVM modules to optimised IR, assembly and ELF objects for one target.
#pragma once

#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/llvm/llvm_internal.h"
#include "env/base/result.h"
#include "env/program/targets/target.h"

namespace llvm {
class TargetMachine;
}

namespace schedulegym {

// Not for several threads at once.
class CodeGenerator {
 public:
  // Throws MachineError where LLVM lacks the target's processor.
  explicit CodeGenerator(const Target& target);
  ~CodeGenerator();

  // Gives an empty module the target's triple and layout.
  void Prepare(llvm::Module& module) const;
  // Consumes the module. `optimize` chooses between the full pipeline and a quick one that neither
  // reorders nor fuses arithmetic. Common expressions and invariants of loops are sought only in
  // code that `has_spare_work`.
  Result<std::string> Generate(llvm::Module& module, CodeForm form, bool optimize,
                               bool has_spare_work) const;

 private:
  std::string features_;
  std::unique_ptr<llvm::TargetMachine> machine_;        // for optimised code
  std::unique_ptr<llvm::TargetMachine> plain_machine_;  // without fusion of operations
};

}  // namespace schedulegym
