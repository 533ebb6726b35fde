// SearchTime: the seconds of a search, and how much may still begin within them.
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

// How long work of one kind took lately.
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

// What begins last should end in time: that is expected of work as long as the longest of its kind
// lately. Of the first work of a kind nothing is known, and it begins. What goes on when the whole
// search's time is up is cut off.
class SearchTime {
 public:
  // Begins now. The clock outlives it. Without `seconds` everything fits.
  SearchTime(const Clock& clock, std::optional<double> seconds);

  // Since the beginning.
  double Elapsed() const { return clock_.Now() - begin_; }
  // A part of the search is to end so many seconds after the beginning; that begins now.
  void Limit(std::optional<double> seconds);
  // So much is kept free at the end of each part, for finalists.
  void Reserve(double seconds) { reserve_ = seconds; }

  // Whether the part's time is up, or something did not fit into what is left of it.
  bool IsOver() const;
  // Whether proposing, a trial and telling fit into the part, which is over if not. `trials`: those
  // of the task.
  bool BeginTurn(const RecentSeconds& trials);
  // How many of `most` trials at once fit, so that the agent can be told of them; the part is over
  // if none does. Of a task of which nothing is known it is one.
  int64_t BeginTrials(const RecentSeconds& trials, int64_t most);
  // Whether so many seconds are left of the whole search.
  bool HasLeft(double seconds) const;
  // Of the part, never below 0; none without a limit.
  std::optional<double> Left() const;
  // Says when what is measured is to be cut off: once no second is left, or `stop`, which may be
  // null, is set. Not to be asked when this is gone.
  std::function<bool()> End(const std::atomic<bool>* stop) const;

  RecentSeconds propose, tell;
  RecentSeconds first_trials;  // of each task, which is prepared for it

 private:
  double LeftOfPart() const { return *part_ - reserve_ - Elapsed(); }
  bool Fits(bool fits);

  const Clock& clock_;
  double begin_;
  std::optional<double> whole_, part_;
  double reserve_ = 0;
  bool is_over_ = false;  // something did not fit
};

// Of the turn of task `index`, from 1 to `most`, with `left` seconds, none where time is endless. A
// task without a success takes no more than an equal share with the others that have none, by what
// a trial took on average so far: so that each may come to a latency. `most` to any other, and as
// long as nothing was measured.
int64_t TurnTrials(std::span<const TaskCurve> curves, int index, std::optional<double> left,
                   int64_t most);

}  // namespace schedulegym
