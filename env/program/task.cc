#include "env/program/task.h"

namespace schedulegym {
namespace {

// As the target's text has them: a fact more is a part of the key.
void AddFacts(const GpuFacts& facts, Hasher* hasher) {
  Spec spec{"gpu", {}};
  WriteGpuFacts(facts, &spec);
  hasher->Add(std::string_view(spec.ToText()));
}

}  // namespace

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
  if (task.target.IsGpu()) AddFacts(task.target.gpu, &hasher);
  return hasher.KeyValue();
}

}  // namespace schedulegym
