// MemoryScope: where a buffer lives.
#pragma once

#include <cstdint>

namespace schedulegym {

// On CPUs kGlobal and kShared are memory, kLocal is registers if every index is constant once
// loops are unrolled, else the stack. kLocal is private to a thread.
enum class MemoryScope : uint8_t { kGlobal, kShared, kLocal };

// "global", "shared", "local".
constexpr const char* MemoryScopeName(MemoryScope scope) {
  switch (scope) {
    case MemoryScope::kGlobal: return "global";
    case MemoryScope::kShared: return "shared";
    case MemoryScope::kLocal: return "local";
  }
  return "unknown";
}

}  // namespace schedulegym
