// HostPlan: measuring on this machine, in processes of their own.
#pragma once

#include <cstdint>
#include <memory>

#include "assembly/measuring/measurer_plan.h"
#include "env/base/spec.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// `host`. Throws InputError for an option.
std::shared_ptr<const MeasurerPlan> MakeHostPlan(const Spec& spec);

// The measurer of all searches, replays and environments here: against the reference schedule of
// each task. Throws what host_measurer.h throws where candidates of the target cannot run.
std::unique_ptr<Measurer> MeasurerOfHost(const Target& target, const Protocol& protocol,
                                         uint64_t seed);

}  // namespace schedulegym
