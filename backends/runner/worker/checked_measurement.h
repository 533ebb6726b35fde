// Checked measurement: one candidate taken through verification and timing, step by step.
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

// What the checker itself knows of a task's reference.
struct ReferenceFacts {
  double seconds = 0;            // of one call; 0 until it is known
  double least_seconds = 0;      // less than any kernel's call can take
  int64_t calls_per_sample = 0;  // 0 until it was timed against itself
};

// Asked around the timed part: waits until it may begin.
using TimingWatch = std::function<void(bool begins)>;

struct MeasurementMeans {
  CheckedTask& task;
  ZygoteLink& zygote;
  const Clock& clock;
  ReferenceFacts reference;
  TimingWatch watch;
  // Asked around all calls of a kernel that runs on all processors, so that none of its threads
  // waits for one that has no processor. May be null.
  TimingWatch alone = {};
  // Warming up before the turn: somebody else is timed meanwhile, on another processor.
  bool warms_ahead = false;
  // The candidate is the reference, timed against itself.
  bool is_control = false;
  // However wide its interval, a timing is better than none.
  bool accepts_noise = false;
};

// A candidate's fault is an answer.
Measurement MeasureChecked(const MeasureRequest& request, uint64_t id,
                           const MeasurementMeans& means, Rng& rng);

// The gates alone: nothing is timed, and what is right is kOk without a timing.
Measurement VerifyChecked(const ObjectCode& code, uint64_t id, const MeasurementMeans& means);

// Whose clock samples were read from. Of a device's own the host sees launches and waits beside, so
// that only samples longer than they were seen to be are doubted.
enum class SampleClock : uint8_t { kHost, kDevice };

// What the page says, if that can be: as many samples as there are stamps, finite and positive, no
// shorter than they were seen to be. kCorruptResult otherwise. The seconds are of the candidate's
// median sample.
Result<Timing> BelieveResult(const ResultPage& page, std::span<const SeenStamp> stamps,
                             IntervalRule rule, SampleClock clock = SampleClock::kHost);

}  // namespace schedulegym
