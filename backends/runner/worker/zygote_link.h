// ZygoteLink: the checker's end of a zygote, which it starts, supplies and replaces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backends/runner/sandbox/candidate_process.h"
#include "backends/runner/sandbox/zygote.h"
#include "env/base/clock.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// Of `schedulegym-device`, which takes a zygote's seat.
struct DeviceProgramPath {
  std::string path;
};
// Beside the program that is running, or SCHEDULEGYM_DEVICE. Throws MachineError.
std::string FindDeviceProgram();

class ZygoteLink {
 public:
  // A killed process is gone after this, or the zygote is.
  static constexpr double kBurialSeconds = 5;

  // Starts one. Throws MachineError.
  explicit ZygoteLink(const std::string& program);
  explicit ZygoteLink(const DeviceProgramPath& program);

  // Candidates run in the process itself: what ends one ends it.
  bool is_device() const { return is_device_; }

  // What the following candidates share; the descriptors stay the caller's. False when it is gone.
  bool SetUp(const TaskSetup& setup, std::span<const int> files);

  FrameChannel& channel() { return channel_; }

  // Ends the candidate of that id, if it is still there.
  void Kill(uint64_t id);

  // Waits for the end of a candidate that was started and not dismissed; none when that is not
  // known in time, or there is no zygote any more. A device's own end is its candidate's.
  std::optional<CandidateEnd> WaitForEnd(uint64_t id, double until, const Clock& clock);
  // Of one that was told to end: whoever needs the zygote next waits until it is gone.
  void Dismiss(uint64_t id);
  // Waits for the one that was dismissed, if any; to be called before the next is started.
  void AwaitDismissed(const Clock& clock);

  bool is_gone() const { return channel_.is_closed(); }
  // Why, for messages, once it is gone.
  std::string ExitReason();

 private:
  bool is_device_;
  WorkerProcess process_;
  FrameChannel channel_;
  std::optional<uint64_t> dismissed_;
};

}  // namespace schedulegym
