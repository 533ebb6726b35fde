#include "tests/fuzz/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {

// Replaced operators have no parameter for a counter.
thread_local int64_t allocated_bytes = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  allocated_bytes += static_cast<int64_t>(bytes);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace schedulegym {

int64_t AllocatedBytes() { return allocated_bytes; }

}  // namespace schedulegym
