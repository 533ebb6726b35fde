#include "backends/cuda/resource_log.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

// NVRTC 13.0's log for sm_80, and one kernel without figures.
constexpr char kLog[] =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'kernel_1' for 'sm_80'\n"
    "ptxas info    : Function properties for kernel_1\n"
    "ptxas         .     1048 bytes stack frame, 1040 bytes spill stores, 1072 bytes spill loads\n"
    "ptxas info    : Used 64 registers, used 1 barriers, 4096 bytes smem, 376 bytes cmem[0]\n"
    "ptxas info    : Compile time = 2.664 ms\n"
    "ptxas info    : Compiling entry function 'kernel_0' for 'sm_80'\n"
    "ptxas info    : Function properties for kernel_0\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 15 registers, used 0 barriers, 384 bytes cmem[0]\n"
    "ptxas info    : Function properties for kernel_2\n";

TEST(ResourceLogTest, ReadsEachKernel) {
  const std::vector<KernelResources> found = ParseResources(kLog);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], (KernelResources{"kernel_1", 64, 1040, 1072, 1048, 4096, 1}));
  EXPECT_EQ(found[1], (KernelResources{"kernel_0", 15, 0, 0, 0, 0, 0}));
}

TEST(ResourceLogTest, FindsNothingWithoutFigures) {
  EXPECT_TRUE(ParseResources("").empty());
  EXPECT_TRUE(ParseResources("warning: 3 registers of paper\n").empty());
}

TEST(ResourceLogTest, PrintsALine) {
  EXPECT_EQ(ResourcesText(ParseResources(kLog)[0]),
            "kernel_1: 64 registers, 1040 + 1072 bytes of spill (stored + loaded), 1048 bytes of "
            "stack, 4096 bytes of shared memory, 1 barriers");
}

}  // namespace
}  // namespace schedulegym
