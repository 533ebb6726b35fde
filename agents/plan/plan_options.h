// Plan options: readers of the options that plan agents share, with defaults of each agent.
#pragma once

#include <optional>

#include "agents/plan/annealing_explorer.h"
#include "agents/plan/forest_surrogate.h"
#include "agents/plan/plan_search.h"
#include "env/base/option_range.h"
#include "env/base/spec.h"

namespace schedulegym {

struct PlanDefaults {
  bool improved = true;
  int plan = 64;
  int chains = 128;
  double epsilon = 0.05;
  std::optional<int> spare = {};  // nullopt: 2, published 1
};

// Reads `mode`: returns whether it is improved (default) rather than `faithful`.
bool ReadsImproved(SpecReader& reader);
// Reads `plan`, `early`, `epsilon`, `local` and `spare`.
PlanOptions ReadPlanOptions(RangedReader& reader, const PlanDefaults& defaults);
// Reads `labels`: returns whether a model fits log speed (default if improved) or speed.
bool ReadsLogLabels(SpecReader& reader, bool improved);
// Reads `trees`, `columns`, `acquire`, `contextual`, `bounded` and `labels` of a forest.
// `contextual`: the default of whether the forest's uncertainty sets the random share.
ForestOptions ReadForestOptions(SpecReader& reader, RangedReader& ranged, bool improved, int plan,
                                bool contextual);
// Reads `chains`, `steps`, `patience`, `persistent`, `scaled` and `leaders`. If improved, a quarter
// of the chains start at the best measured places, and the temperature has no unit.
AnnealingChains ReadAnnealingChains(SpecReader& reader, RangedReader& ranged,
                                    const PlanDefaults& defaults, int steps = 500);

}  // namespace schedulegym
