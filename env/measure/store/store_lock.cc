#include "env/measure/store/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>

#include "env/base/clock.h"
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

// `name` is "store 'a.db'", `holder` may be "", `how` is by which name it reached the file.
[[noreturn]] void ThrowHeld(const std::string& name, const std::string& holder,
                            const std::string& how = "") {
  throw InputError(name + " is being written by " +
                   (holder.empty() ? "another process" : "process " + holder) + how +
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

StoreLock::StoreLock(const std::string& store_path, std::string what, double patience_seconds)
    : store_path_(store_path), what_(std::move(what)), path_(store_path + "-lock") {
  TakeLockFile(patience_seconds);
  const bool was_left = !ReadHolder(descriptor_).empty();
  try {
    HoldFile();
    NameHolder();
  } catch (...) {
    if (file_.is_open()) file_.Unlock();
    if (!was_left) unlink(path_.c_str());  // else it still marks that its holder died
    close(descriptor_);
    throw;
  }
  recovered_ = was_left;
}

std::string StoreLock::Quoted() const { return what_ + " '" + store_path_ + "'"; }

void StoreLock::TakeLockFile(double patience_seconds) {
  constexpr double kPauseSeconds = 0.02;
  const SteadyClock clock;
  const double until = clock.Now() + patience_seconds;
  while (descriptor_ < 0) {
    const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      throw InputError("cannot write " + Quoted() + ": " + std::strerror(errno));
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const std::string holder = ReadHolder(descriptor);
      close(descriptor);
      if (clock.Now() >= until) ThrowHeld(Quoted(), holder);
      std::this_thread::sleep_for(std::chrono::duration<double>(kPauseSeconds));
      continue;
    }
    if (IsCurrent(descriptor, path_)) {
      descriptor_ = descriptor;
    } else {
      close(descriptor);
    }
  }
}

void StoreLock::HoldFile() {
  if (file_.is_open()) return;
  StoreInode file(store_path_);
  if (!file.is_open()) return;
  if (!file.Lock()) {
    const std::optional<int64_t> process = file.Holder();
    const std::string count = file.links() > 1 ? " of its " + std::to_string(file.links()) : "";
    ThrowHeld(Quoted(), process ? std::to_string(*process) : "",
              count.empty() ? " under another name" : " under another" + count + " names");
  }
  file_ = std::move(file);
}

void StoreLock::NameHolder() {
  const std::string holder = ThisHolder() + "\n";
  if (ftruncate(descriptor_, 0) != 0 ||
      pwrite(descriptor_, holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
    throw MachineError("cannot write '" + path_ + "': " + std::strerror(errno));
  }
}

StoreLock::~StoreLock() {
  if (file_.is_open()) file_.Unlock();
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace schedulegym
