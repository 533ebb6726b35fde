// Files of unknown origin and files that appear whole. Reading accepts regular files only, up to a
// size for each kind, and for at most 2 s plus 1 s for each 16 MiB, so that neither a pipe nor a
// slow mount blocks. OutputFile writes beside its path, syncs, renames and syncs the folder: a
// reader finds the old file or the new one. Errors: InputError with the path.
#include "env/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>

#include "env/base/fault.h"
#include "env/base/utf8.h"

namespace schedulegym {
namespace {

constexpr double kMostSeconds = 2;
constexpr double kLeastBytesPerSecond = 16 * kMebibyte;

[[noreturn]] void Refuse(const std::string& name, const std::string& reason, const FileKind& kind) {
  throw InputError("cannot read " + name + ": " + reason + ", expected " + kind.name);
}

[[noreturn]] void RefuseLarge(const std::string& name, const FileKind& kind) {
  throw InputError("cannot read " + name + ": larger than " +
                   std::to_string(kind.most_bytes / kMebibyte) + " MiB, the most that " +
                   kind.name + " may have");
}

const char* TypeName(mode_t mode) {
  if (S_ISFIFO(mode)) return "it is a FIFO";
  if (S_ISSOCK(mode)) return "it is a socket";
  return "it is a device";
}

// A descriptor that is closed at the end.
class OpenFile {
 public:
  // Opening a FIFO would wait for somebody at its other end.
  OpenFile(const std::string& path, const FileKind& kind)
      : number_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
    const std::string name = "'" + path + "'";
    if (number_ < 0) Refuse(name, std::strerror(errno), kind);
    struct stat facts {};
    if (fstat(number_, &facts) != 0) Refuse(name, std::strerror(errno), kind);
    if (S_ISDIR(facts.st_mode)) Refuse(name, std::strerror(EISDIR), kind);
    if (!S_ISREG(facts.st_mode)) Refuse(name, TypeName(facts.st_mode), kind);
    size_ = facts.st_size;
    if (size_ > kind.most_bytes) RefuseLarge(name, kind);
  }
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }
  int64_t size() const { return size_; }

 private:
  int number_;
  int64_t size_ = 0;
};

std::string WithoutMark(std::string text) {
  text.erase(0, text.size() - WithoutByteOrderMark(text).size());
  return text;
}

// Reads until the end of the file, which may come later than `expected`: the file may grow, and
// files of /proc report no size. Calls `check` before each piece.
std::string ReadToTheEnd(int number, const std::string& name, const FileKind& kind,
                         int64_t expected, const std::function<void()>& check) {
  std::string text;
  text.reserve(static_cast<size_t>(expected));
  char buffer[1 << 16];
  while (true) {
    check();
    const ssize_t count = read(number, buffer, sizeof buffer);
    if (count == 0) return WithoutMark(std::move(text));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) Refuse(name, std::strerror(errno), kind);
    text.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(text.size()) > kind.most_bytes) RefuseLarge(name, kind);
  }
}

}  // namespace

std::string ReadUntrustedFile(const std::string& path, const FileKind& kind, const Clock& clock) {
  const OpenFile file(path, kind);
  const std::string name = "'" + path + "'";
  const double seconds = kMostSeconds + static_cast<double>(file.size()) / kLeastBytesPerSecond;
  const double begin = clock.Now();
  return ReadToTheEnd(file.number(), name, kind, file.size(), [&] {
    if (clock.Now() - begin <= seconds) return;
    Refuse(name, "it has no end after " + std::to_string(std::lround(seconds)) + " s", kind);
  });
}

std::ifstream OpenUntrustedFile(const std::string& path, const FileKind& kind) {
  const OpenFile file(path, kind);
  // Opens the descriptor that was checked, as the path may name another file by now.
  std::ifstream stream("/proc/self/fd/" + std::to_string(file.number()), std::ios::binary);
  if (!stream) Refuse("'" + path + "'", std::strerror(errno), kind);
  SkipByteOrderMark(stream);
  return stream;
}

std::string ReadStandardInput(const FileKind& kind) {
  return ReadToTheEnd(STDIN_FILENO, "standard input", kind, 0, [] {});
}

}  // namespace schedulegym
