// Turns an LLVM module into IR text, assembly or an x86-64 object for a target's processor. Few
// passes run, as the emitted code already reuses loads and addresses: SROA and CFG simplification;
// early CSE and LICM only where `has_spare_work`. Loop strength reduction is off: addresses are
// placed by FunctionFrame, and it took half of the time for 1 % of speed (geometric mean of the
// expert suite, 1.01 without it). Optimized code may contract a * b + c; plain code may not.
// Errors: MachineError without the x86-64 back end, kCompile for a form that cannot be written.
#include "backends/llvm/code_generator_internal.h"

#include <algorithm>
#include <array>
#include <string_view>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar.h>
#pragma GCC diagnostic pop

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

// Part of every x86-64 processor; its calling convention needs them.
constexpr std::array<std::string_view, 7> kBaseline = {"64bit", "cmov", "cx8", "fxsr",
                                                       "mmx",   "sse",  "sse2"};

bool IsBaseline(llvm::StringRef name) {
  return std::find(kBaseline.begin(), kBaseline.end(), std::string_view(name)) != kBaseline.end();
}

// Features of the processor's name that the target lacks are switched off first.
std::string FeatureText(const Target& target) {
  std::string text;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    const llvm::StringRef name = feature.getKey();
    if (!IsBaseline(name) && !target.HasFeature(name.str())) text += "-" + name.str() + ",";
  }
  for (const std::string& name : target.features) text += "+" + name + ",";
  if (!text.empty()) text.pop_back();
  return text;
}

std::unique_ptr<llvm::TargetMachine> MakeMachine(const Target& target, const std::string& features,
                                                 bool optimize) {
  std::string message;
  const llvm::Target* entry = llvm::TargetRegistry::lookupTarget(kTriple, message);
  if (entry == nullptr) throw MachineError("LLVM has no code generator for x86-64: " + message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = optimize ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  options.NoTrappingFPMath = true;
  const auto level = optimize ? llvm::CodeGenOptLevel::Aggressive : llvm::CodeGenOptLevel::Less;
  return std::unique_ptr<llvm::TargetMachine>(entry->createTargetMachine(
      kTriple, target.cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
}

// LLVM's own options, which are global to the process. FunctionFrame places addresses already; loop
// strength reduction would take half of the time without a gain (measured on the expert suite:
// geomean 1.01 without it).
void SetSwitches() {
  static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    for (const char* name : {"disable-lsr"}) {
      const auto option = options.find(name);
      if (option != options.end()) option->second->addOccurrence(1, name, "true");
    }
    return true;
  }();
  (void)done;
}

// Emitted code reuses loads and addresses and hoists both already; registers are all it lacks.
void AddPasses(llvm::legacy::PassManager& passes, bool optimize, bool has_spare_work) {
  passes.add(llvm::createSROAPass());
  if (!optimize || has_spare_work) passes.add(llvm::createEarlyCSEPass());
  if (!optimize) return;
  passes.add(llvm::createCFGSimplificationPass());
  if (has_spare_work) passes.add(llvm::createLICMPass());
}

}  // namespace

CodeGenerator::CodeGenerator(const Target& target) : features_(FeatureText(target)) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  SetSwitches();
  machine_ = MakeMachine(target, features_, true);
  plain_machine_ = MakeMachine(target, features_, false);
}

CodeGenerator::~CodeGenerator() = default;

void CodeGenerator::Prepare(llvm::Module& module) const {
  module.setTargetTriple(kTriple);
  module.setDataLayout(machine_->createDataLayout());
}

Result<std::string> CodeGenerator::Generate(llvm::Module& module, CodeForm form, bool optimize,
                                            bool has_spare_work) const {
  llvm::TargetMachine& machine = optimize ? *machine_ : *plain_machine_;
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  AddPasses(passes, optimize, has_spare_work);
  if (form == CodeForm::kIr) {
    passes.run(module);
    module.print(stream, nullptr);
    return std::string(text);
  }
  const auto type = form == CodeForm::kObject ? llvm::CodeGenFileType::ObjectFile
                                              : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true)) {
    return Error{ErrorKind::kCompile, "LLVM cannot write this kind of file"};
  }
  passes.run(module);
  return std::string(text);
}

}  // namespace schedulegym
