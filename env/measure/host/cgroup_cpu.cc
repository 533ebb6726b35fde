#include "env/measure/host/cgroup_cpu.h"

#include <algorithm>
#include <string_view>

#include "env/base/text.h"
#include "env/measure/host/machine_facts.h"

namespace schedulegym {
namespace {

// Where a controller's files stand, and this process's group below that.
struct Place {
  std::string mount;
  std::string group;  // "" or begins with a slash
  bool first_version = false;
};

bool ListsCpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const auto [name, rest] = Cut(controllers, ',');
    if (name == "cpu") return true;
    controllers = rest;
  }
  return false;
}

// Lines of /proc/self/cgroup are number:controllers:group; version 2 has number 0 and no names. The
// first version's line counts where both are in use.
std::optional<Place> FindPlace(const std::string& root) {
  const std::string folder = root + "/sys/fs/cgroup";
  const std::string text = ReadFileIfAny(root + "/proc/self/cgroup").value_or("");
  std::optional<Place> place;
  for (const std::string& line : SplitLines(text)) {
    const auto [controllers, path] = Cut(Cut(line, ':').second, ':');
    const std::string group(path == "/" ? "" : path);
    if (ListsCpu(controllers)) return Place{folder + "/" + std::string(controllers), group, true};
    if (controllers.empty() && !path.empty()) place = Place{folder, group, false};
  }
  return place;
}

std::optional<int64_t> IntegerIn(const std::string& path) {
  return ParseInteger(ReadFileIfAny(path).value_or(""));
}

std::optional<double> QuotaOf(const std::string& folder, bool first_version) {
  std::optional<int64_t> quota, period;
  if (first_version) {
    quota = IntegerIn(folder + "/cpu.cfs_quota_us");
    period = IntegerIn(folder + "/cpu.cfs_period_us");
  } else {
    // "200000 100000", or "max 100000" without a limit.
    const std::string text = ReadFileIfAny(folder + "/cpu.max").value_or("");
    const auto [limit, each] = Cut(text, ' ');
    quota = ParseInteger(limit);
    period = ParseInteger(each);
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// Of lines "nr_throttled 5".
int64_t StatOf(const std::string& text, const std::string& key) {
  for (const std::string& line : SplitLines(text)) {
    const auto [name, value] = Cut(line, ' ');
    if (name == key) return ParseInteger(value).value_or(0);
  }
  return 0;
}

void Include(const std::string& folder, bool first_version, std::optional<CgroupCpu>& all) {
  const std::optional<std::string> stat = ReadFileIfAny(folder + "/cpu.stat");
  if (!stat) return;
  if (!all) all.emplace();
  all->throttled = std::max(all->throttled, StatOf(*stat, "nr_throttled"));
  const double seconds = first_version
                             ? 1e-9 * static_cast<double>(StatOf(*stat, "throttled_time"))
                             : 1e-6 * static_cast<double>(StatOf(*stat, "throttled_usec"));
  all->throttled_seconds = std::max(all->throttled_seconds, seconds);
  const std::optional<double> quota = QuotaOf(folder, first_version);
  if (quota) all->quota_cores = std::min(*quota, all->quota_cores.value_or(*quota));
}

}  // namespace

std::optional<CgroupCpu> ReadCgroupCpu(const std::string& root) {
  const std::optional<Place> place = FindPlace(root);
  if (!place) return std::nullopt;
  std::optional<CgroupCpu> all;
  std::string group = place->group;
  while (true) {
    Include(place->mount + group, place->first_version, all);
    if (group.empty()) return all;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

}  // namespace schedulegym
