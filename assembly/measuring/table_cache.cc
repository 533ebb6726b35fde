#include "assembly/measuring/table_cache.h"

#include <sys/stat.h>

#include "env/base/fault.h"
#include "env/gym/tables/table_file.h"

namespace schedulegym {
namespace {

std::shared_ptr<const RecordedStates> ReadStates(const std::string& path) {
  auto table = std::make_shared<const Table>(ReadTable(path));
  if (table->facts().reference_seconds <= 0) {
    throw InputError("table " + path + ": found no time of the reference schedule, expected one");
  }
  try {
    return std::make_shared<const RecordedStates>(std::move(table));
  } catch (const InputError& fault) {
    throw InputError("table " + path + ": " + fault.what());
  }
}

}  // namespace

std::shared_ptr<const RecordedStates> TableCache::Read(const std::string& path) {
  const std::lock_guard lock(mutex_);
  struct stat facts = {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  const Version version = {facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
  const auto found = known_.find(path);
  if (exists && found != known_.end() && found->second.version == version) {
    return found->second.states;
  }
  auto states = ReadStates(path);
  known_.insert_or_assign(path, Known{version, states});
  return states;
}

}  // namespace schedulegym
