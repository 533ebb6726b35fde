// Synthesis: places made of the clusters of others, as Chameleon's adaptive sampling does it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/common/knob_field.h"
#include "agents/plan/k_means.h"
#include "agents/plan/plan_search.h"

namespace schedulegym {

// Values of the knobs that are not clustered: that of most places of the sketch, or that of a
// random one; kNone: the place nearest to the centre stands for the cluster.
enum class Synthesis : uint8_t { kMode, kSample, kNone };

struct SynthesisOptions {
  AdaptiveClusterOptions clusters;
  Synthesis synthesis = Synthesis::kMode;
  // All knobs are clustered, by position from 0 to 1; published are the two with most values, whose
  // centres are values.
  bool clusters_all = true;
};

// For each cluster of the places one place, then the places nearest to the centres, then all
// others; the length of the plan is the number of clusters.
Chooser ClusterChooser(std::shared_ptr<const KnobField> field, const SynthesisOptions& options,
                       Rng rng);

}  // namespace schedulegym
