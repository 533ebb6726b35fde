#include "experiments/cli/doctor/store_findings.h"

#include <sys/vfs.h>

#include <filesystem>

#include "env/measure/store/sqlite_facts.h"

namespace schedulegym {
namespace {

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool IsInMemory(const std::string& folder) {
  constexpr long kTmpfs = 0x01021994;  // statfs(2)
  constexpr long kRamfs = 0x858458f6;
  struct statfs system = {};
  if (statfs(folder.c_str(), &system) != 0) return false;
  return system.f_type == kTmpfs || system.f_type == kRamfs;
}

}  // namespace

Finding SqliteFinding(const std::string& version, int version_number) {
  const bool bug = HasWalResetBug(version_number);
  return {
      "sqlite",
      version,
      {{"version", version}, {"wal_reset_bug", bug}},
      bug ? "two writers of one store could damage it, which the store's lock prevents; repaired "
            "in 3.44.6, 3.50.7 and 3.51.3"
          : ""};
}

Finding StorePlaceFinding(const std::string& path, const std::optional<std::string>& network,
                          bool in_memory) {
  Finding finding = {
      "store", path, {{"path", path}, {"network", network}, {"in_memory", in_memory}}, ""};
  if (network) {
    finding.value += ", on " + *network;
    finding.advice = "locks do not hold on a network file system; name a local file: --store FILE";
  } else if (in_memory) {
    finding.value += ", in memory";
    finding.advice = "records are lost when the machine stops; name a file on a disk: --store FILE";
  } else {
    finding.value += ", local";
  }
  return finding;
}

std::vector<Finding> StoreFindings(const std::string& path) {
  return {SqliteFinding(SqliteVersion(), SqliteVersionNumber()),
          StorePlaceFinding(path, NetworkFileSystem(path), IsInMemory(FolderOf(path)))};
}

}  // namespace schedulegym
