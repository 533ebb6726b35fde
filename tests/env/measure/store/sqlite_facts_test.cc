#include "env/measure/store/sqlite_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

TEST(SqliteFactsTest, TheVersionIsOneTextAndOneNumber) {
  const int number = SqliteVersionNumber();
  EXPECT_EQ(SqliteVersion(), std::to_string(number / 1000000) + "." +
                                 std::to_string(number / 1000 % 1000) + "." +
                                 std::to_string(number % 1000));
}

TEST(SqliteFactsTest, KnowsTheVersionsWithTheWalResetBug) {
  for (int bad : {3007000, 3040001, 3044005, 3045000, 3050006, 3051000, 3051002}) {
    EXPECT_TRUE(HasWalResetBug(bad)) << bad;
  }
  for (int good : {3006023, 3044006, 3044009, 3050007, 3051003, 3052000, 4000000}) {
    EXPECT_FALSE(HasWalResetBug(good)) << good;
  }
}

constexpr const char* kMounts =
    "22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "40 22 0:37 / /mnt/far rw,nosuid - fuse.sshfs user@host:/ rw\n"
    "41 22 0:38 / /mnt/near rw,nosuid - fuseblk /dev/sdb1 rw\n";

TEST(SqliteFactsTest, KnowsNetworkFileSystems) {
  EXPECT_EQ(NetworkFileSystemOf(0x6969, kMounts, "0:5"), "nfs");
  EXPECT_EQ(NetworkFileSystemOf(0xff534d42, kMounts, "0:5"), "cifs");
  // The kernel returns this value if the type is a signed number.
  EXPECT_EQ(NetworkFileSystemOf(static_cast<int32_t>(0xff534d42), kMounts, "0:5"), "cifs");
  EXPECT_EQ(NetworkFileSystemOf(0x01021997, kMounts, "0:5"), "9p");
  EXPECT_EQ(NetworkFileSystemOf(0xef53, kMounts, "254:1"), std::nullopt);
  EXPECT_EQ(NetworkFileSystemOf(0x01021994, kMounts, "0:5"), std::nullopt) << "tmpfs";
}

TEST(SqliteFactsTest, WhatRunsInUserSpaceIsKnownByItsMount) {
  EXPECT_EQ(NetworkFileSystemOf(0x65735546, kMounts, "0:37"), "fuse.sshfs");
  EXPECT_EQ(NetworkFileSystemOf(0x65735546, kMounts, "0:38"), std::nullopt);
  EXPECT_EQ(NetworkFileSystemOf(0x65735546, kMounts, "0:3"), std::nullopt);
  EXPECT_EQ(NetworkFileSystemOf(0x65735546, "nonsense", "0:37"), std::nullopt);
}

TEST(SqliteFactsTest, AFolderForTestsIsLocalAndAMissingOneUnknown) {
  const TemporaryFolder folder;
  EXPECT_EQ(NetworkFileSystem(folder.Path("a.db")), std::nullopt);
  EXPECT_EQ(NetworkFileSystem("/no/such/folder/a.db"), std::nullopt);
  EXPECT_EQ(NetworkFileSystem("a.db"), NetworkFileSystem("./a.db"));
}

}  // namespace
}  // namespace schedulegym
