// Plan options: what agents of plans read alike, from defaults of their own.
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
  std::optional<int> spare = {};  // none: 2, published 1
};

// Option `mode`: improved, unless it is `faithful`.
bool ReadsImproved(SpecReader& reader);
// Options `plan`, `early`, `epsilon`, `local` and `spare`.
PlanOptions ReadPlanOptions(RangedReader& reader, const PlanDefaults& defaults);
// Option `labels`: whether a model fits log speed, as improved ones do, or speed.
bool ReadsLogLabels(SpecReader& reader, bool improved);
// Options `trees`, `columns`, `acquire`, `contextual`, `bounded` and `labels` of a forest.
// `contextual`: whether its doubt decides the share by chance where nothing is said.
ForestOptions ReadForestOptions(SpecReader& reader, RangedReader& ranged, bool improved, int plan,
                                bool contextual);
// Options `chains`, `steps`, `patience`, `persistent`, `scaled` and `leaders`. Improved, a quarter
// of the chains begin at the best measured places, and the temperature has no unit.
AnnealingChains ReadAnnealingChains(SpecReader& reader, RangedReader& ranged,
                                    const PlanDefaults& defaults, int steps = 500);

}  // namespace schedulegym
