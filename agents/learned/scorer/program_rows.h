// ProgramRows: the input of a network: rows of numbers, grouped by program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/learned/scorer/scorer_options.h"
#include "env/base/stop_token.h"
#include "env/features/state_features.h"
#include "env/measure/store/program_set.h"
#include "env/program/task.h"
#include "env/search/search_space.h"

namespace schedulegym {

// One program: its rows, and in a tree the parent of each row, -1 for the root.
struct ProgramValues {
  std::vector<float> values;
  std::vector<int> parents = {};
};

struct ProgramRows {
  int columns = 1;
  std::vector<float> values;                   // row after row
  std::vector<int> parents;                    // by row, within its program; empty without trees
  std::vector<int64_t> begin = {0};            // by program: its first row; then the number of rows
  std::vector<int> tasks;                      // by program
  std::vector<float> labels;                   // by program (ProgramLabel)
  double label_mean = 0, label_deviation = 1;  // for kAbsolute: GFLOP/s before standardising
  std::vector<int> lists;  // by program: the group it is compared in; empty: its task

  int task_columns = 0;
  std::vector<float> task_values;    // by task, task_columns each
  std::vector<int> heads;            // by task
  std::vector<std::string> targets;  // by head: text of the target; one "" serves all

  // Converts a label of this kind to a speed, in a unit of the task or of all tasks.
  double SpeedOf(ProgramLabel kind, float label) const;

  int size() const { return static_cast<int>(tasks.size()); }
  int ListOf(int program) const { return lists.empty() ? tasks[program] : lists[program]; }
  int64_t rows_of(int program) const { return begin[program + 1] - begin[program]; }
  std::span<const float> RowsOf(int program) const;
  std::span<const float> TaskRow(int task) const;
};

// No rows yet, with the columns that the options need.
ProgramRows EmptyRows(const ScorerOptions& options);

// Appends a task, and returns its position. With head_per_target, adds a head for a new target, or
// throws InputError if `may_add_head` is false. Without it all targets share a head for processors:
// throws InputError for a task of a GPU.
int AddTask(const Task& task, const ScorerOptions& options, bool may_add_head, ProgramRows* rows);

// As AddTask, for a task without a computation (IsForeign). Throws InputError if the network needs
// more than the primitives of a trace: any network but tlp(task=none).
int AddForeignTask(const std::string& target, const ScorerOptions& options, bool may_add_head,
                   ProgramRows* rows);

// Returns the rows of one schedule for AddProgram. Threads may call it concurrently.
ProgramValues DescribeState(const StateFeatures& state, const ScorerOptions& options);
// The tokens of a trace, equal to those of the state that it makes.
ProgramValues DescribeTrace(const Trace& trace, const ScorerOptions& options);
void AddProgram(const ProgramValues& program, int task, float label, ProgramRows* rows);

// By program of the set; kAbsolute in GFLOP/s, not standardised; NaN: left out. Throws InputError
// if the label needs speeds over a reference, or computations, that the set lacks.
std::vector<float> LabelsOf(const ProgramSet& programs, ProgramLabel label = ProgramLabel::kTask);
// Floor of speeds over the reference schedule (Tiramisu's).
inline constexpr double kLeastSpeed = 0.01;
// The label kReference or kLogarithm of a speed over the reference schedule.
float ReferenceLabel(double speed, ProgramLabel label);

// Makes the task that an entry of a set describes. Throws InputError.
std::shared_ptr<const Task> TaskOf(const TaskInfo& info);

// Makes a search space from its spec. Throws InputError.
using SpaceReader = std::function<std::unique_ptr<SearchSpace>(const Spec& space)>;

class StagePrograms;

// Computes the rows of a set, some programs at a time. For the network `stages` the rows are of
// prefixes of programs; `spaces` makes their spaces. Labels are those of the whole set. Programs
// whose traces do not replay are left out.
class ProgramDescription {
 public:
  // Throws InputError for an invalid task.
  ProgramDescription(ProgramSet programs, const ScorerOptions& options, int threads,
                     const SpaceReader& spaces = {});
  ~ProgramDescription();

  int64_t done() const { return done_; }
  int64_t total() const { return std::ssize(programs_.programs); }
  // Describes at most `count` more programs. Throws Interrupted.
  void Describe(int64_t count, const StopToken& stop = {});
  // Returns all rows. Requires that all programs are done.
  ProgramRows Take();

  // As Take, for `stages`; schedules can still be added afterwards.
  ProgramRows Rows();
  // Adds a schedule of a task of the set, in a space with programs of that task.
  void AddStages(int task, const std::string& space, const ScheduleState& state, float label);
  const ProgramSet& programs() const { return programs_; }
  const std::shared_ptr<const Task>& task(int position) const {
    return tasks_[static_cast<size_t>(position)];
  }

 private:
  std::optional<ProgramValues> Described(const MeasuredProgram& program) const;
  void DescribeStages(std::span<const MeasuredProgram> some, const StopToken& stop);

  ProgramSet programs_;
  ScorerOptions options_;
  int threads_;
  std::vector<std::shared_ptr<const Task>> tasks_;  // null for a foreign task
  std::vector<float> labels_;
  ProgramRows rows_;
  std::unique_ptr<StagePrograms> stages_;  // null for other networks
  int64_t done_ = 0;
  int64_t added_ = 0;
};
ProgramRows DescribePrograms(const ProgramSet& programs, const ScorerOptions& options, int threads,
                             const StopToken& stop = {}, const SpaceReader& spaces = {});

// Returns the programs of a set whose task is in this part of the data set. "other": in no part;
// "all": every program; foreign tasks are in each part. `space` "" means any space. Throws
// InputError if none is left, and if a task is near one that is kept for tests.
ProgramSet PartOf(const ProgramSet& programs, const std::string& part,
                  const std::string& space = "");

}  // namespace schedulegym
