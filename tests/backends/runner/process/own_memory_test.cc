#include "backends/runner/process/own_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace schedulegym {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;
// What else may come and go meanwhile.
constexpr int64_t kSlack = int64_t{8} << 20;

class Mapping {
 public:
  explicit Mapping(int kind)
      : data_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() { munmap(data_, kBytes); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  void Fill() { std::memset(data_, 1, kBytes); }

 private:
  void* data_;
};

TEST(OwnMemoryTest, WhatIsMappedIsNotYetThere) {
  const OwnMemory before = ReadOwnMemory();
  const Mapping mapping(MAP_PRIVATE);
  const OwnMemory after = ReadOwnMemory();
  EXPECT_NEAR(after.mapped_bytes - before.mapped_bytes, kBytes, kSlack);
  EXPECT_NEAR(after.resident_bytes - before.resident_bytes, 0, kSlack);
}

TEST(OwnMemoryTest, WhatWasWrittenIs) {
  Mapping mapping(MAP_PRIVATE);
  const OwnMemory before = ReadOwnMemory();
  mapping.Fill();
  const OwnMemory after = ReadOwnMemory();
  EXPECT_NEAR(after.resident_bytes - before.resident_bytes, kBytes, kSlack);
  EXPECT_NEAR(after.shared_bytes - before.shared_bytes, 0, kSlack);
}

TEST(OwnMemoryTest, SharedMemoryIsCountedAsSuch) {
  Mapping mapping(MAP_SHARED);
  const OwnMemory before = ReadOwnMemory();
  mapping.Fill();
  EXPECT_NEAR(ReadOwnMemory().shared_bytes - before.shared_bytes, kBytes, kSlack);
}

}  // namespace
}  // namespace schedulegym
