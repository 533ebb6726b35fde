// EventLoop: workers of this process, and what they say, waited for all at once.
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

  // Handles everything that has come; when that is nothing, waits for the first, at most so many
  // seconds.
  void Wait(double seconds);

 private:
  friend class WorkerLink;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A worker and the frames from and to it. Nothing happens but during EventLoop::Wait.
class WorkerLink {
 public:
  // Starts `program role`, with variables as a WorkerProcess takes them. The loop outlives the
  // link. Throws MachineError.
  WorkerLink(EventLoop& loop, const std::string& program, const std::string& role,
             const std::vector<std::string>& variables = {});
  // Ends the worker, as WorkerProcess does.
  ~WorkerLink();
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;

  void Send(const Frame& frame);
  // The oldest that has arrived and was not taken.
  std::optional<Frame> Take();
  // The other side has closed, or said what is no frame. What came before can still be taken.
  bool is_closed() const;
  WorkerProcess& process() { return process_; }

 private:
  struct State;
  WorkerProcess process_;
  std::shared_ptr<State> state_;
};

}  // namespace schedulegym
