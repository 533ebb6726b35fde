// StagePrefixes: the decisions of a task's schedules stage by stage, and the schedules that stand
// when only the first of them are made; and these as programs to learn from.
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

// The first knobs of a sketch, in the order of OutputsFirst. What is open stands at the origin,
// where nothing is optimised, so a prefix is itself a schedule.
struct StagePrefix {
  int sketch = 0;
  KnobPoint point;  // of all knobs
  int decided = 0;
};

class StagePrefixes {
 public:
  // Of Ansor's features alone, or with the estimate's. Throws InputError where the space has no
  // sketches.
  StagePrefixes(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                ProgramInputs inputs);

  int sketches() const { return static_cast<int>(sketches_.size()); }
  int decisions(int sketch) const;
  // After how many decisions a stage is decided, in order.
  std::span<const int> Ends(int sketch) const;
  StagePrefix Origin(int sketch) const;
  // Of the next decision; 0 where all is decided.
  int Ways(const StagePrefix& prefix) const;
  StagePrefix After(const StagePrefix& prefix, int way) const;
  // None where the schedule is no point of a sketch.
  std::optional<StagePrefix> Whole(const ScheduleState& state) const;
  // With its next decisions, up to so many, as `whole` of the same sketch has them.
  StagePrefix Extended(const StagePrefix& prefix, const StagePrefix& whole, int decided) const;
  // The first `decided` of its decisions.
  StagePrefix Cut(const StagePrefix& prefix, int decided) const;
  // With what is open at the origin; none where that is no schedule.
  std::optional<ScheduleState> StateAt(const StagePrefix& prefix) const;
  // Equal for prefixes of the same decisions.
  Key KeyOf(const StagePrefix& prefix) const;

  // Rows by prefix; none of what is no schedule.
  using Rows = std::map<Key, std::optional<std::vector<float>>>;
  // What a network reads, a row each: nothing decided, each stage that is decided before the last
  // decision's, and that one as far as it is. None where one of these is no schedule. Takes from
  // `known`, and adds to it.
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

// What was seen of one schedule.
struct DescribedPrefixes {
  struct Learned {
    int decided = 0;  // of the decisions
    ProgramValues values;
  };

  int place = 0;                 // its task in its space
  std::vector<Key> all;          // of its prefixes, by how much is decided
  std::vector<Learned> learned;  // of these those to learn from
};

// Prefixes of schedules as programs of their own, each labelled by its best completion.
class StagePrograms {
 public:
  StagePrograms(const ScorerOptions& options, SpaceReader spaces);

  // The schedules of a task of a space will be described. Throws InputError for a space that does
  // not exist, or has no sketches.
  void Open(int task, const std::shared_ptr<const Task>& known, const std::string& space);

  // Empty where the schedule is no point of a sketch. `number` draws which prefixes are learned
  // from. Threads may ask at once.
  DescribedPrefixes Describe(int task, const std::string& space, const ScheduleState& state,
                             uint64_t number) const;

  // Adds what is new as programs of the task. With lists=decisions a prefix is compared with those
  // of as many decisions, and a whole schedule with whole ones, as a beam does.
  void Add(int task, const DescribedPrefixes& described, float label, ProgramRows* rows);
  // The label of a prefix becomes the highest of its completions that were added; with
  // targets=own it stays that of the schedule by which it came.
  void Label(ProgramRows* rows) const;

 private:
  struct Best {
    float label = std::numeric_limits<float>::lowest();
    int program = -1;  // of the rows; -1: not learned from
  };

  ScorerOptions options_;
  SpaceReader make_space_;
  std::map<std::string, std::shared_ptr<const SearchSpace>> spaces_;
  std::map<std::pair<int, std::string>, std::pair<int, StagePrefixes>> prefixes_;  // by place
  std::map<std::pair<int, Key>, Best> best_;
};

}  // namespace schedulegym
