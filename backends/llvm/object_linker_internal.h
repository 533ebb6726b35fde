// LoadedObject: an ELF object linked into this process, ready to be called.
#pragma once

#include <memory>
#include <string>

#include "env/base/result.h"

namespace schedulegym {

class LoadedObject {
 public:
  // kCompile naming the first symbol that nothing defines.
  static Result<std::unique_ptr<LoadedObject>> Load(const std::string& object);
  ~LoadedObject();

  // Null when the object has no such symbol.
  void* Find(const std::string& symbol) const;

 private:
  struct CodeMemory;
  explicit LoadedObject(std::unique_ptr<CodeMemory> memory);

  std::unique_ptr<CodeMemory> memory_;
};

}  // namespace schedulegym
