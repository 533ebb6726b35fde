#include "env/measure/host/machine_facts.h"

#include <gtest/gtest.h>

#include "tests/env/measure/fake_root.h"

namespace schedulegym {
namespace {

TEST(CgroupCpuTest, SecondVersion) {
  const FakeRoot root;
  root.Write("proc/self/cgroup", "0::/a/b\n");
  root.Write("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
  root.Write("sys/fs/cgroup/a/b/cpu.stat",
             "usage_usec 9\nnr_periods 7\nnr_throttled 3\nthrottled_usec 2500000\n");
  EXPECT_EQ(ReadCgroupCpu(root.path()), (CgroupCpu{1.5, 3, 2.5}));
}

TEST(CgroupCpuTest, TheGroupsAboveLimitToo) {
  const FakeRoot root;
  root.Write("proc/self/cgroup", "0::/a/b\n");
  root.Write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  root.Write("sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
  root.Write("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  root.Write("sys/fs/cgroup/a/cpu.stat", "nr_throttled 4\nthrottled_usec 1000\n");
  root.Write("sys/fs/cgroup/cpu.stat", "usage_usec 9\n");
  EXPECT_EQ(ReadCgroupCpu(root.path()), (CgroupCpu{0.5, 4, 0.001}));
}

TEST(CgroupCpuTest, FirstVersion) {
  const FakeRoot root;
  root.Write("proc/self/cgroup", "5:cpuset:/x\n4:cpu,cpuacct:/c\n0::/\n");
  root.Write("sys/fs/cgroup/cpu,cpuacct/c/cpu.stat",
             "nr_periods 10\nnr_throttled 5\nthrottled_time 3000000000\n");
  root.Write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "200000\n");
  root.Write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(ReadCgroupCpu(root.path()), (CgroupCpu{2.0, 5, 3.0}));
}

TEST(CgroupCpuTest, AContainerSeesItsGroupAtTheTop) {
  const FakeRoot root;
  root.Write("proc/self/cgroup", "1:cpu:/not/mounted/here\n");
  root.Write("sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 1\nthrottled_time 0\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(ReadCgroupCpu(root.path()), (CgroupCpu{std::nullopt, 1, 0.0}));
}

TEST(CgroupCpuTest, NothingThere) {
  const FakeRoot root;
  EXPECT_EQ(ReadCgroupCpu(root.path()), std::nullopt);
  root.Write("proc/self/cgroup", "nonsense\n0::/\n");
  EXPECT_EQ(ReadCgroupCpu(root.path()), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
