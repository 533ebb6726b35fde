// SketchCache: a task's schedules before any loops are tiled, each found once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "env/schedule/state.h"
#include "spaces/nest_facts.h"
#include "spaces/roles.h"
#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// A schedule before any loops are tiled, and what is known of its reductions.
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

// What BuildSchedule does first: stages are inlined, partial results of reductions along rows kept.
// It depends on few answers, and is remembered by them. Threads may ask at once.
class SketchCache {
 public:
  SketchCache(const std::shared_ptr<const Task>& task, const Rules& rules);

  // As the advice wants it.
  std::shared_ptr<const Prepared> Of(DecisionProvider& decisions) const;

  const std::shared_ptr<const Task>& task() const { return root_->state.shared_task(); }
  const Rules& rules() const { return rules_; }

 private:
  // A question about a stage.
  struct Question {
    int stage = 0;
    bool inlines = true;  // or else how many lanes
    int axis = 0;         // of the lanes
    int64_t extent = 1;   // of that
    size_t place = 0;     // in the order in which stages are asked about
  };
  struct Node {
    ScheduleState state;
    std::optional<Question> question;                    // none: nothing is left to ask
    std::shared_ptr<const Prepared> prepared = nullptr;  // where nothing is
    std::map<int64_t, std::unique_ptr<Node>> next = {};  // by answer
  };

  static int64_t Ask(const Node& node, DecisionProvider& decisions);
  std::unique_ptr<Node> After(const Node& node, int64_t answer) const;
  std::unique_ptr<Node> From(ScheduleState state, bool inlines, size_t place) const;
  std::optional<Question> NextInline(const ScheduleState& state, size_t place) const;
  std::optional<Question> NextLanes(const ScheduleState& state, size_t place) const;

  Rules rules_;
  std::vector<int> order_;  // of the stages that the task begins with
  std::unique_ptr<Node> root_;
  mutable std::mutex mutex_;  // of what was found since
  mutable int nodes_ = 1;
};

}  // namespace schedulegym
