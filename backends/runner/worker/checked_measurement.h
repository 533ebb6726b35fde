// Checked measurement: verifies and times one candidate, step by step.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/runner/wire/messages.h"
#include "backends/runner/worker/candidate_run.h"
#include "backends/runner/worker/checked_task.h"
#include "backends/runner/worker/zygote_link.h"
#include "env/base/clock.h"
#include "env/base/rng.h"

namespace schedulegym {

// The checker's own measurements of a task's reference.
struct ReferenceFacts {
  double seconds = 0;            // of one call; 0 until measured
  double least_seconds = 0;      // lower bound for a call of any kernel
  int64_t calls_per_sample = 0;  // 0 until it was timed against itself
};

// Called before and after the timed part; the first call waits until timing may begin.
using TimingWatch = std::function<void(bool begins)>;

struct MeasurementMeans {
  CheckedTask& task;
  ZygoteLink& zygote;
  const Clock& clock;
  ReferenceFacts reference;
  TimingWatch watch;
  // Called before and after the calls of a kernel that runs on all processors, so that none of its
  // threads waits for one without a processor. May be null.
  TimingWatch alone = {};
  // Warm up before the turn, while another candidate is timed on another processor.
  bool warms_ahead = false;
  // The candidate is the reference, timed against itself.
  bool is_control = false;
  // Accept an interval of any width: a noisy timing is better than none.
  bool accepts_noise = false;
};

// Failures of the candidate are returned as outcomes, not thrown.
Measurement MeasureChecked(const MeasureRequest& request, uint64_t id,
                           const MeasurementMeans& means, Rng& rng);

// The checks alone, without timing: a correct candidate is kOk without a timing.
Measurement VerifyChecked(const ObjectCode& code, uint64_t id, const MeasurementMeans& means);

// The clock of the samples. With a device's own clock the host also sees launches and waits, so
// only samples longer than the host's time are rejected.
enum class SampleClock : uint8_t { kHost, kDevice };

// Reads the page's timing. kRun, recorded as kCorruptResult, unless there are as many samples as
// stamps, finite and positive, in agreement with the times of the stamps. The seconds are of the
// candidate's median sample.
Result<Timing> BelieveResult(const ResultPage& page, std::span<const SeenStamp> stamps,
                             IntervalRule rule, SampleClock clock = SampleClock::kHost);

}  // namespace schedulegym
