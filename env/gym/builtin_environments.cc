#include "env/gym/builtin_environments.h"

namespace schedulegym {

std::vector<EnvironmentEntry> BuiltinEnvironments() {
  const std::string construct = "steps=128";
  const std::string modify = "space=ansor, start=random, steps=64";
  return {
      {"Construct", "construct", "measured", construct + ", protocol=cpu1",
       "a schedule from the naive program, stage by stage; speeds are measured"},
      {"ConstructModel", "construct", "model", construct + ", model=analytical",
       "the same; speeds are a model's: deterministic, fast"},
      {"Modify", "modify", "measured", modify + ", protocol=cpu1",
       "from a complete schedule to ones that differ in one decision; speeds are measured"},
      {"ModifyModel", "modify", "model", modify + ", model=analytical",
       "the same; speeds are a model's: deterministic, fast"},
  };
}

}  // namespace schedulegym
