// EventLoop: waits for the frames of all workers of this process at once.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Handles all events that have arrived. If there are none, waits at most `seconds` for the first
  // one.
  void Wait(double seconds);

 private:
  friend class WorkerLink;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A worker and the frames from and to it. Frames are received only during EventLoop::Wait.
class WorkerLink {
 public:
  // Starts `program role`; `variables` are those of WorkerProcess. The loop must outlive the link.
  // Throws MachineError.
  WorkerLink(EventLoop& loop, const std::string& program, const std::string& role,
             const std::vector<std::string>& variables = {});
  // Ends the worker, as WorkerProcess does.
  ~WorkerLink();
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;

  void Send(const Frame& frame);
  // Removes and returns the oldest received frame; nullopt if there is none.
  std::optional<Frame> Take();
  // True once the worker has closed, or sent bytes that are no frame, and all frames are taken.
  bool is_closed() const;
  WorkerProcess& process() { return process_; }

 private:
  struct State;
  WorkerProcess process_;
  std::shared_ptr<State> state_;
};

}  // namespace schedulegym
