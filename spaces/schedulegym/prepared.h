// Prepared: a schedule before any loops are tiled, and what is known of its reductions.
#pragma once

#include <map>
#include <memory>

#include "env/schedule/state.h"
#include "spaces/nest_facts.h"
#include "spaces/roles.h"

namespace schedulegym {

class Prepared {
 public:
  // Analyses every reduction, once for all that is made of it. `parity` as AnalyzeNest has it.
  Prepared(ScheduleState state, bool parity);

  const ScheduleState& state() const { return state_; }

  // What AnalyzeNest and RoleOf say of a stage of `now`, which is this state scheduled further:
  // remembered as long as neither the stage nor what it reads has changed.
  std::shared_ptr<const NestFacts> FactsOf(const ScheduleState& now, int stage) const;
  Role RoleIn(const ScheduleState& now, int stage) const;

 private:
  struct Nest {
    std::shared_ptr<const NestFacts> facts;
    Role role;
  };
  // Null where it is not known.
  const Nest* Find(const ScheduleState& now, int stage) const;

  ScheduleState state_;
  bool parity_;
  std::map<int, Nest> nests_;  // by stage
};

}  // namespace schedulegym
