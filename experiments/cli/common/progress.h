// Progress: tells how far a long work is: one line redrawn on a terminal, now and then a line else.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "env/base/clock.h"

namespace schedulegym {

struct ProgressState {
  int64_t done = 0;
  int64_t total = 0;              // 0: unknown, no bar
  std::optional<double> seconds;  // a budget of time; the nearer end of the two counts
  std::string best;               // such as "1.234 ms 217.5 GFLOP/s"; may be empty
  std::string work;               // what is worked on, and how it stands; may be empty
};

// The text of one state after `elapsed` seconds: count, rate, best, work, time left. With a bar of
// `width` cells unless that is 0.
std::string ProgressText(const ProgressState& state, double elapsed, int width);

class Progress {
 public:
  // Writes nothing unless `enabled`. `label` says what is going on. A line that is wider than the
  // terminal loses its bar, then its end.
  Progress(std::FILE* stream, bool enabled, std::string label, const Clock& clock);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Update(const ProgressState& state);
  // Takes the line off a terminal, so that other output may follow.
  void Clear();

 private:
  std::string Line(const ProgressState& state, double elapsed) const;

  std::FILE* stream_;
  bool enabled_;
  bool terminal_;
  std::string label_;
  const Clock& clock_;
  double began_;
  double next_;  // when something may be written again
  bool drawn_ = false;
};

}  // namespace schedulegym
