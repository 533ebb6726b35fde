// SQLite facts: what the linked library and the place of a file mean for a store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// Of the library that this program runs with, such as "3.40.1".
std::string SqliteVersion();
// The same as SQLite counts: 3040001.
int SqliteVersionNumber();

// Whether a version may lose rows when two connections write or checkpoint one database in WAL mode
// at the same instant: 3.7.0 to 3.51.2, but for the repaired 3.44.6 and 3.50.7 and their followers.
// With one writer it does not arise.
bool HasWalResetBug(int version_number);

// The name of a network file system, such as "nfs", whose locks and shared memory SQLite cannot
// trust; none where the file's folder is local or nothing is known about it.
std::optional<std::string> NetworkFileSystem(const std::string& path);

// The same from the numbers that the system gives: the type of statfs(2), and, for what runs in
// user space, the mount table (/proc/self/mountinfo) and the device as "major:minor".
std::optional<std::string> NetworkFileSystemOf(int64_t type, std::string_view mounts,
                                               std::string_view device);

}  // namespace schedulegym
