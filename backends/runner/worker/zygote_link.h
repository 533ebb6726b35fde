// ZygoteLink: the checker's end of a zygote, which it starts, supplies and replaces.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/sandbox/candidate_process.h"

namespace schedulegym {

class ZygoteLink {
 public:
  // Starts one. Throws MachineError.
  explicit ZygoteLink(const std::string& program);

  // What the following candidates share; the descriptors stay the caller's. False when it is gone.
  bool SetUp(const TaskSetup& setup, std::span<const int> files);

  FrameChannel& channel() { return channel_; }
  bool is_gone() const { return channel_.is_closed(); }
  // Why, for messages, once it is gone.
  std::string Obituary();

 private:
  WorkerProcess process_;
  FrameChannel channel_;
};

}  // namespace schedulegym
