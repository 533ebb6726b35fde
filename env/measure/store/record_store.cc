#include "env/measure/store/record_store.h"

#include <algorithm>

namespace schedulegym {

std::vector<Record> RecordStore::ForTask(const Key& task) const {
  std::vector<Record> found;
  Visit({.task = task}, [&](const Record& record) { found.push_back(record); });
  return found;
}

std::optional<Record> RecordStore::ById(std::string_view id) const {
  std::optional<Record> found;
  Visit({.id = std::string(id)}, [&](const Record& record) { found = record; });
  return found;
}

bool RecordStore::IsVerified(const Key& task, std::string_view toolchain) const {
  const std::vector<VerifiedReference> verified = Verified(task);
  return std::any_of(verified.begin(), verified.end(),
                     [&](const VerifiedReference& one) { return one.toolchain == toolchain; });
}

}  // namespace schedulegym
