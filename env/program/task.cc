#include "env/program/task.h"

namespace schedulegym {

Key TaskKey(const Task& task) {
  Hasher hasher;
  hasher.Add(task.dag.key().high);
  hasher.Add(task.dag.key().low);
  hasher.Add(std::string_view(task.target.BackendName()));
  hasher.Add(task.target.cpu);
  hasher.Add(static_cast<uint64_t>(task.target.features.size()));
  for (const std::string& feature : task.target.features) hasher.Add(feature);
  hasher.Add(static_cast<uint64_t>(task.target.cores));
  hasher.Add(static_cast<uint64_t>(task.target.warm ? 1 : 0));
  return hasher.KeyValue();
}

}  // namespace schedulegym
