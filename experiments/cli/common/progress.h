// Progress: shows the progress of long work: a redrawn line on a terminal, else occasional lines.
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
  std::optional<double> seconds;  // time budget; the nearer end of the two counts
  std::string best;               // such as "1.234 ms 217.5 GFLOP/s"; may be empty
  std::string work;               // the current work and its state; may be empty
};

// Formats a state after `elapsed` seconds: count, rate, best, work, time left. With a bar of
// `width` cells unless that is 0.
std::string ProgressText(const ProgressState& state, double elapsed, int width);

class Progress {
 public:
  // Writes nothing unless `enabled`. `label` names the work. A line wider than the terminal loses
  // its bar, then its end.
  Progress(std::FILE* stream, bool enabled, std::string label, const Clock& clock);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Update(const ProgressState& state);
  // Removes the line from a terminal, so that other output may follow.
  void Clear();

 private:
  std::string Line(const ProgressState& state, double elapsed) const;

  std::FILE* stream_;
  bool enabled_;
  bool terminal_;
  std::string label_;
  const Clock& clock_;
  double began_;
  double next_;  // the earliest time of the next output
  bool drawn_ = false;
};

}  // namespace schedulegym
