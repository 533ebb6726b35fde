#include "env/measure/store/sqlite_facts.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/text.h"

namespace schedulegym {
namespace {

struct NumberedSystem {
  int64_t type;
  const char* name;
};

// From statfs(2) and the systems' own headers.
constexpr NumberedSystem kNetworkSystems[] = {
    {0x6969, "nfs"},        {0x517b, "smb"},       {0xfe534d42, "smb2"},   {0xff534d42, "cifs"},
    {0x01021997, "9p"},     {0x00c36400, "ceph"},  {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},
    {0x19830326, "beegfs"}, {0x5346414f, "afs"},   {0x73757245, "coda"},   {0x7461636f, "ocfs2"},
    {0x01161970, "gfs2"},   {0xaad7aaea, "panfs"},
};
constexpr int64_t kUserSpace = 0x65735546;  // FUSE

// Of those in user space, which reach another machine.
constexpr const char* kNetworkUserSystems[] = {
    "fuse.sshfs",  "fuse.s3fs",     "fuse.gcsfuse",   "fuse.glusterfs", "fuse.rclone",
    "fuse.davfs2", "fuse.cephfs",   "fuse.curlftpfs", "fuse.moosefs",   "fuse.juicefs",
    "fuse.afp",    "fuse.smbnetfs", "fuse.goofys",
};

// The type in a line of mountinfo, "36 35 98:0 / /mnt rw - ext3 /dev/root rw".
std::string_view TypeOfMount(std::string_view line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return {};
  const std::string_view rest = line.substr(dash + 3);
  return rest.substr(0, rest.find(' '));
}

std::string ReadMounts() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  return text.str();
}

}  // namespace

std::string SqliteVersion() { return sqlite3_libversion(); }

int SqliteVersionNumber() { return sqlite3_libversion_number(); }

bool HasWalResetBug(int version_number) {
  constexpr int kFirst = 3'007'000;
  constexpr int kFixed = 3'051'003;
  if (version_number < kFirst || version_number >= kFixed) return false;
  const int series = version_number / 1000;
  const int patch = version_number % 1000;
  return !(series == 3'044 && patch >= 6) && !(series == 3'050 && patch >= 7);
}

std::optional<std::string> NetworkFileSystemOf(int64_t type, std::string_view mounts,
                                               std::string_view device) {
  for (const NumberedSystem& system : kNetworkSystems) {
    if (system.type == (type & 0xffffffff)) return system.name;
  }
  if (type != kUserSpace) return std::nullopt;
  const std::string wanted = " " + std::string(device) + " ";
  for (const std::string& line : SplitLines(mounts)) {
    if (line.find(wanted) == std::string::npos) continue;
    for (const char* name : kNetworkUserSystems) {
      if (TypeOfMount(line) == name) return name;
    }
  }
  return std::nullopt;
}

std::optional<std::string> NetworkFileSystem(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  struct statfs system {};
  struct stat status {};
  if (statfs(folder.c_str(), &system) != 0 || stat(folder.c_str(), &status) != 0) {
    return std::nullopt;
  }
  const std::string device =
      std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev));
  return NetworkFileSystemOf(system.f_type, ReadMounts(), device);
}

}  // namespace schedulegym
