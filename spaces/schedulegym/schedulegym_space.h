// SchedulegymSpace: random schedules of BuildSchedule, with a switch for each rule.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/search/knob_space.h"
#include "env/search/search_space.h"
#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/schedule_skeleton.h"

namespace schedulegym {

// Throws InputError for options out of range.
std::unique_ptr<SearchSpace> MakeSchedulegymSpace(const Spec& spec);

// At the origin, tiles have one element and no loop is vectorized, unrolled or parallel. Stages
// read in panels are packed once a tile has more than one element along them, at first at the root.
// A point with incompatible decisions is illegal; some points are the same schedule. Open choices
// are completed by `sampler` within the structure, also with lengths that no knob offers.
KnobSpace KnobsOf(std::shared_ptr<const SketchCache> sketch_cache, const ScheduleSkeleton& skeleton,
                  const Sampler& sampler = {});

}  // namespace schedulegym
