#include "backends/runner/compile_jobs.h"

#include <algorithm>

#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

Key KeyOf(const CompileRequest& request) {
  Hasher hasher;
  hasher.Add(Encode(request));
  return hasher.KeyValue();
}

}  // namespace

Key CompileJobs::Submit(const CompileRequest& request) {
  const Key job = KeyOf(request);
  const auto [id, is_new] = ids_.try_emplace(job, last_id_ + 1);
  if (is_new) pool_.Submit(++last_id_, request);
  return job;
}

std::optional<Compiled> CompileJobs::Take(const Key& job) {
  const auto id = ids_.find(job);
  if (id == ids_.end()) return std::nullopt;
  std::optional<Compiled> compiled = pool_.Take(id->second);
  if (compiled) ids_.erase(id);
  return compiled;
}

void CompileJobs::KeepOnly(std::span<const Key> jobs) {
  std::erase_if(ids_, [&](const auto& entry) {
    const auto& [job, id] = entry;
    if (std::find(jobs.begin(), jobs.end(), job) != jobs.end()) return false;
    pool_.Cancel(id);
    return true;
  });
}

}  // namespace schedulegym
