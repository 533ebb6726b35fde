// ProgramRows: programs as a network sees them: rows of numbers, grouped by program.
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

// One program: rows one after another; of a tree by row the row around it, -1 at the root.
struct ProgramValues {
  std::vector<float> values;
  std::vector<int> parents = {};
};

struct ProgramRows {
  int columns = 1;
  std::vector<float> values;         // row after row
  std::vector<int> parents;          // by row, within its program; empty where rows are no trees
  std::vector<int64_t> begin = {0};  // by program: its first row, and at the end all rows
  std::vector<int> tasks;            // by program
  std::vector<float> labels;         // by program (ProgramLabel)
  double label_mean = 0, label_deviation = 1;  // of kAbsolute: GFLOP/s, before standardising
  std::vector<int> lists;  // by program: what it is compared with; empty: its task

  int task_columns = 0;
  std::vector<float> task_values;    // by task, task_columns each
  std::vector<int> heads;            // by task
  std::vector<std::string> targets;  // by head: text of the target; one of no name serves all

  // What a label of this kind says of a program's speed, in a unit of the task's own or for all.
  double SpeedOf(ProgramLabel kind, float label) const;

  int size() const { return static_cast<int>(tasks.size()); }
  int ListOf(int program) const { return lists.empty() ? tasks[program] : lists[program]; }
  int64_t rows_of(int program) const { return begin[program + 1] - begin[program]; }
  std::span<const float> RowsOf(int program) const;
  std::span<const float> TaskRow(int task) const;
};

// None yet, of the columns that the options ask for.
ProgramRows EmptyRows(const ScorerOptions& options);

// Appends a task, and returns its position. A target without a head is given one, with
// head_per_target; throws InputError for it where `may_add_head` is false. Without head_per_target
// all targets share one, of processors: throws InputError for a task of a GPU.
int AddTask(const Task& task, const ScorerOptions& options, bool may_add_head, ProgramRows* rows);

// The same of a task without a computation (IsForeign) for this target. Throws InputError for
// options that need more than the primitives of a trace: any network but tlp(task=none).
int AddForeignTask(const std::string& target, const ScorerOptions& options, bool may_add_head,
                   ProgramRows* rows);

// Rows of one schedule, ready to be appended; threads may ask at once.
ProgramValues DescribeState(const StateFeatures& state, const ScorerOptions& options);
// The tokens of a trace, which are those of a state that it leads to.
ProgramValues DescribeTrace(const Trace& trace, const ScorerOptions& options);
void AddProgram(const ProgramValues& program, int task, float label, ProgramRows* rows);

// By program of the set; not yet standardised, GFLOP/s; NaN of what is left out. Throws InputError
// where the set has no speeds over a reference, or no computations, and the label needs them.
std::vector<float> LabelsOf(const ProgramSet& programs, ProgramLabel label = ProgramLabel::kTask);
// Of speeds over the reference schedule, the least that counts (Tiramisu's floor).
inline constexpr double kLeastSpeed = 0.01;
// Of a speed over the reference schedule, kReference and kLogarithm.
float ReferenceLabel(double speed, ProgramLabel label);

// The task that a set's task describes. Throws InputError.
std::shared_ptr<const Task> TaskOf(const TaskInfo& info);

// A search space by its spec. Throws InputError.
using SpaceReader = std::function<std::unique_ptr<SearchSpace>(const Spec& space)>;

class StagePrograms;

// Rows of a set, made some programs at a time; of the network `stages` of parts of its programs,
// which lie in `spaces`. Labels are those of the whole set; programs whose
// traces do not replay are left out.
class ProgramDescription {
 public:
  // Throws InputError for a task that is none.
  ProgramDescription(ProgramSet programs, const ScorerOptions& options, int threads,
                     const SpaceReader& spaces = {});
  ~ProgramDescription();

  int64_t done() const { return done_; }
  int64_t total() const { return std::ssize(programs_.programs); }
  // Of so many more, of those that are left. Throws Interrupted.
  void Describe(int64_t count, const StopToken& stop = {});
  // Once all are done.
  ProgramRows Take();

  // The same of `stages`, to which schedules can be added.
  ProgramRows Rows();
  // One more schedule of a task of the set, in a space that it has programs of.
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
  std::vector<std::shared_ptr<const Task>> tasks_;  // null of a foreign one
  std::vector<float> labels_;
  ProgramRows rows_;
  std::unique_ptr<StagePrograms> stages_;  // null of other networks
  int64_t done_ = 0;
  int64_t added_ = 0;
};
ProgramRows DescribePrograms(const ProgramSet& programs, const ScorerOptions& options, int threads,
                             const StopToken& stop = {}, const SpaceReader& spaces = {});

// Of a set the programs whose task stands in a part of the data set ("other": in none), or all with
// "all"; foreign tasks stand in each part. Of one search space, or of any with "". Throws
// InputError where there is none, and where a task is near one that is kept for tests.
ProgramSet PartOf(const ProgramSet& programs, const std::string& part,
                  const std::string& space = "");

}  // namespace schedulegym
