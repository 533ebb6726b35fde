#include "env/program/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr std::streamsize kMostBytes = 16 << 20;

}  // namespace

std::string ReadTextFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  const bool opened = file.is_open();
  errno = opened ? EISDIR : errno;
  if (opened) file.read(text.data(), kMostBytes + 1);
  if (!opened || file.bad()) {
    throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  }
  if (file.gcount() > kMostBytes) {
    throw InputError("cannot read '" + path + "': larger than 16 MiB, expected a small text");
  }
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

}  // namespace schedulegym
