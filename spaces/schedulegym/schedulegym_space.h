// The space `schedulegym`: schedules that BuildSchedule makes by chance, under switches.
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

// At the origin tiles are of one element, nothing is in vectors, unrolled or in parallel; what is
// read in panels is packed, at first at the root, once a tile has more than one element along them.
// A point whose decisions do not go together is illegal; some points are the same schedule. What is
// open is completed as `sampler` draws, within the structure: lengths may be others than the knobs
// have.
KnobSpace KnobsOf(std::shared_ptr<const SketchCache> sketch_cache, const ScheduleSkeleton& skeleton,
                  const Sampler& sampler = {});

}  // namespace schedulegym
