#include "env/base/link.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux has it

bool IsOpenDescriptor(const fs::path& link) {
  const std::string name = link.filename().string();
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  struct statfs system {};
  return !name.empty() && std::all_of(name.begin(), name.end(), is_digit) &&
         statfs(link.parent_path().c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

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

}  // namespace schedulegym
