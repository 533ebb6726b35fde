#include "env/program/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {

std::string ReadTextFile(const std::string& path, size_t most_mebibytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    text.append(buffer, static_cast<size_t>(file.gcount()));
    if (text.size() <= most_mebibytes << 20) continue;
    throw InputError("cannot read '" + path + "': larger than " + std::to_string(most_mebibytes) +
                     " MiB, expected a small text");
  }
  // Of what can be opened but not read, a folder is the common case.
  if (file.bad()) throw InputError("cannot read '" + path + "': " + std::strerror(EISDIR));
  return text;
}

}  // namespace schedulegym
