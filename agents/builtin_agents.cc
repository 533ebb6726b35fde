#include "agents/builtin_agents.h"

#include "agents/search/ansor.h"
#include "agents/search/dpansor.h"
#include "agents/search/droplet.h"
#include "agents/search/random.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

std::vector<AgentEntry> BuiltinAgents() {
  return {
      {"ansor",
       "mode=fast, model=boosted, population=2048, generations=4, mutation=0.85, round=64, "
       "epsilon=0.05, features=estimated, local=0.2, niches=false, finetune=true, beam=false",
       "evolution under a cost model that learns on the way, or of a file of tune --save-model "
       "(model=FILE); mode=faithful is the published one; finetune=false only samples, beam=true "
       "(beam_width=32) builds tile by tile",
       MakeAnsorAgent},
      {"dpansor", "k=300, mode=fixed, trials=100, p=0.05, agent=ansor",
       "k trials of another agent, then droplet from the best of them, over the numbers of its "
       "trace; mode=faithful is DPAnsor's",
       MakeDpansorAgent},
      {"droplet", "mode=fixed, p=0.05, speculate=true",
       "descends from the unoptimised schedule of each sketch, or of the one of sketch=N; "
       "mode=faithful is AutoTVM's",
       MakeDropletAgent},
      {"random", "retries=1000", "draws schedules from the space, nothing twice", MakeRandomAgent},
  };
}

std::unique_ptr<Agent> MakeAgent(const Spec& spec, AgentContext context) {
  std::vector<std::string> known;
  for (const AgentEntry& entry : BuiltinAgents()) {
    if (entry.name == spec.name) return entry.make(spec, context);
    known.push_back(entry.name);
  }
  throw InputError(UnknownName("agent", spec.name, known));
}

}  // namespace schedulegym
