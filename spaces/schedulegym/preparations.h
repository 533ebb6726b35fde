// Preparations: a task's schedules before any loops are tiled, each found once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "env/schedule/state.h"
#include "spaces/schedulegym/advice.h"
#include "spaces/schedulegym/prepared.h"
#include "spaces/schedulegym/tiles/rules.h"

namespace schedulegym {

// What BuildSchedule does first: stages are inlined, partial results of reductions along rows kept.
// It depends on few answers, and is remembered by them. Threads may ask at once.
class Preparations {
 public:
  Preparations(const std::shared_ptr<const Task>& task, const Rules& rules);

  // As the advice wants it.
  std::shared_ptr<const Prepared> Of(Advice& advice) const;

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

  static int64_t Ask(const Node& node, Advice& advice);
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
