// Landlock rules of a confined program (Linux 5.13 or newer, by the kernel's ABI version: rights
// that it lacks are left out). A rule allows a path and all below it, and cannot take anything
// back; so where a path below an allowed folder is hidden, the folder gets no rule, and each other
// entry on the way down to the path has one.
// Cost: one rule a path, plus the entries of the folders above hidden paths.
#include "backends/runner/confinement/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "env/base/fault.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr uint64_t kList = LANDLOCK_ACCESS_FS_READ_DIR;
// Of the kernel's first version; later ones add a right each, which older headers do not name.
constexpr uint64_t kFirstRights = (uint64_t{1} << 13) - 1;
constexpr uint64_t kRefer = uint64_t{1} << 13;
constexpr uint64_t kTruncate = uint64_t{1} << 14;
constexpr uint64_t kDeviceControl = uint64_t{1} << 15;
// Rights of files; the others are rights of folders.
constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kDeviceControl;

uint64_t RightsOf(int version) {
  uint64_t rights = kFirstRights;
  if (version >= 2) rights |= kRefer;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

[[noreturn]] void Refuse(const std::string& what) {
  throw MachineError("cannot confine a process: " + what + ": " + std::strerror(errno));
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

class Ruleset {
 public:
  explicit Ruleset(int version) : rights_(RightsOf(version)) {
    const landlock_ruleset_attr attributes = {rights_};
    rules_ = Descriptor(static_cast<int>(
        syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
    if (!rules_.is_open()) Refuse("landlock_create_ruleset");
  }

  void Allow(const fs::path& path, uint64_t rights) {
    const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat facts {};
    if (!place.is_open() || fstat(place.number(), &facts) != 0) return;
    if (!S_ISDIR(facts.st_mode)) rights &= kOfFiles;
    const landlock_path_beneath_attr rule = {rights & rights_, place.number()};
    if (rule.allowed_access == 0) return;
    if (syscall(SYS_landlock_add_rule, rules_.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) !=
        0) {
      Refuse("landlock_add_rule");
    }
  }

  // A rule covers everything below its folder. Where a file below is hidden, each of the others
  // gets a rule of its own.
  void AllowReading(const fs::path& path, const std::vector<fs::path>& hidden) {
    const auto is_hidden = [&](const fs::path& one) { return IsBelow(path, one); };
    const auto hides = [&](const fs::path& one) { return IsBelow(one, path); };
    if (std::any_of(hidden.begin(), hidden.end(), is_hidden)) return;
    if (std::none_of(hidden.begin(), hidden.end(), hides)) {
      Allow(path, kRead | kList);
      return;
    }
    Allow(path, kList);
    std::error_code unreadable;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, unreadable)) {
      if (!entry.is_symlink(unreadable)) AllowReading(entry.path(), hidden);
    }
  }

  void AllowAll(const fs::path& folder) { Allow(folder, rights_); }

  void Enforce() const {
    if (syscall(SYS_landlock_restrict_self, rules_.number(), 0) != 0) {
      Refuse("landlock_restrict_self");
    }
  }

 private:
  uint64_t rights_;
  Descriptor rules_;
};

// Paths without symbolic links; paths that do not exist are left out.
std::vector<fs::path> RealPaths(const std::vector<std::string>& paths) {
  std::vector<fs::path> real;
  for (const std::string& path : paths) {
    std::error_code missing;
    fs::path one = fs::canonical(path, missing);
    if (!missing) real.push_back(std::move(one));
  }
  return real;
}

}  // namespace

int LandlockVersion() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

void RequireLandlock() {
  if (LandlockVersion() > 0) return;
  throw MachineError(
      "this kernel has no Landlock, expected Linux 5.13 or later with it switched on "
      "(lsm=landlock,...): without it agents of entries cannot be confined");
}

void RestrictFiles(const FileRights& rights) {
  RequireLandlock();
  Ruleset rules(LandlockVersion());
  const std::vector<fs::path> hidden = RealPaths(rights.hidden);
  for (const fs::path& path : RealPaths(rights.reads)) rules.AllowReading(path, hidden);
  for (const fs::path& path : RealPaths(rights.lists)) rules.Allow(path, kList);
  for (const fs::path& path : RealPaths(rights.writes)) rules.AllowAll(path);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) Refuse("no_new_privs");
  rules.Enforce();
}

}  // namespace schedulegym
