// Task table: how the tasks of a search stand, as text and redrawn while it runs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "experiments/cli/common/screen.h"

namespace schedulegym {

struct TaskRow {
  std::string name;
  double count = 1;  // how often the networks run it
  double flops = 0;
  std::optional<double> seconds;  // of the best; none without a success
  int64_t trials = 0;
};

// The sum of latencies times counts; none where a task has no latency.
std::optional<double> NetworkLatency(const std::vector<TaskRow>& rows);

// As a width: however wide.
inline constexpr size_t kFullNames = 10'000;

// A line of titles, one for each task (id, task, latency, share of the latency of all, speed,
// trials, and a mark at the one that is next), and one with the latency of all. Names wider than
// `name_width` are cut in the middle.
std::string TaskTableText(const std::vector<TaskRow>& rows, std::optional<int> next,
                          size_t name_width);

// A name that is cut in the middle where it is wider.
std::string CroppedName(const std::string& name, size_t width);

// Writes the table where one was before if the screen is large enough, else anew now and then; in
// both cases where something changed: on such a screen anything, else the latency of a task.
class TaskTable {
 public:
  TaskTable(std::FILE* stream, bool enabled, const Clock& clock, std::optional<Screen> screen);
  ~TaskTable() { Clear(); }
  TaskTable(const TaskTable&) = delete;
  TaskTable& operator=(const TaskTable&) = delete;

  // Whether Update would write, so that others may clear their line before.
  bool IsDue(const std::vector<TaskRow>& rows, std::optional<int> next,
             const std::string& why = "") const;
  // `why` the next is: a line of its own, unless it is empty.
  void Update(const std::vector<TaskRow>& rows, std::optional<int> next,
              const std::string& why = "");
  // Takes the table off the screen, so that other output may follow; the cursor is below it.
  void Clear();

 private:
  std::string Text(const std::vector<TaskRow>& rows, std::optional<int> next,
                   const std::string& why) const;
  bool Fits(int lines) const;
  // Equal texts of two tables: the second tells nothing new.
  std::string Content(const std::vector<TaskRow>& rows, const std::string& text) const;
  size_t Columns() const { return static_cast<size_t>(screen_ ? screen_->columns : 100); }
  size_t NameRoom() const;

  std::FILE* stream_;
  bool enabled_;
  const Clock& clock_;
  std::optional<Screen> screen_;
  double next_;        // when something may be written again
  int drawn_ = 0;      // lines on the screen
  std::string shown_;  // what makes the last one differ from another
};

}  // namespace schedulegym
