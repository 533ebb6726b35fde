#include "env/program/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr size_t kMostBytes = 16 << 20;

}  // namespace

std::string ReadTextFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    text.append(buffer, static_cast<size_t>(file.gcount()));
    if (text.size() <= kMostBytes) continue;
    throw InputError("cannot read '" + path + "': larger than 16 MiB, expected a small text");
  }
  // Of what can be opened but not read, a folder is the common case.
  if (file.bad()) throw InputError("cannot read '" + path + "': " + std::strerror(EISDIR));
  return text;
}

}  // namespace schedulegym
