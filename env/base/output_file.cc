#include "env/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const std::string& path, int error) {
  throw InputError("cannot write '" + path + "': " + std::strerror(error));
}

// The permissions that a file made in the ordinary way gets.
mode_t OrdinaryMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// To the disk, so that it is there after a power cut.
bool Sync(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = fsync(file) == 0;
  close(file);
  return synced;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) Refuse(path_, EISDIR);
  temporary_path_ = path_ + ".XXXXXX";
  const int file = mkostemp(temporary_path_.data(), O_CLOEXEC);
  if (file < 0) Refuse(path_, errno);
  fchmod(file, OrdinaryMode());
  close(file);
}

OutputFile::~OutputFile() {
  if (!committed_) unlink(temporary_path_.c_str());
}

void OutputFile::Write(std::string_view content) {
  std::FILE* file = std::fopen(temporary_path_.c_str(), "wbe");
  if (file == nullptr) Refuse(path_, errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) Refuse(path_, errno);
}

void OutputFile::Commit() {
  if (!Sync(temporary_path_, O_RDONLY)) Refuse(path_, errno);
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) Refuse(path_, errno);
  committed_ = true;
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  Sync(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

}  // namespace schedulegym
