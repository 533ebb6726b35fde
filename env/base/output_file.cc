// One rule for every output. The name is followed through its links; a regular file is written
// beside its place, synchronised and renamed, so that it is there whole or not at all. A device, a
// pipe and an open descriptor are written to once the content is complete: a rename would put a
// file in their place. A store, a table or a checkpoint is known by its first bytes, and kept.
// Errors: InputError with the name as the user gave it.
#include "env/base/output_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/gzip.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as in Linux

using namespace std::string_view_literals;

constexpr size_t kHeadBytes = 64;

struct Mark {
  std::string_view begin;
  KeptFile kind;
};
constexpr std::array<Mark, 6> kMarks = {{{"SQLite format 3\0"sv, KeptFile::kStore},
                                         // Of the write-ahead log beside it.
                                         {"\x37\x7f\x06\x82"sv, KeptFile::kStore},
                                         {"\x37\x7f\x06\x83"sv, KeptFile::kStore},
                                         {"{\"schedulegym_table\":"sv, KeptFile::kTable},
                                         {"schedulegym checkpoint "sv, KeptFile::kLearned},
                                         {"schedulegym memory: "sv, KeptFile::kLearned}}};

KeptFile KindOf(std::string_view head) {
  for (const Mark& mark : kMarks) {
    if (head.starts_with(mark.begin)) return mark.kind;
  }
  return KeptFile::kNone;
}

// The kind of a compressed file. A file that cannot be read whole is not one of ours, since ours
// are renamed into place only when they are complete.
KeptFile KindOfPacked(const std::string& path) {
  try {
    return KindOf(ReadPackedFile(path, kTableFile));
  } catch (const InputError&) {
    return KeptFile::kNone;
  }
}

bool IsOpenDescriptor(const fs::path& link) {
  const std::string name = link.filename().string();
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  struct statfs system {};
  return !name.empty() && std::all_of(name.begin(), name.end(), is_digit) &&
         statfs(link.parent_path().c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// Time limit for a pipe to get a reader.
constexpr double kPatienceSeconds = 2;
constexpr double kPauseSeconds = 0.01;

[[noreturn]] void Refuse(const std::string& path, const std::string& reason) {
  throw InputError("cannot write '" + path + "': " + reason);
}

[[noreturn]] void Refuse(const std::string& path, int error) { Refuse(path, std::strerror(error)); }

// The permissions that a file gets by default.
mode_t OrdinaryMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Synchronises to the disk, so that the file survives a power cut.
bool Sync(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = fsync(file) == 0;
  const int error = errno;
  close(file);
  errno = error;
  return synced;
}

// The descriptor of this process that /dev/stdout, /dev/fd/3 or /proc/self/fd/3 names.
std::optional<int> OwnDescriptor(const std::string& path) {
  std::error_code unknown;
  const fs::path folder = fs::canonical(fs::path(path).parent_path(), unknown);
  if (unknown || folder != "/proc/" + std::to_string(getpid()) + "/fd") return std::nullopt;
  const std::optional<int64_t> number = ParseInteger(fs::path(path).filename().string());
  if (!number || *number < 0) return std::nullopt;
  return static_cast<int>(*number);
}

bool MayBeWritten(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

// Like write, but a pipe without a reader sends no signal, which would end this process.
ssize_t WriteQuietly(int file, const char* bytes, size_t count) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t done = write(file, bytes, count);
  const int error = errno;
  if (done < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once = {};
    sigtimedwait(&broken, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return done;
}

bool WriteAll(int file, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = WriteQuietly(file, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done;
    count -= static_cast<size_t>(done);
  }
  return true;
}

bool CopyAll(int from, int to) {
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || !WriteAll(to, buffer, static_cast<size_t>(count))) return false;
  }
}

// Opens a file to write. A pipe without a reader would block for ever, so it is refused after
// kPatienceSeconds.
int OpenToWrite(const std::string& path) {
  const double begin = SteadyClock().Now();
  while (true) {
    const int file = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file >= 0) {
      fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
    if (errno != ENXIO && errno != EINTR) Refuse(path, errno);
    if (SteadyClock().Now() - begin > kPatienceSeconds) Refuse(path, "nobody reads it");
    std::this_thread::sleep_for(std::chrono::duration<double>(kPauseSeconds));
  }
}

std::string TemporaryFolder() {
  std::error_code unknown;
  const fs::path folder = fs::temp_directory_path(unknown);
  return unknown ? "/tmp" : folder.string();
}

void RefuseKept(const std::string& path, const std::string& target, KeptFile written) {
  const KeptFile kept = KeptFileAt(target);
  if (kept == KeptFile::kNone || kept == written) return;
  Refuse(path, std::string("found ") + KeptFileName(kept) +
                   ", which this output would replace; expected another place");
}

// The file that a name leads to.
struct OutputPlace {
  fs::path path;  // absolute, without links; empty if it takes several outputs
  std::optional<std::pair<dev_t, ino_t>> file;
};

OutputPlace OutputPlaceOf(const std::string& name) {
  std::error_code error;
  const std::string end = FollowLinks(name, error);
  if (error) return {};
  struct stat facts {};
  const bool exists = stat(end.c_str(), &facts) == 0;
  if (exists && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return {};
  const fs::path whole = fs::absolute(end, error);
  if (error) return {};
  OutputPlace place = {fs::weakly_canonical(whole.parent_path(), error), std::nullopt};
  if (error || place.path.string().starts_with("/proc/")) return {};
  place.path /= whole.filename();
  if (exists) place.file = {facts.st_dev, facts.st_ino};
  return place;
}

bool IsSameFile(const std::string& path, const struct stat& facts) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && found.st_dev == facts.st_dev &&
         found.st_ino == facts.st_ino;
}

}  // namespace

const char* KeptFileName(KeptFile kind) {
  switch (kind) {
    case KeptFile::kNone: return "";
    case KeptFile::kStore: return "a store";
    case KeptFile::kTable: return "a table";
    case KeptFile::kLearned: return "a checkpoint";
  }
  return "";
}

KeptFile KeptFileAt(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  return IsGzip(head) ? KindOfPacked(path) : KindOf(head);
}

std::string FollowLinks(const std::string& path, std::error_code& error) {
  fs::path place = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    const fs::file_status status = fs::symlink_status(place, error);
    if (status.type() == fs::file_type::not_found) error.clear();
    if (error || !fs::is_symlink(status) || IsOpenDescriptor(place)) return place.string();
    const fs::path next = fs::read_symlink(place, error);
    if (error) return path;
    place = place.parent_path() / next;
  }
  error = std::error_code(ELOOP, std::generic_category());
  return path;
}

bool AreOneFile(const std::string& one, const std::string& other) {
  const OutputPlace first = OutputPlaceOf(one), second = OutputPlaceOf(other);
  if (first.path.empty() || second.path.empty()) return false;
  return first.path == second.path || (first.file && first.file == second.file);
}

OutputFile::OutputFile(std::string path, KeptFile written)
    : path_(std::move(path)), written_(written) {
  struct stat facts {};
  const bool exists = stat(path_.c_str(), &facts) == 0;
  if (!exists && (errno != ENOENT || path_.empty())) Refuse(path_, errno);
  if (exists && S_ISDIR(facts.st_mode)) Refuse(path_, EISDIR);
  std::error_code error;
  const std::string end = FollowLinks(path_, error);
  if (error) Refuse(path_, error.message());
  descriptor_ = OwnDescriptor(end).value_or(-1);
  if (descriptor_ >= 0 && !MayBeWritten(descriptor_)) Refuse(path_, EBADF);
  const bool is_replaced = descriptor_ < 0 && (!exists || S_ISREG(facts.st_mode));
  if (is_replaced) {
    target_ = end;
    if (exists && !IsSameFile(end, facts)) Refuse(path_, "it leads to a file without a name");
    if (exists) RefuseKept(path_, target_, written_);
  } else if (descriptor_ < 0) {
    if (S_ISSOCK(facts.st_mode)) Refuse(path_, "it is a socket");
    if (access(path_.c_str(), W_OK) != 0) Refuse(path_, errno);
  }
  // A hidden name, so that a file left by a killed process is not mistaken for a result.
  const fs::path place =
      is_replaced ? fs::path(target_) : fs::path(TemporaryFolder()) / "schedulegym";
  temporary_path_ =
      (place.parent_path() / ("." + place.filename().string() + ".tmp-XXXXXX")).string();
  const int file = mkostemp(temporary_path_.data(), O_CLOEXEC);
  if (file < 0) Refuse(path_, errno);
  if (is_replaced && exists) {
    // Only root may change the owner; a file of another user gets this user as owner.
    [[maybe_unused]] const int may_fail = fchown(file, facts.st_uid, facts.st_gid);
    fchmod(file, facts.st_mode & 0777);
  } else if (is_replaced) {
    fchmod(file, OrdinaryMode());
  }
  close(file);
}

OutputFile::~OutputFile() {
  if (!committed_) unlink(temporary_path_.c_str());
}

void OutputFile::Write(std::string_view content) {
  std::FILE* file = std::fopen(temporary_path_.c_str(), "wbe");
  if (file == nullptr) Refuse(path_, errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) Refuse(path_, error);
  if (!closed) Refuse(path_, errno);
}

void OutputFile::Commit() {
  if (!target_.empty()) return Replace();
  CopyInto(descriptor_ < 0 ? OpenToWrite(path_) : fcntl(descriptor_, F_DUPFD_CLOEXEC, 0));
}

void OutputFile::Replace() {
  RefuseKept(path_, target_, written_);  // that may have come meanwhile
  if (!Sync(temporary_path_, O_RDONLY)) Refuse(path_, errno);
  if (std::rename(temporary_path_.c_str(), target_.c_str()) != 0) {
    // A file on which another is mounted can only be written to.
    if (errno != EBUSY) Refuse(path_, errno);
    return CopyInto(open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  }
  committed_ = true;
  const fs::path folder = fs::path(target_).parent_path();
  Sync(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

void OutputFile::CopyInto(int descriptor) {
  if (descriptor < 0) Refuse(path_, errno);
  const int from = open(temporary_path_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool is_written = from >= 0 && CopyAll(from, descriptor);
  const int error = errno;
  if (from >= 0) close(from);
  const bool is_closed = close(descriptor) == 0;
  if (!is_written) Refuse(path_, error);
  if (!is_closed) Refuse(path_, errno);
}

void WriteOutput(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.Write(content);
  file.Commit();
}

}  // namespace schedulegym
