#include "backends/runner/worker/measuring_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kName = "/schedulegym-measuring.lock";
constexpr const char* kDeviceName = "/schedulegym-device.lock";

std::string PathInLockFolder(const char* name) {
  const bool has_lock_folder = access("/run/lock", W_OK | X_OK) == 0;
  return std::string(has_lock_folder ? "/run/lock" : "/tmp") + name;
}

}  // namespace

std::string MeasuringLockPath() {
  if (const auto given = FindVariable("SCHEDULEGYM_LOCK")) return *given;
  return PathInLockFolder(kName);
}

std::string DeviceLeasePath() {
  if (const auto given = FindVariable("SCHEDULEGYM_LOCK")) return *given + ".device";
  return PathInLockFolder(kDeviceName);
}

// Without O_CREAT first: in a folder that all may write to, Linux refuses it for another's file.
MeasuringLock::MeasuringLock(const std::string& path)
    : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (!file_.is_open()) file_ = Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open()) {
    throw MachineError("cannot open the measuring lock '" + path + "': " + std::strerror(errno));
  }
  // Independent of the creator's umask. Fails where another user owns the file.
  fchmod(file_.number(), 0666);
}

void MeasuringLock::Take() {
  while (flock(file_.number(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

bool MeasuringLock::TryTake() {
  while (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

void MeasuringLock::Share() {
  while (flock(file_.number(), LOCK_SH) != 0 && errno == EINTR) {
  }
}

bool MeasuringLock::IsHeldByOther() {
  while (flock(file_.number(), LOCK_SH | LOCK_NB) != 0) {
    if (errno != EINTR) return errno == EWOULDBLOCK;
  }
  Release();
  return false;
}

void MeasuringLock::Release() { flock(file_.number(), LOCK_UN); }

}  // namespace schedulegym
