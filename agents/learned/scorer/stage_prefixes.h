// StagePrefixes: schedules cut after their first decisions, stage by stage, as training programs.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/learned/scorer/program_rows.h"
#include "env/base/hash.h"
#include "env/search/search_space.h"

namespace schedulegym {

// The first knobs of a sketch in the order of OutputsFirst. Open knobs are at the origin, where
// nothing is optimised, so a prefix is itself a schedule.
struct StagePrefix {
  int sketch = 0;
  KnobPoint point;  // of all knobs
  int decided = 0;
};

class StagePrefixes {
 public:
  // `inputs`: Ansor's features, or also the estimate's. Throws InputError if the space has no
  // sketches.
  StagePrefixes(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                ProgramInputs inputs);

  int sketches() const { return static_cast<int>(sketches_.size()); }
  int decisions(int sketch) const;
  // Numbers of decisions after which a stage is decided, in order.
  std::span<const int> Ends(int sketch) const;
  StagePrefix Origin(int sketch) const;
  // Number of choices of the next decision; 0 if all are made.
  int Ways(const StagePrefix& prefix) const;
  StagePrefix After(const StagePrefix& prefix, int way) const;
  // nullopt if the schedule is not a point of a sketch.
  std::optional<StagePrefix> Whole(const ScheduleState& state) const;
  // The prefix extended to `decided` decisions, with those of `whole`, which has the same sketch.
  StagePrefix Extended(const StagePrefix& prefix, const StagePrefix& whole, int decided) const;
  // The first `decided` decisions of the prefix.
  StagePrefix Cut(const StagePrefix& prefix, int decided) const;
  // The schedule with open knobs at the origin; nullopt if it is not legal.
  std::optional<ScheduleState> StateAt(const StagePrefix& prefix) const;
  // Equal for prefixes of the same decisions.
  Key KeyOf(const StagePrefix& prefix) const;

  // Rows by prefix; nullopt if it is not a legal schedule.
  using Rows = std::map<Key, std::optional<std::vector<float>>>;
  // The network's input, with a row for: no decisions; each stage completed before that of the last
  // decision; and the prefix itself. nullopt if one of these is not a schedule. `known` is a cache.
  std::optional<ProgramValues> Describe(const StagePrefix& prefix, Rows& known) const;

 private:
  struct Order {
    Sketch sketch;
    std::vector<int> knobs;  // in order
    std::vector<int> ends;   // counts of decisions after which a stage is decided
  };

  std::optional<std::vector<float>> RowOf(const StagePrefix& prefix) const;

  std::vector<Order> sketches_;
  ProgramInputs inputs_;
};

// The prefixes of one schedule.
struct DescribedPrefixes {
  struct Learned {
    int decided = 0;  // of the decisions
    ProgramValues values;
  };

  int place = 0;                 // index of its task and space
  std::vector<Key> all;          // of its prefixes, by number of decisions
  std::vector<Learned> learned;  // the prefixes for training
};

// Prefixes as programs of their own, each labelled by its best completion.
class StagePrograms {
 public:
  StagePrograms(const ScorerOptions& options, SpaceReader spaces);

  // Prepares Describe for a task and a space. Throws InputError for a space that does not exist, or
  // has no sketches.
  void Open(int task, const std::shared_ptr<const Task>& known, const std::string& space);

  // Empty if the schedule is not a point of a sketch. `number` seeds the choice of prefixes for
  // training. Threads may call it concurrently.
  DescribedPrefixes Describe(int task, const std::string& space, const ScheduleState& state,
                             uint64_t number) const;

  // Adds new prefixes as programs of the task. With lists=decisions a prefix is compared with those
  // of as many decisions, and a whole schedule with whole ones, as in a beam.
  void Add(int task, const DescribedPrefixes& described, float label, ProgramRows* rows);
  // Sets the label of each prefix to the highest of its added completions. With targets=own it
  // stays that of the schedule it is cut from.
  void Label(ProgramRows* rows) const;

 private:
  struct Best {
    float label = std::numeric_limits<float>::lowest();
    int program = -1;  // in the rows; -1: not in training
  };

  ScorerOptions options_;
  SpaceReader make_space_;
  std::map<std::string, std::shared_ptr<const SearchSpace>> spaces_;
  std::map<std::pair<int, std::string>, std::pair<int, StagePrefixes>> prefixes_;  // by place
  std::map<std::pair<int, Key>, Best> best_;
};

}  // namespace schedulegym
