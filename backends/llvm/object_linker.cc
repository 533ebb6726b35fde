#include "backends/llvm/object_linker_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <llvm/ExecutionEngine/RTDyldMemoryManager.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#pragma GCC diagnostic pop

#include "backends/llvm/runtime_symbols.h"

namespace schedulegym {

struct LoadedObject::CodeMemory {
  class Resolver final : public llvm::LegacyJITSymbolResolver {
   public:
    llvm::JITSymbol findSymbol(const std::string& name) override {
      void* address = FindRuntimeSymbol(name);
      if (address == nullptr) return nullptr;
      return {reinterpret_cast<uint64_t>(address), llvm::JITSymbolFlags::Exported};
    }
    llvm::JITSymbol findSymbolInLogicalDylib(const std::string&) override { return nullptr; }
  };

  llvm::SectionMemoryManager sections;
  Resolver resolver;
  std::unique_ptr<llvm::RuntimeDyld> linker;
};

LoadedObject::LoadedObject(std::unique_ptr<CodeMemory> memory) : memory_(std::move(memory)) {}

LoadedObject::~LoadedObject() = default;

Result<std::unique_ptr<LoadedObject>> LoadedObject::Load(const std::string& object) {
  auto memory = std::make_unique<CodeMemory>();
  memory->linker = std::make_unique<llvm::RuntimeDyld>(memory->sections, memory->resolver);
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object), "kernel"));
  if (!file) return Error{ErrorKind::kCompile, llvm::toString(file.takeError())};
  memory->linker->loadObject(**file);
  memory->linker->resolveRelocations();
  if (memory->linker->hasError()) {
    return Error{ErrorKind::kCompile, memory->linker->getErrorString().str()};
  }
  std::string message;
  if (memory->sections.finalizeMemory(&message)) return Error{ErrorKind::kCompile, message};
  return std::unique_ptr<LoadedObject>(new LoadedObject(std::move(memory)));
}

void* LoadedObject::Find(const std::string& symbol) const {
  return memory_->linker->getSymbolLocalAddress(symbol);
}

}  // namespace schedulegym
