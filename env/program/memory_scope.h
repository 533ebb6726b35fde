// MemoryScope: the kind of memory that holds a buffer.
#pragma once

#include <cstdint>

namespace schedulegym {

// On CPUs kGlobal and kShared are memory. kLocal is registers if every index is constant after
// unrolling, else the stack. kLocal is private to a thread.
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
