#include "backends/runner/sandbox/shared_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

SharedMemory MapAgain(const SharedMemory& memory, bool writable) {
  return SharedMemory(Descriptor(dup(memory.descriptor())), memory.bytes(), writable);
}

// Makes the system read a byte; it returns an error instead of faulting.
bool CanRead(const std::byte* at) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const bool can = write(ends[1], at, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return can;
}

TEST(SharedMemoryTest, BeginsAsZerosAndIsShared) {
  const SharedMemory memory(10000);
  const SharedMemory other = MapAgain(memory, true);
  EXPECT_EQ(memory.bytes(), 10000);
  EXPECT_EQ(memory.data()[9999], std::byte{0});
  memory.data()[123] = std::byte{5};
  EXPECT_EQ(other.data()[123], std::byte{5});
  other.data()[124] = std::byte{6};
  EXPECT_EQ(memory.data()[124], std::byte{6});
}

// Otherwise a change of size could make a reader fault.
TEST(SharedMemoryTest, NobodyChangesItsSize) {
  const SharedMemory memory(8192);
  EXPECT_NE(ftruncate(memory.descriptor(), 0), 0);
  EXPECT_NE(ftruncate(memory.descriptor(), 1 << 20), 0);
}

TEST(SharedMemoryTest, SealedContentsStayAsTheyAre) {
  SharedMemory memory(8192);
  memory.data()[1] = std::byte{7};
  memory.SealContents();
  EXPECT_EQ(memory.data()[1], std::byte{7});
  EXPECT_THROW(MapAgain(memory, true), MachineError);
  const SharedMemory reader = MapAgain(memory, false);
  EXPECT_EQ(reader.data()[1], std::byte{7});
  EXPECT_NE(mprotect(reader.data(), 4096, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(errno, EACCES);
  EXPECT_EQ(pwrite(memory.descriptor(), "x", 1, 0), -1);
  EXPECT_NE(fallocate(memory.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
  EXPECT_NE(madvise(reader.data(), 4096, MADV_REMOVE), 0);
  EXPECT_NE(fcntl(memory.descriptor(), F_ADD_SEALS, F_SEAL_GROW), 0);
  EXPECT_EQ(reader.data()[1], std::byte{7});
}

TEST(SharedMemoryTest, NothingLiesCloseToIt) {
  const SharedMemory memory(5000);
  const SharedMemory other(5000);
  for (const SharedMemory* one : {&memory, &other}) {
    EXPECT_TRUE(CanRead(one->data() + 4999));
    EXPECT_FALSE(CanRead(one->data() - 1));
    EXPECT_FALSE(CanRead(one->data() - SharedMemory::kMargin));
    EXPECT_FALSE(CanRead(one->data() + 8192));
    EXPECT_FALSE(CanRead(one->data() + 8191 + SharedMemory::kMargin));
  }
}

TEST(SharedMemoryTest, MovesToANewOwner) {
  SharedMemory first(4096);
  std::byte* data = first.data();
  SharedMemory second(std::move(first));
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(second.data(), data);
  SharedMemory third(4096);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  third.CloseFile();
  third.data()[0] = std::byte{1};
  EXPECT_EQ(third.descriptor(), -1);
}

TEST(SharedMemoryTest, TooMuchIsTheMachines) {
  EXPECT_THROW(SharedMemory(int64_t{1} << 62), MachineError);
  EXPECT_EQ(SharedMemory(0).data(), nullptr);
}

}  // namespace
}  // namespace schedulegym
