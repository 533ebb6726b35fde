// SearchTime: the seconds of a search, and how much work may still begin within them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "agents/task_curve.h"
#include "env/base/clock.h"

namespace schedulegym {

// The durations of the last few pieces of work of one kind.
class RecentSeconds {
 public:
  void Note(double seconds) {
    last_.push_back(seconds);
    if (last_.size() > kMost) last_.pop_front();
  }

  bool is_empty() const { return last_.empty(); }
  // Of the last few; 0 before the first.
  double Longest() const {
    return last_.empty() ? 0 : *std::max_element(last_.begin(), last_.end());
  }

 private:
  static constexpr size_t kMost = 8;  // a choice

  std::deque<double> last_;
};

// Work begins only if it should end in time, assuming that it takes as long as the longest of its
// kind lately. The first work of a kind always begins. Work still running at the end of the whole
// search is cut off.
class SearchTime {
 public:
  // Begins now. The clock outlives this object. Without `seconds` everything fits.
  SearchTime(const Clock& clock, std::optional<double> seconds);

  // Seconds since the beginning.
  double Elapsed() const { return clock_.Now() - begin_; }
  // Begins a part of the search that ends `seconds` after the search's beginning.
  void Limit(std::optional<double> seconds);
  // Reserves `seconds` at the end of each part, for finalists.
  void Reserve(double seconds) { reserve_ = seconds; }

  // Returns whether the part's time is up, or some work did not fit into the rest of it.
  bool IsOver() const;
  // Returns whether proposing, a trial and learning fit into the part; else the part is over.
  // `trials`: of the task.
  bool BeginTurn(const RecentSeconds& trials);
  // Returns how many of `most` concurrent trials fit, with time to report them to the agent; the
  // part is over if none does. Returns 1 for a task without known durations.
  int64_t BeginTrials(const RecentSeconds& trials, int64_t most);
  // Returns whether `seconds` are left of the whole search.
  bool HasLeft(double seconds) const;
  // Seconds left of the part, never below 0; nullopt without a limit.
  std::optional<double> Left() const;
  // Returns a function that is true once a measurement must be cut off: no second is left, or
  // `stop`, which may be null, is set. Must not outlive this object.
  std::function<bool()> End(const std::atomic<bool>* stop) const;

  RecentSeconds propose, tell;
  RecentSeconds first_trials;  // of each task; include its preparation

 private:
  double LeftOfPart() const { return *part_ - reserve_ - Elapsed(); }
  bool Fits(bool fits);

  const Clock& clock_;
  double begin_;
  std::optional<double> whole_, part_;
  double reserve_ = 0;
  bool is_over_ = false;  // something did not fit
};

// Returns the trials for a turn of task `index`, from 1 to `most`; `left` seconds, nullopt without
// a limit. A task without a success gets at most an equal share of the time among all such tasks,
// at the average cost of a trial so far, so that each may get a latency. Returns `most` for other
// tasks, and before the first measurement.
int64_t TurnTrials(std::span<const TaskCurve> curves, int index, std::optional<double> left,
                   int64_t most);

}  // namespace schedulegym
