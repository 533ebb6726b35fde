#include "env/measure/store/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// "4711 since 2026-01-31T12:00:00Z"; "" in a fresh file.
std::string ReadHolder(int descriptor) {
  std::array<char, 64> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  return size <= 0 ? "" : std::string(Trim(std::string_view(text.data(), size)));
}

std::string ThisHolder() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return std::to_string(getpid()) + " since " + text.data();
}

[[noreturn]] void ThrowHeld(const std::string& store_path, const std::string& holder) {
  throw InputError("store '" + store_path + "' is being written by " +
                   (holder.empty() ? "another process" : "process " + holder) +
                   "; expected one writer at a time");
}

// Whether the path still leads to the file behind the descriptor: a holder removes it at its end.
bool IsCurrent(int descriptor, const std::string& path) {
  struct stat held {};
  struct stat found {};
  return fstat(descriptor, &held) == 0 && stat(path.c_str(), &found) == 0 &&
         held.st_ino == found.st_ino && held.st_dev == found.st_dev;
}

}  // namespace

StoreLock::StoreLock(const std::string& store_path) : path_(store_path + "-lock") {
  while (descriptor_ < 0) {
    const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      throw InputError("cannot write store '" + store_path + "': " + std::strerror(errno));
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const std::string holder = ReadHolder(descriptor);
      close(descriptor);
      ThrowHeld(store_path, holder);
    }
    if (IsCurrent(descriptor, path_)) {
      descriptor_ = descriptor;
    } else {
      close(descriptor);
    }
  }
  recovered_ = !ReadHolder(descriptor_).empty();
  const std::string holder = ThisHolder() + "\n";
  if (ftruncate(descriptor_, 0) != 0 ||
      pwrite(descriptor_, holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
    const std::string reason = std::strerror(errno);
    unlink(path_.c_str());
    close(descriptor_);
    throw MachineError("cannot write '" + path_ + "': " + reason);
  }
}

StoreLock::~StoreLock() {
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace schedulegym
