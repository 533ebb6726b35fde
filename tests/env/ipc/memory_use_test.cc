#include "env/ipc/worker_process.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace schedulegym {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;
constexpr int64_t kSlack = int64_t{8} << 20;  // what the rest of the process may allocate meanwhile

class MemoryUseTest : public testing::TestWithParam<int> {
 protected:
  MemoryUseTest()
      : memory_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, GetParam() | MAP_ANONYMOUS, -1, 0)) {}
  ~MemoryUseTest() override { munmap(memory_, kBytes); }

  const MemoryUse before_ = MemoryUseOfProcess();
  void* memory_;
};

TEST_P(MemoryUseTest, AddressesCountBeforeTheyAreTouched) {
  const MemoryUse mapped = MemoryUseOfProcess();
  EXPECT_NEAR(mapped.mapped_bytes - before_.mapped_bytes, kBytes, kSlack);
  EXPECT_NEAR(mapped.resident_bytes - before_.resident_bytes, 0, kSlack);
  std::memset(memory_, 1, kBytes);
  const MemoryUse touched = MemoryUseOfProcess();
  EXPECT_NEAR(touched.mapped_bytes - before_.mapped_bytes, kBytes, kSlack);
  EXPECT_NEAR(touched.resident_bytes - before_.resident_bytes, kBytes, kSlack);
  EXPECT_NEAR(touched.shared_bytes - before_.shared_bytes, GetParam() == MAP_SHARED ? kBytes : 0,
              kSlack);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MemoryUseTest, testing::Values(MAP_PRIVATE, MAP_SHARED),
                         [](const auto& info) {
                           return info.param == MAP_SHARED ? "Shared" : "Private";
                         });

}  // namespace
}  // namespace schedulegym
